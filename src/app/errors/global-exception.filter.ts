import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { FailedCallsService, type Violation } from '../../identity/apps/failed-calls/failed-calls.service.js';
import type { Caller, RequestWithCaller } from '../../identity/scopes/caller.decorator.js';
import { buildDpopChallenge } from '../../identity/scopes/bearer-token-errors.js';
import { findResource, type Resource, toResourceMetadataUrl } from '../../identity/scopes/resources.js';
import { Settings } from '../../platform/config/settings.js';
import type { ErrorDetail } from '../../platform/errors/request-errors.js';
import { ApiError, toApiError } from '../../platform/http/api-error.js';
import { ApiErrorFilter } from '../../platform/http/api-error.filter.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { ErrorPagesRegistry } from '../../platform/views/error-pages.js';
import { PageErrorFilter } from '../../platform/views/page-error.filter.js';

/** Statuses of errors that the developer of an app can fix. */
const CLIENT_ERROR_STATUSES = new Set([400, 413, 415, 422, 429]);

/**
 * Responds to errors that no controller handles, and to requests that match no route: with JSON
 * below `/api/`, with a page elsewhere. Records errors that the developer of the calling app can
 * fix.
 */
@Catch()
export class GlobalExceptionFilter implements ExceptionFilter {
  private readonly apiErrorFilter = new ApiErrorFilter();
  private readonly pageErrorFilter: PageErrorFilter;

  constructor(
    private readonly settings: Settings,
    private readonly failedCalls: FailedCallsService,
    errorPages: ErrorPagesRegistry,
  ) {
    this.pageErrorFilter = new PageErrorFilter(settings, errorPages);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const apiError = error instanceof DomainError ? toApiError(error) : error;
    const request = host.switchToHttp().getRequest<RequestWithCaller>();
    const resource = findResource(this.settings, request.path);
    if (apiError instanceof ApiError) this.completeChallenge(apiError, resource ?? 'api');
    if (resource) this.apiErrorFilter.catch(apiError, host);
    else this.pageErrorFilter.catch(error, host);
    if (apiError instanceof ApiError) this.recordFailedCall(apiError, request);
  }

  /**
   * Adds the address of the resource metadata to a challenge (RFC 9728 §5.1), and to a 401 the
   * challenge for a DPoP proof (RFC 9449 §7.1).
   */
  private completeChallenge(error: ApiError, resource: Resource): void {
    const challenge = error.headers['WWW-Authenticate'];
    if (challenge === undefined) return;
    const isBearer401 = error.getStatus() === 401 && challenge.startsWith('Bearer');
    // A client that knows only the address of the MCP server begins with this scope.
    const scope = isBearer401 && resource === 'mcp' ? ', scope="markers:read"' : '';
    const url = toResourceMetadataUrl(this.settings.BASE_URL, resource);
    const others = isBearer401 ? `, ${buildDpopChallenge()}` : '';
    error.headers['WWW-Authenticate'] = `${challenge}, resource_metadata="${url}"${scope}${others}`;
  }

  /**
   * A denial that only the user's permissions explain is not the app's failure, so it is not
   * recorded.
   */
  private recordFailedCall(error: ApiError, { caller, method, route }: RequestWithCaller): void {
    const body = error.getResponse() as ErrorBody;
    const status = error.getStatus();
    const isMissingScope = status === 403 && body.code === undefined;
    if (!caller || !(isMissingScope || CLIENT_ERROR_STATUSES.has(status))) return;
    const endpoint = `${method} ${(route as { path?: string } | undefined)?.path ?? ''}`;
    this.failedCalls.record(caller.appId, {
      endpoint,
      errorCode: body.code ?? 'insufficient_scope',
      reason: body.error,
      ...(isMissingScope ? getScopeViolation(error, caller) : getRequestViolation(body)),
    });
  }
}

interface ErrorBody {
  error: string;
  code?: string;
  reason?: string;
  details?: Partial<ErrorDetail>[];
}

function getScopeViolation({ headers }: ApiError, { scopes }: Caller): Violation {
  const values = [headers['X-Accepted-OAuth-Scopes'] ?? ''];
  return { rule: 'scope', accepted: { source: 'required', values }, sent: [...scopes].join(' ') };
}

/** Requests contain personal data, so no values are recorded, only the names of unknown members. */
function getRequestViolation({ code = '', reason = '', details: [detail] = [] }: ErrorBody): Violation {
  if (detail?.code === 'unknown_member') return { rule: detail.code, sent: detail.path ?? '' };
  const path = detail?.path?.replace(/\d+/g, '#');
  return { rule: [code, reason, detail?.code, path].filter(Boolean).join(' ') };
}
