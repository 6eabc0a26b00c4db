import { OAuthError } from './oauth-error.js';
import type { StoredRefreshToken } from './refresh-tokens.store.js';

/** Why a refresh token cannot be exchanged, as a developer is told. */
export const REFRESH_TOKEN_REJECTION_MESSAGES = {
  unknown:
    'There is no such refresh token: it is mistyped or cut short, or not a refresh token. The person must authorize again.',
  'of another app': 'This refresh token belongs to another app.',
  revoked: 'This refresh token was revoked. The person must authorize again.',
  used: 'This refresh token was already used. Use the one that came in exchange; without it the person must authorize again.',
  expired: 'This refresh token has expired. The person must authorize again.',
  blocked: 'The account of this person is blocked, so no app can act for them.',
} as const;

export type RefreshTokenRejection = keyof typeof REFRESH_TOKEN_REJECTION_MESSAGES;

/** Where a refresh token stands (spec §3); undefined where it is valid. */
export function getRefreshTokenRejection(token: StoredRefreshToken, now: Date): RefreshTokenRejection | undefined {
  if (token.revokedAt) return 'revoked';
  if (token.usedAt) return 'used';
  if (token.expiresAt <= now) return 'expired';
  if (token.blockedAt) return 'blocked';
  return undefined;
}

export function createInvalidGrantError(state: RefreshTokenRejection): OAuthError {
  return new OAuthError('invalid_grant', REFRESH_TOKEN_REJECTION_MESSAGES[state]);
}
