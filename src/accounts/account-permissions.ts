import type { Account } from './account.entity.js';
import { EVERYWHERE } from './account.entity.js';
import { ApiError } from '../http/api-error.js';

/** Why a person may not do something: a code for the app and a sentence for the person. */
export interface Refusal {
  reason: string;
  sentence: string;
}

export const BLOCKED: Refusal = {
  reason: 'account_blocked',
  sentence: 'This account is blocked, so nothing can be changed with it.',
};

/** A blocked person still reads while their access token lives, and changes nothing. */
export function mayWrite(person: Account): Refusal | null {
  return person.blockedAt ? BLOCKED : null;
}

/** Whether a person's role holds in a region; what lies in none is for those whose role holds everywhere. */
export function holdsIn(person: Account, regionId: string | null): boolean {
  return person.regions.includes(EVERYWHERE) || (regionId !== null && person.regions.includes(regionId));
}

/** 403 `not_allowed`, with the reason. */
export function refused({ reason, sentence }: Refusal): ApiError {
  return new ApiError(403, 'not_allowed', sentence, { reason });
}

/** @throws ApiError 403 `not_allowed` with the reason, where there is a refusal */
export function allow(refusal: Refusal | null): void {
  if (refusal) throw refused(refusal);
}
