import type { FieldsOf } from './fields.decorator.js';

/** How an app says who it is in a body (RFC 6749 §2.3.1). */
const CREDENTIALS = ['client_id', 'client_secret'] as const;

/** The fields of all grants of the token endpoint; each grant says which it requires. */
export const TOKEN_FIELDS = [
  ...CREDENTIALS,
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
] as const;

/** RFC 7009 §2.1. A hint of the token's type is not needed, and so not read. */
export const REVOKE_FIELDS = [...CREDENTIALS, 'token'] as const;

export type AppCredentialsRequest = FieldsOf<typeof CREDENTIALS>;
export type TokenRequest = FieldsOf<typeof TOKEN_FIELDS>;
export type RevokeRequest = FieldsOf<typeof REVOKE_FIELDS>;
