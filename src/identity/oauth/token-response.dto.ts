import type { Scope } from '../scopes/scopes.js';

/** The response of the token endpoint (RFC 6749 §5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** The lifetime of the access token in seconds. */
  expires_in: number;
  refresh_token: string;
  /** The scopes of the access token, separated by spaces. */
  scope: string;
  /** Only in the response to an authorization code, if `openid` was granted. */
  id_token?: string;
}

/** New tokens, with the lifetime and the scopes of the access token. */
export interface TokenPair {
  accessToken: string;
  lifetimeSeconds: number;
  refreshToken: string;
  scopes: Scope[];
}

/** Maps new tokens to the response. */
export function toTokenResponse({ accessToken, lifetimeSeconds, refreshToken, scopes }: TokenPair): TokenResponse {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}
