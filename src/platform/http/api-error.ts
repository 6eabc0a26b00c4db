import { HttpException } from '@nestjs/common';
import { ApiSchema, ResponseField } from '../openapi/api-schema.decorator.js';
import { stringSchema } from '../openapi/json-schema.js';
import type { DomainError, DomainErrorKind } from '../errors/domain-error.js';

/** A validation error of one member of a request. */
@ApiSchema('ValidationDetail', 'A member of the request that is not valid.')
export class ValidationDetail {
  @ResponseField(stringSchema('Path of the member, with dots.', 'changes.title'))
  path!: string;

  @ResponseField(stringSchema('Rule that the member breaks, for programs.', 'is_string'))
  code!: string;

  @ResponseField(
    stringSchema(
      'Rule that the member breaks, as a sentence. The wording can change.',
      'changes.title must be a string.',
    ),
  )
  message!: string;
}

interface ApiErrorOptions {
  /** Why the user may not do this, in snake_case. */
  reason?: string;
  details?: unknown[];
  headers?: Record<string, string>;
}

/** An error response of the resource APIs: a message for developers and a code for programs. */
export class ApiError extends HttpException {
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string | undefined,
    message: string,
    { headers = {}, ...members }: ApiErrorOptions = {},
  ) {
    super({ error: message, ...(code && { code }), ...members }, status);
    this.message = message;
    this.headers = headers;
  }
}

const STATUSES: Record<DomainErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
};

/** Returns the HTTP status of a domain error. */
export function getErrorStatus({ kind }: DomainError): number {
  return STATUSES[kind];
}

/**
 * Returns the headers of a domain error: when to retry, and why a token is rejected (RFC 6750 §3).
 */
export function getErrorHeaders(error: DomainError): Record<string, string> {
  const { kind, message, retryAfterSeconds, rateLimitHeaders } = error;
  return {
    ...rateLimitHeaders,
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    ...(kind === 'unauthenticated' && {
      'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"`,
    }),
  };
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
