import type { Account } from '../../accounts/account.entity.js';
import { coversScopes } from '../consents/consents.service.js';
import { OAuthError } from '../oauth-error.js';
import type { AuthorizationCode } from './authorization-code.entity.js';

/** Descriptions of the reasons for which an authorization code is rejected. */
export const CODE_REJECTION_MESSAGES = {
  unknown: 'There is no such code: it is mistyped or cut short. The person must authorize again.',
  client_mismatch: 'This code belongs to another app.',
  redirect_uri_mismatch: 'The redirect_uri is not the one that the code was sent to.',
  code_verifier_mismatch: 'The code_verifier does not fit the code_challenge of the authorization request.',
  used: 'This code was already used, so no refresh token that came from it works any more. The person must authorize again.',
  expired: 'This code has expired: exchange it within a minute. The person must authorize again.',
  consent_withdrawn: 'The person has taken back what this code stands for. The person must authorize again.',
  account_blocked: 'The account of this person is blocked, so no app can act for them.',
} as const;

/** Reason for which an authorization code is rejected. */
export type CodeRejection = keyof typeof CODE_REJECTION_MESSAGES;

/**
 * Returns why the state of a code, loaded with its consent, forbids the exchange; undefined if
 * nothing does.
 */
export function getCodeRejection(code: AuthorizationCode, account: Account, now: Date): CodeRejection | undefined {
  if (code.usedAt) return 'used';
  if (code.expiresAt <= now) return 'expired';
  if (code.consent.withdrawnAt || !coversScopes(code.consent, code.scopes)) return 'consent_withdrawn';
  if (account.blockedAt) return 'account_blocked';
  return undefined;
}

/**
 * Creates the `invalid_grant` error of a rejected code (RFC 6749 §5.2).
 * @param detail only for the app's developer
 */
export function createCodeRejectedError(rejection: CodeRejection, detail?: string): OAuthError {
  return new OAuthError('invalid_grant', CODE_REJECTION_MESSAGES[rejection], 400, {}, { detail });
}
