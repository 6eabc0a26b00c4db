import type { Account } from '../../accounts/account.entity.js';
import { coversScopes } from '../consents/consents.service.js';
import type { AuthorizationCode } from './authorization-code.entity.js';

/** Why an authorization code cannot be exchanged, as a developer is told. */
export const CODE_REJECTION_MESSAGES = {
  unknown: 'There is no such code: it is mistyped or cut short. The person must authorize again.',
  'of another app': 'This code belongs to another app.',
  'another address': 'The redirect_uri is not the one that the code was sent to.',
  'wrong verifier': 'The code_verifier does not fit the code_challenge of the authorization request.',
  used: 'This code was already used, so no refresh token that came from it works any more. The person must authorize again.',
  expired: 'This code has expired: exchange it within a minute. The person must authorize again.',
  withdrawn: 'The person has taken back what this code stands for. The person must authorize again.',
  blocked: 'The account of this person is blocked, so no app can act for them.',
} as const;

export type CodeRejection = keyof typeof CODE_REJECTION_MESSAGES;

/** Where a code stands, read with its consent; undefined where it can be exchanged. */
export function getCodeRejection(code: AuthorizationCode, account: Account, now: Date): CodeRejection | undefined {
  if (code.usedAt) return 'used';
  if (code.expiresAt <= now) return 'expired';
  if (code.consent.withdrawnAt || !coversScopes(code.consent, code.scopes)) return 'withdrawn';
  if (account.blockedAt) return 'blocked';
  return undefined;
}
