import { ApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { constSchema, integerSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import type { Scope } from '../scopes/scopes.js';

/** The response of the token endpoint (RFC 6749 §5.1). */
@ApiSchema('TokenResponse', 'New tokens (RFC 6749 §5.1).')
export class TokenResponse {
  @ResponseField(
    stringSchema('Access token. Treat it as an opaque string. It cannot be revoked.', 'eyJhbGciOiJFUzI1NiIs…'),
  )
  access_token!: string;

  @ResponseField(constSchema('Bearer', 'Type of the access token (RFC 6750).'))
  token_type!: 'Bearer';

  @ResponseField(integerSchema('Lifetime of the access token, in seconds.', 3600, 1))
  expires_in!: number;

  @ResponseField(
    stringSchema(
      'Refresh token for the next tokens. Valid for 30 days by default, one use. Store it first.',
      'sam_refresh_…',
    ),
  )
  refresh_token!: string;

  @ResponseField(stringSchema('Scopes of the access token, separated by spaces.', 'openid markers:read'))
  scope!: string;

  @OptionalResponseField(
    stringSchema(
      'ID token with claims about the person (OpenID Connect Core §2). Only for a code, and only with the scope `openid`.',
      'eyJhbGciOiJSUzI1NiIs…',
    ),
  )
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
