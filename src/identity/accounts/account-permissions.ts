import { type Denial, toForbiddenError as mapToForbiddenError } from '../../platform/http/denial.js';
import type { ApiError } from '../../platform/http/api-error.js';
import { type Account, ALL_REGIONS } from './account.entity.js';

/** Denial of every change by a blocked account. */
export const ACCOUNT_BLOCKED = {
  allowed: false,
  code: 'not_allowed',
  reason: 'account_blocked',
  message: 'This account is blocked, so nothing can be changed with it.',
} as const satisfies Denial;

/**
 * Returns a denial if the account is blocked. A blocked account can read, but cannot change
 * anything.
 */
export function checkNotBlocked(account: Account): typeof ACCOUNT_BLOCKED | null {
  return account.blockedAt ? ACCOUNT_BLOCKED : null;
}

/**
 * Whether the account's role is valid in a region. Objects outside all regions require a role
 * everywhere.
 */
export function hasRoleInRegion(account: Account, regionId: string | null): boolean {
  return account.regions.includes(ALL_REGIONS) || (regionId !== null && account.regions.includes(regionId));
}

/** Denial without its code. @deprecated use `Denial` of platform/http/denial.ts */
export type PermissionDenial = Pick<Denial, 'message'> & { reason: string };

/** Maps a permission denial to 403 `not_allowed`. @deprecated use platform/http/denial.ts */
export function toForbiddenError({ reason, message }: PermissionDenial): ApiError {
  return mapToForbiddenError({ allowed: false, code: 'not_allowed', message, reason });
}

/**
 * @deprecated use platform/http/denial.ts; @throws ApiError 403 `not_allowed` if there is a denial
 */
export function assertAllowed(denial: PermissionDenial | null): void {
  if (denial) throw toForbiddenError(denial);
}
