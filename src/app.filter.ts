import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { Settings } from './config/settings.js';
import { FailedCalls } from './failed-calls/failed-calls.service.js';
import { ApiError } from './http/api-error.js';
import { ApiErrorFilter } from './http/api-error.filter.js';
import type { GuardedRequest } from './scopes/caller.decorator.js';
import { PageErrorFilter } from './views/page-error.filter.js';

/** Answers to calls that are not as they should be, or too many. */
const TO_BE_MENDED = new Set([400, 413, 415, 422, 429]);

/**
 * Answers what went wrong where no controller answers its own errors, or none was found: below `/api/` to an app, everywhere
 * else to a person. What an app can mend is kept for its developer.
 */
@Catch()
export class AppFilter implements ExceptionFilter {
  private readonly forApps = new ApiErrorFilter();
  private readonly forPeople: PageErrorFilter;

  constructor(
    private readonly settings: Settings,
    private readonly failedCalls: FailedCalls,
  ) {
    this.forPeople = new PageErrorFilter(settings);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<GuardedRequest>();
    const filter = request.path.startsWith(`${this.settings.basePath}/api/`) ? this.forApps : this.forPeople;
    filter.catch(error, host);
    if (error instanceof ApiError) this.note(error, request);
  }

  /** For the developer of the app that called. What only the map or the person decides is no failure of the app. */
  private note(error: ApiError, { caller, method, route }: GuardedRequest): void {
    const body = error.getResponse() as { error: string; code?: string };
    const status = error.getStatus();
    const isMissingScope = status === 403 && body.code === undefined;
    if (!caller || !(isMissingScope || TO_BE_MENDED.has(status))) return;
    const call = `${method} ${(route as { path?: string } | undefined)?.path ?? ''}`;
    this.failedCalls.note(caller.appId, { call, error: body.code ?? 'insufficient_scope', reason: body.error });
  }
}
