import type { Denial } from '../../platform/errors/denial.js';
import { type Account, ALL_REGIONS, isBlocked } from './account.entity.js';

/** Denial of every change by a blocked account. */
export const ACCOUNT_BLOCKED = {
  allowed: false,
  code: 'not_allowed',
  reason: 'account_blocked',
  message: 'This account is blocked. It can read, but it cannot change anything.',
} as const satisfies Denial;

/**
 * Returns a denial if the account is blocked. A blocked account can read, but cannot change
 * anything.
 */
export function checkNotBlocked(account: Account): typeof ACCOUNT_BLOCKED | null {
  return isBlocked(account) ? ACCOUNT_BLOCKED : null;
}

/** Denial where a person must have confirmed the e-mail address. */
export const EMAIL_UNCONFIRMED = {
  allowed: false,
  code: 'not_allowed',
  reason: 'email_unconfirmed',
  message: 'This person has not confirmed the e-mail address. The page /account/email sends another link.',
} as const satisfies Denial;

/**
 * Whether the account's role is valid in a region. Objects outside all regions require a role
 * everywhere.
 */
export function hasRoleInRegion(account: Account, regionId: string | null): boolean {
  return account.regions.includes(ALL_REGIONS) || (regionId !== null && account.regions.includes(regionId));
}
