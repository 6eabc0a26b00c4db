import { ApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { arraySchema, enumSchema, stringSchema } from '../../platform/openapi/json-schema.js';

/** A public key (RFC 7517 §4). */
@ApiSchema('JsonWebKey', 'A public key (RFC 7517 §4).')
export class Jwk {
  @ResponseField(stringSchema('Key id. The header of a token names it as `kid`.', 'key_1'))
  kid!: string;

  @ResponseField(enumSchema(['EC', 'RSA'], 'Key type.'))
  kty!: string;

  @ResponseField(enumSchema(['ES256', 'RS256'], 'Signature algorithm of the key.'))
  alg!: string;

  @ResponseField(enumSchema(['sig'], 'Use of the key: `sig`, signatures.'))
  use!: string;

  @OptionalResponseField(stringSchema('Curve. Only with the key type `EC`.', 'P-256'))
  crv?: string;

  @OptionalResponseField(
    stringSchema('X coordinate, in base64url. Only with `EC`.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
  )
  x?: string;

  @OptionalResponseField(
    stringSchema('Y coordinate, in base64url. Only with `EC`.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
  )
  y?: string;

  @OptionalResponseField(
    stringSchema(
      'Modulus, in base64url. Only with the key type `RSA`.',
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78…',
    ),
  )
  n?: string;

  @OptionalResponseField(stringSchema('Exponent, in base64url. Only with `RSA`.', 'AQAB'))
  e?: string;
}

/** The public keys that sign tokens (RFC 7517 §5). */
@ApiSchema('JsonWebKeySet', 'The public signing keys of the service (RFC 7517 §5).')
export class JwkSet {
  @ResponseField(arraySchema(Jwk, 'Current keys, and keys of tokens that are still valid.'))
  keys!: Jwk[];
}
