import { HttpException } from '@nestjs/common';
import type { ValidationDetail } from './error-response.dto.js';

/** One violation of a rule, in the `details` of an error response. */
export type ErrorDetail = ValidationDetail;

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

/** Creates the 404 for a public resource that does not exist. */
export function createNotFoundError(resource: string): ApiError {
  return new ApiError(404, 'not_found', `This ${resource} does not exist. Check the id.`);
}

/** Creates the 404 for a resource that does not exist or that the caller cannot read. */
export function createNotVisibleError(resource: string): ApiError {
  return new ApiError(404, 'not_found', `This ${resource} does not exist, or this person and app cannot read it.`);
}

/** Creates the 410 for a deleted resource. */
export function createGoneError(resource: string, reason?: string): ApiError {
  return new ApiError(410, 'gone', `This ${resource} was deleted.`, reason ? { reason } : {});
}
