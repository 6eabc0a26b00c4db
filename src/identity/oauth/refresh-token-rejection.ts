import { OAuthError } from './oauth-error.js';
import type { StoredRefreshToken } from './refresh-tokens.store.js';

/** Reasons for which a refresh token is invalid, with the descriptions for the developer. */
export const REFRESH_TOKEN_REJECTION_MESSAGES = {
  unknown:
    'There is no such refresh token: it is mistyped or cut short, or not a refresh token. The person must authorize again.',
  client_mismatch: 'This refresh token belongs to another app.',
  revoked: 'This refresh token was revoked. The person must authorize again.',
  used: 'This refresh token was already used. Use the one that came in exchange; without it the person must authorize again.',
  expired: 'This refresh token has expired. The person must authorize again.',
  account_blocked: 'The account of this person is blocked, so no app can act for them.',
} as const;

/** Reason for which a refresh token is invalid. */
export type RefreshTokenRejection = keyof typeof REFRESH_TOKEN_REJECTION_MESSAGES;

/** Returns the reason for which a token is invalid; undefined if it is valid. */
export function getRefreshTokenRejection(token: StoredRefreshToken, now: Date): RefreshTokenRejection | undefined {
  if (token.revokedAt) return 'revoked';
  if (token.usedAt) return 'used';
  if (token.expiresAt <= now) return 'expired';
  if (token.blockedAt) return 'account_blocked';
  return undefined;
}

/** Whether a token is valid now. */
export function isValidRefreshToken(token: StoredRefreshToken): boolean {
  return getRefreshTokenRejection(token, new Date()) === undefined;
}

/** Creates the `invalid_grant` error of a rejection. */
export function createInvalidGrantError(rejection: RefreshTokenRejection): OAuthError {
  return new OAuthError('invalid_grant', REFRESH_TOKEN_REJECTION_MESSAGES[rejection]);
}
