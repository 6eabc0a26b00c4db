import { InlineApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { arraySchema, enumSchema, stringSchema } from '../../platform/openapi/json-schema.js';

/** A public key (RFC 7517 §4). */
@InlineApiSchema('A public key (RFC 7517).')
export class Jwk {
  @ResponseField(stringSchema('Its name.', 'key_1'))
  kid!: string;

  @ResponseField(enumSchema(['EC', 'RSA'], 'Its family.'))
  kty!: string;

  @ResponseField(enumSchema(['ES256', 'RS256'], 'What it signs with.'))
  alg!: string;

  @ResponseField(enumSchema(['sig'], 'What it is for.'))
  use!: string;

  @OptionalResponseField(stringSchema('Of a key by ES256.', 'P-256'))
  crv?: string;

  @OptionalResponseField(stringSchema('Of a key by ES256.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'))
  x?: string;

  @OptionalResponseField(stringSchema('Of a key by ES256.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'))
  y?: string;

  @OptionalResponseField(stringSchema('Of a key by RS256.', '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78…'))
  n?: string;

  @OptionalResponseField(stringSchema('Of a key by RS256.', 'AQAB'))
  e?: string;
}

/** The public keys that sign tokens (RFC 7517 §5). */
@InlineApiSchema('A set of keys (RFC 7517 §5).')
export class JwkSet {
  @ResponseField(arraySchema(Jwk))
  keys!: Jwk[];
}
