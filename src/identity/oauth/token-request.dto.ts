import type { OAuthParamValues } from './oauth-params.decorator.js';

/** How an app says who it is in a body (RFC 6749 §2.3.1). */
const CLIENT_CREDENTIALS_PARAMS = ['client_id', 'client_secret'] as const;

/** The fields of all grants of the token endpoint; each grant says which it requires. */
export const TOKEN_PARAMS = [
  ...CLIENT_CREDENTIALS_PARAMS,
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
] as const;

/** RFC 7009 §2.1. A hint of the token's type is not needed, and so not read. */
export const REVOKE_PARAMS = [...CLIENT_CREDENTIALS_PARAMS, 'token'] as const;

export type ClientCredentialsRequest = OAuthParamValues<typeof CLIENT_CREDENTIALS_PARAMS>;
export type TokenRequest = OAuthParamValues<typeof TOKEN_PARAMS>;
export type RevokeRequest = OAuthParamValues<typeof REVOKE_PARAMS>;
