import { OAuthError } from './oauth-error.js';
import type { StoredToken } from './refresh-tokens-store.js';

/** Why a refresh token cannot be exchanged, as a developer is told. */
export const REFUSALS = {
  unknown:
    'There is no such refresh token: it is mistyped or cut short, or not a refresh token. The person must authorize again.',
  'of another app': 'This refresh token belongs to another app.',
  revoked: 'This refresh token was revoked. The person must authorize again.',
  used: 'This refresh token was already used. Use the one that came in exchange; without it the person must authorize again.',
  expired: 'This refresh token has expired. The person must authorize again.',
  blocked: 'The account of this person is blocked, so no app can act for them.',
} as const;

export type RefusedState = keyof typeof REFUSALS;

/** Where a refresh token stands (spec §3); undefined where it is valid. */
export function refusedState(token: StoredToken, now: Date): RefusedState | undefined {
  if (token.revokedAt) return 'revoked';
  if (token.usedAt) return 'used';
  if (token.expiresAt <= now) return 'expired';
  if (token.blockedAt) return 'blocked';
  return undefined;
}

export function invalidGrant(state: RefusedState): OAuthError {
  return new OAuthError('invalid_grant', REFUSALS[state]);
}
