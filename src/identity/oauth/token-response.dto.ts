import { ApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { constSchema, integerSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import type { Scope } from '../scopes/scopes.js';

/** The response of the token endpoint (RFC 6749 §5.1). */
@ApiSchema('TokenResponse', 'A pair of tokens (RFC 6749 §5.1).')
export class TokenResponse {
  @ResponseField(stringSchema('Opaque to you. It cannot be revoked.', 'eyJhbGciOiJFUzI1NiIs…'))
  access_token!: string;

  @ResponseField(constSchema('Bearer'))
  token_type!: 'Bearer';

  @ResponseField(integerSchema('Seconds for which the access token lives.', 3600, 1))
  expires_in!: number;

  @ResponseField(stringSchema('For the next pair: it works once, within 30 days.', 'sam_refresh_…'))
  refresh_token!: string;

  @ResponseField(stringSchema('What the access token is good for, separated by spaces.', 'openid markers:read'))
  scope!: string;

  @OptionalResponseField(
    stringSchema('Who the person is, where `openid` was granted; not at a refresh.', 'eyJhbGciOiJSUzI1NiIs…'),
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
