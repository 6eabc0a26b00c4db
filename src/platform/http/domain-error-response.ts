import type { DomainError, DomainErrorKind } from '../errors/domain-error.js';
import { ApiError } from './api-error.js';

const STATUSES: Record<DomainErrorKind, number> = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  unprocessable: 422,
  rate_limited: 429,
};

/** Returns the HTTP status of a domain error. */
export function getErrorStatus({ kind }: DomainError): number {
  return STATUSES[kind];
}

/** Returns the headers of a domain error: when to retry. */
export function getErrorHeaders({ retryAfterSeconds }: DomainError): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
}

/** Creates the error response of the resource APIs for a domain error. */
export function toApiError(error: DomainError): ApiError {
  const { code, message, reason, details } = error;
  return new ApiError(getErrorStatus(error), code, message, {
    ...(reason !== undefined && { reason }),
    ...(details && { details }),
    headers: getErrorHeaders(error),
  });
}
