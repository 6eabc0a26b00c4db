import type { Scope } from '../scopes/scopes.js';

/** The answer of the token endpoint (RFC 6749 §5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  /** What the access token is good for, separated by spaces. */
  scope: string;
  /** Where `openid` was granted; not at a refresh. */
  id_token?: string;
}

/** A pair of tokens, and what the access token of it is good for and how long, in seconds. */
export interface TokenPair {
  accessToken: string;
  lifetimeSeconds: number;
  refreshToken: string;
  scopes: Scope[];
}

export function toTokenResponse({ accessToken, lifetimeSeconds, refreshToken, scopes }: TokenPair): TokenResponse {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}
