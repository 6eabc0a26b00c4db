import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { FailedCallsService } from '../../identity/clients/failed-calls/failed-calls.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import { ApiErrorFilter } from '../../platform/http/api-error.filter.js';
import type { RequestWithCaller } from '../../identity/scopes/caller.decorator.js';
import { PageErrorFilter } from '../../platform/views/page-error.filter.js';

/** Answers to calls that are not as they should be, or too many. */
const CLIENT_ERROR_STATUSES = new Set([400, 413, 415, 422, 429]);

/**
 * Answers what went wrong where no controller answers its own errors, or none was found: below `/api/` to an app, everywhere
 * else to a person. What an app can mend is kept for its developer.
 */
@Catch()
export class GlobalExceptionFilter implements ExceptionFilter {
  private readonly apiErrorFilter = new ApiErrorFilter();
  private readonly pageErrorFilter: PageErrorFilter;

  constructor(
    private readonly settings: Settings,
    private readonly failedCalls: FailedCallsService,
  ) {
    this.pageErrorFilter = new PageErrorFilter(settings);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<RequestWithCaller>();
    const filter = request.path.startsWith(`${this.settings.basePath}/api/`)
      ? this.apiErrorFilter
      : this.pageErrorFilter;
    filter.catch(error, host);
    if (error instanceof ApiError) this.recordFailedCall(error, request);
  }

  /** For the developer of the app that called. What only the map or the person decides is no failure of the app. */
  private recordFailedCall(error: ApiError, { caller, method, route }: RequestWithCaller): void {
    const body = error.getResponse() as { error: string; code?: string };
    const status = error.getStatus();
    const isMissingScope = status === 403 && body.code === undefined;
    if (!caller || !(isMissingScope || CLIENT_ERROR_STATUSES.has(status))) return;
    const endpoint = `${method} ${(route as { path?: string } | undefined)?.path ?? ''}`;
    this.failedCalls.record(caller.appId, {
      endpoint,
      errorCode: body.code ?? 'insufficient_scope',
      reason: body.error,
    });
  }
}
