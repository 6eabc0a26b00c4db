import type { Account } from './account.entity.js';
import { ALL_REGIONS } from './account.entity.js';
import { ApiError } from '../../platform/http/api-error.js';

/** Why a person may not do something: a code for the app and a sentence for the person. */
export interface PermissionDenial {
  reason: string;
  message: string;
}

export const ACCOUNT_BLOCKED: PermissionDenial = {
  reason: 'account_blocked',
  message: 'This account is blocked, so nothing can be changed with it.',
};

/** A blocked person still reads while their access token lives, and changes nothing. */
export function checkNotBlocked(person: Account): PermissionDenial | null {
  return person.blockedAt ? ACCOUNT_BLOCKED : null;
}

/** Whether a person's role holds in a region; what lies in none is for those whose role holds everywhere. */
export function hasRoleInRegion(person: Account, regionId: string | null): boolean {
  return person.regions.includes(ALL_REGIONS) || (regionId !== null && person.regions.includes(regionId));
}

/** 403 `not_allowed`, with the reason. */
export function toForbiddenError({ reason, message }: PermissionDenial): ApiError {
  return new ApiError(403, 'not_allowed', message, { reason });
}

/** @throws ApiError 403 `not_allowed` with the reason, where there is a refusal */
export function assertAllowed(refusal: PermissionDenial | null): void {
  if (refusal) throw toForbiddenError(refusal);
}
