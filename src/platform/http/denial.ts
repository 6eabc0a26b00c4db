import { ApiError } from './api-error.js';

/**
 * Result of a domain rule that forbids an action. A rule returns it instead of throwing an HTTP
 * error.
 */
export interface Denial<Code extends string = string> {
  allowed: false;
  /** Error code of the response, in snake_case. */
  code: Code;
  /** Message for developers and users. */
  message: string;
  /** Rule that forbids the action, in snake_case, where one code covers several rules. */
  reason?: string;
  /** Items of the response member `details`, for example the fields that conflict. */
  details?: unknown[];
}

/** Creates a denial with code `not_allowed`: the person's own permissions forbid the action. */
export function denyPermission(reason: string, message: string): Denial<'not_allowed'> {
  return { allowed: false, code: 'not_allowed', message, reason };
}

/** Maps a denial to the API error with its code, message, reason and details. */
export function toApiError({ code, message, reason, details }: Denial, status: number): ApiError {
  return new ApiError(status, code, message, { ...(reason && { reason }), ...(details && { details }) });
}

/** Maps a denial to an API error with status 403. */
export function toForbiddenError(denial: Denial): ApiError {
  return toApiError(denial, 403);
}

/** @throws ApiError 403 if there is a denial */
export function assertAllowed(denial: Denial | null): void {
  if (denial) throw toForbiddenError(denial);
}
