import { isBlocked } from '../accounts/account.entity.js';
import type { App } from '../apps/app.entity.js';
import type { Resource } from '../scopes/resources.js';
import type { Scope } from '../scopes/scopes.js';
import type { Authorization } from './authorization.entity.js';
import type { Consent } from './consents/consent.entity.js';

/** A refresh token with the state of its authorization, account, app and consent. */
export interface StoredRefreshToken {
  digest: string;
  successorDigest: string | null;
  issuedAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  authorizationId: string;
  accountId: string;
  appId: string;
  authorizedAt: Date;
  /** Thumbprint of the key to which the token is bound; null without one. */
  dpopJkt: string | null;
  /** When all tokens of the chain end; null without `GRANT_LIFETIME`. */
  authorizationExpiresAt: Date | null;
  /** The granted scopes. */
  scopes: Scope[];
  /** The resources that an access token can be for. */
  resources: Resource[];
  /** The granted scopes that are allowed now. */
  allowedScopes: Scope[];
  /** The scopes of the app's registration and of the consent, as stored, to notice a change. */
  registeredScopes: string;
  consentedScopes: string | null;
  revokedAt: Date | null;
  blockedAt: Date | null;
  blockedUntil: Date | null;
}

/** Reasons for which a refresh token is invalid, with the descriptions for the developer. */
export const REFRESH_TOKEN_REJECTION_MESSAGES = {
  unknown:
    'refresh_token is unknown: it is incomplete, not a refresh token, or was deleted after it expired. The person must authorize again.',
  client_mismatch: 'refresh_token belongs to another app. Send it with the client_id that received it.',
  dpop_key_mismatch: 'refresh_token is bound to another key. Send a DPoP proof of the key that received it.',
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

/**
 * Returns the reason for which a token is invalid; undefined if it is valid. `IS_ROTATABLE_SQL` is
 * the same rule in SQL: change both.
 */
export function getRefreshTokenRejection(token: StoredRefreshToken, now: Date): RefreshTokenRejection | undefined {
  if (token.revokedAt) return 'revoked';
  if (token.authorizationExpiresAt && token.authorizationExpiresAt <= now) return 'authorization_expired';
  if (token.usedAt) return 'used';
  if (token.expiresAt <= now) return 'expired';
  if (isBlocked(token, now)) return 'account_blocked';
  if (token.allowedScopes.length === 0) return 'scopes_withdrawn';
  return undefined;
}

/** Joins the rows that decide about a refresh to the authorization `auth`. */
export const JOIN_STATE_SQL = `
  JOIN accounts account ON account.id = auth.account_id
  JOIN apps app ON app.id = auth.app_id
  LEFT JOIN consents consent
    ON consent.account_id = auth.account_id AND consent.app_id = auth.app_id AND consent.withdrawn_at IS NULL`;

/** The opposite of `isBlocked` in SQL: change both. */
const IS_NOT_BLOCKED_SQL = '(account.blocked_at IS NULL OR account.blocked_until <= CAST(:now AS bigint))';

/**
 * The rule of `getRefreshTokenRejection` in SQL. It decides at the commit, because each condition
 * may have changed since the token was found. Scopes that may have changed make it false, so that
 * no access token carries more scopes than are allowed at the commit. `found` is the token as it
 * was found. `:authorizedAfter` is the creation time of authorizations that reach their maximum age
 * now.
 */
export const IS_ROTATABLE_SQL = `
  refresh_tokens.used_at IS NULL AND refresh_tokens.expires_at > CAST(:now AS bigint) AND (
    SELECT auth.revoked_at IS NULL AND ${IS_NOT_BLOCKED_SQL}
      AND auth.created_at > CAST(:authorizedAfter AS bigint)
      AND app.scopes = found."registeredScopes"
      AND consent.scopes IS NOT DISTINCT FROM found."consentedScopes"
    FROM authorizations auth ${JOIN_STATE_SQL}
    WHERE auth.id = refresh_tokens.authorization_id
  )`;

/**
 * Returns the granted scopes that are allowed now: the app is still registered for them, and the
 * person still consents. Tokens of the operator have no consent.
 */
export function getAllowedScopes(
  { scopes, consentedAt }: Pick<Authorization, 'scopes' | 'consentedAt'>,
  app: Pick<App, 'scopes'>,
  consent: Pick<Consent, 'scopes'> | null,
): Scope[] {
  const consented = consentedAt === null ? scopes : (consent?.scopes ?? []);
  return scopes.filter((scope) => app.scopes.includes(scope) && consented.includes(scope));
}
