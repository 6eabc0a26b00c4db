import { DomainError, type DomainErrorKind } from './domain-error.js';

/**
 * Result of a domain rule that forbids an action. A rule returns it instead of throwing an error.
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
  details?: object[];
  /** Seconds until the action is allowed again. */
  retryAfterSeconds?: number;
}

/** Creates a denial with code `not_allowed`: the person's own permissions forbid the action. */
export function denyPermission(reason: string, message: string): Denial<'not_allowed'> {
  return { allowed: false, code: 'not_allowed', message, reason };
}

/** Maps a denial to the error with its code, message and other members. */
export function toDomainError(
  { code, message, reason, details, retryAfterSeconds }: Denial,
  kind: DomainErrorKind,
): DomainError {
  return new DomainError(kind, code, message, {
    ...(reason && { reason }),
    ...(details && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Maps a denial to the error of a person who may not do something. */
export function toForbiddenError(denial: Denial): DomainError {
  return toDomainError(denial, 'forbidden');
}

/** @throws DomainError `forbidden` if there is a denial */
export function assertAllowed(denial: Denial | null): void {
  if (denial) throw toForbiddenError(denial);
}
