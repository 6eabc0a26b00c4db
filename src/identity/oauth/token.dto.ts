import {
  ApiSchema,
  OptionalResponseField,
  RequestField,
  ResponseField,
} from '../../platform/openapi/api-schema.decorator.js';
import { IsOptional, IsString } from 'class-validator';
import { enumSchema, integerSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import type { Scope } from '../scopes/scopes.js';

/** The client credentials in a body (RFC 6749 §2.3.1). */
export class ClientCredentialsDto {
  @RequestField(
    'Id of the app. Omit it if the `Authorization` header contains it (HTTP Basic).',
    'app_01JDEM00000000000000000010',
  )
  @IsOptional()
  @IsString()
  client_id?: string;

  @RequestField('Secret of the app. Omit it if the `Authorization` header contains it (HTTP Basic).', 'sam_secret_…')
  @IsOptional()
  @IsString()
  client_secret?: string;
}

/** The parameters of all grants of the token endpoint. Each grant checks which ones it requires. */
export class TokenRequestDto extends ClientCredentialsDto {
  @RequestField('Grant type: the credential that the app exchanges for tokens.', 'authorization_code', {
    enum: ['authorization_code', 'refresh_token'],
  })
  @IsOptional()
  @IsString()
  grant_type?: string;

  @RequestField('Authorization code. Required with `authorization_code`. Valid for 60 seconds, one use.', 'sam_code_…')
  @IsOptional()
  @IsString()
  code?: string;

  @RequestField(
    'Redirect URI of the authorization request, unchanged. Required with `authorization_code`, unless the request ' +
      'used PKCE.',
    'http://127.0.0.1:4000/callback',
  )
  @IsOptional()
  @IsString()
  redirect_uri?: string;

  @RequestField(
    'Value from which the app computed `code_challenge` (RFC 7636 §4.1): 43 to 128 characters. ' +
      'Required with `authorization_code`, unless the app is registered without PKCE.',
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  )
  @IsOptional()
  @IsString()
  code_verifier?: string;

  @RequestField('Refresh token. Required with `refresh_token`. Valid for 30 days by default, one use.', 'sam_refresh_…')
  @IsOptional()
  @IsString()
  refresh_token?: string;

  @RequestField(
    'Scopes of the new access token, separated by spaces. Only with `refresh_token`. The default is every granted ' +
      'scope. The refresh token keeps all granted scopes.',
    'markers:read',
  )
  @IsOptional()
  @IsString()
  scope?: string;

  @RequestField(
    'URL of the API or of the MCP server, for which the access token is valid (RFC 8707). It must be a `resource` ' +
      'of the authorization request. The default is the API, unless that request named only the MCP server.',
    'https://map.example.org/api',
  )
  @IsOptional()
  @IsString()
  resource?: string;
}

/**
 * The parameters of the revocation endpoint (RFC 7009 §2.1). The service needs no `token_type_hint`
 * and ignores it.
 */
export class RevokeRequestDto extends ClientCredentialsDto {
  @RequestField('Refresh token to revoke.', 'sam_refresh_…')
  @IsOptional()
  @IsString()
  token?: string;
}

/** The response of the token endpoint (RFC 6749 §5.1). */
@ApiSchema('TokenResponse', 'New tokens (RFC 6749 §5.1).')
export class TokenResponse {
  @ResponseField(
    stringSchema('Access token. Treat it as an opaque string. It cannot be revoked.', 'eyJhbGciOiJFUzI1NiIs…'),
  )
  access_token!: string;

  @ResponseField(
    enumSchema(
      ['Bearer', 'DPoP'],
      'Type of the access token: `Bearer` (RFC 6750), or `DPoP` if the request had a proof (RFC 9449).',
    ),
  )
  token_type!: 'Bearer' | 'DPoP';

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
  /** Thumbprint of the key to which the access token is bound. */
  jkt?: string | undefined;
}

/** Maps new tokens to the response. */
export function toTokenResponse({ accessToken, lifetimeSeconds, refreshToken, scopes, jkt }: TokenPair): TokenResponse {
  return {
    access_token: accessToken,
    token_type: jkt === undefined ? 'Bearer' : 'DPoP',
    expires_in: lifetimeSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}

/** The body of an error response of the token and revocation endpoints (RFC 6749 §5.2). */
@ApiSchema('OAuthError', 'An error of the token or revocation endpoint (RFC 6749 §5.2).')
export class OAuthErrorResponse {
  @ResponseField(stringSchema('Error code for programs (RFC 6749 §5.2).', 'invalid_grant'))
  error!: string;

  @ResponseField(
    stringSchema(
      'Cause of the error, for the developer of the app. The wording can change.',
      'refresh_token has expired. The person must authorize again.',
    ),
  )
  error_description!: string;
}
