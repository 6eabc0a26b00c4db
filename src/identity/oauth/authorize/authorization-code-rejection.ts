import { createHash } from 'node:crypto';
import { isEqualDigest } from '../../../platform/crypto/opaque-secret.js';
import { type Account, isBlocked } from '../../accounts/account.entity.js';
import type { App } from '../../apps/app.entity.js';
import type { Scope } from '../../scopes/scopes.js';
import { coversScopes } from '../consents/consents.service.js';
import type { AuthorizationCode } from './authorization-code.entity.js';

/** Descriptions of the reasons for which an authorization code is rejected. */
export const CODE_REJECTION_MESSAGES = {
  unknown:
    'code is unknown: it is incomplete, not a code, or was deleted after it expired. The person must authorize again.',
  client_mismatch: 'code belongs to another app. Send it with the client_id that requested it.',
  redirect_uri_mismatch: 'redirect_uri does not match the authorization request. Send the same value in both requests.',
  code_verifier_mismatch:
    'code_verifier does not match the code_challenge of the authorization request. Send the verifier of that request.',
  dpop_key_mismatch: 'code is bound to another key by dpop_jkt. Send a DPoP proof of that key with the token request.',
  used: 'code was already used, so its refresh tokens were revoked. The person must authorize again.',
  expired: 'code has expired. The person must authorize again. Exchange each code within 60 seconds.',
  consent_withdrawn:
    'code is no longer valid, because the person withdrew the consent. The person must authorize again.',
  scopes_not_registered:
    'No scope of this code is allowed now, because the app is no longer registered for them. The person must authorize again.',
  account_blocked: 'The account of this person is blocked. No app can act for this person.',
} as const;

/** Reason for which an authorization code is rejected. */
export type CodeRejection = keyof typeof CODE_REJECTION_MESSAGES;

/** Parameters of the token request that must match the code. */
export interface CodeExchangeParams {
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
  /** Thumbprint of the key of the DPoP proof. */
  jkt: string | undefined;
}

/** Returns why a token request does not match its code; undefined if it matches. */
export function getCodeMismatch(
  { appId, redirectUri, codeChallenge, dpopJkt }: AuthorizationCode,
  app: Pick<App, 'id'>,
  params: CodeExchangeParams,
): Extract<CodeRejection, `${string}_mismatch`> | undefined {
  if (appId !== app.id) return 'client_mismatch';
  if (params.redirectUri !== undefined && redirectUri !== params.redirectUri) return 'redirect_uri_mismatch';
  if (!isValidCodeVerifier(codeChallenge, params.codeVerifier)) return 'code_verifier_mismatch';
  return dpopJkt === null || dpopJkt === params.jkt ? undefined : 'dpop_key_mismatch';
}

/**
 * Returns why the state of a code, loaded with its consent, forbids the exchange; undefined if
 * nothing does.
 */
export function getCodeRejection(
  code: AuthorizationCode,
  app: Pick<App, 'scopes'>,
  account: Account,
  now: Date,
): CodeRejection | undefined {
  // Checked before the reuse, because the audit log would record a reuse with an IP address.
  if (account.deletedAt) return 'consent_withdrawn';
  if (code.usedAt) return 'used';
  if (code.expiresAt <= now) return 'expired';
  if (code.consent.withdrawnAt || !coversScopes(code.consent, code.scopes)) return 'consent_withdrawn';
  if (isBlocked(account, now)) return 'account_blocked';
  if (getRegisteredScopes(code, app).length === 0) return 'scopes_not_registered';
  return undefined;
}

/** Returns the scopes of a code for which the app is still registered. */
export function getRegisteredScopes({ scopes }: AuthorizationCode, app: Pick<App, 'scopes'>): Scope[] {
  return scopes.filter((scope) => app.scopes.includes(scope));
}

/**
 * Verifies a PKCE code verifier with S256 (RFC 7636 §4.6). If the request had no challenge, a
 * verifier is rejected, which prevents a PKCE downgrade (RFC 9700 §4.8.2).
 */
export function isValidCodeVerifier(codeChallenge: string | null, codeVerifier: string | undefined): boolean {
  if (codeChallenge === null) return codeVerifier === undefined;
  if (codeVerifier === undefined) return false;
  return isEqualDigest(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}
