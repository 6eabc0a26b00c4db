import { OAuthError } from './oauth-error.js';
import type { StoredRefreshToken } from './refresh-tokens.store.js';

/** Reasons for which a refresh token is invalid, with the descriptions for the developer. */
export const REFRESH_TOKEN_REJECTION_MESSAGES = {
  unknown:
    'refresh_token is unknown: it is incomplete, not a refresh token, or was deleted after it expired. The person must authorize again.',
  client_mismatch: 'refresh_token belongs to another app. Send it with the client_id that received it.',
  revoked: 'refresh_token was revoked. The person must authorize again.',
  authorization_expired:
    'refresh_token belongs to an authorization at its maximum age. The person must authorize again.',
  used: 'refresh_token was already used. Use the refresh_token that replaced it; without it, the person must authorize again.',
  reused:
    'refresh_token was already used, so the refresh tokens of this sign-in were revoked. The person must authorize again.',
  expired: 'refresh_token has expired. The person must authorize again.',
  account_blocked: 'The account of this person is blocked. No app can act for this person.',
  scopes_withdrawn:
    'No scope of this refresh_token is allowed now: the person withdrew them, or the app is no longer registered for them. The person must authorize again.',
} as const;

/** Reason for which a refresh token is invalid. */
export type RefreshTokenRejection = keyof typeof REFRESH_TOKEN_REJECTION_MESSAGES;

/** Returns the reason for which a token is invalid; undefined if it is valid. */
export function getRefreshTokenRejection(token: StoredRefreshToken, now: Date): RefreshTokenRejection | undefined {
  if (token.revokedAt) return 'revoked';
  if (token.authorizationExpiresAt && token.authorizationExpiresAt <= now) return 'authorization_expired';
  if (token.usedAt) return 'used';
  if (token.expiresAt <= now) return 'expired';
  if (token.blockedAt) return 'account_blocked';
  if (token.allowedScopes.length === 0) return 'scopes_withdrawn';
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
