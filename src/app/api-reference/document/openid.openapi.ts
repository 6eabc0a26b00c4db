import { LogoutController } from '../../../identity/openid/logout.controller.js';
import { DiscoveryController } from '../../../identity/openid/discovery.controller.js';
import { JwksController } from '../../../identity/openid/jwks.controller.js';
import { buildProviderMetadata } from '../../../identity/openid/provider-metadata.js';
import { UserinfoController } from '../../../identity/openid/userinfo.controller.js';
import type { UserinfoClaims } from '../../../identity/openid/userinfo.service.js';
import { AuthorizeController } from '../../../identity/oauth/authorize/authorize.controller.js';
import { SCOPES } from '../../../identity/scopes/scopes.js';
import { MESSAGES_BY_LANGUAGE } from '../../../platform/i18n/language.js';
import { describeOperations, type ParameterDescription } from './describe-operations.js';
import {
  booleanSchema,
  idSchema,
  arraySchema,
  registerSchema,
  objectSchema,
  enumSchema,
  optional,
  registerObjectSchema,
  type JsonSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';

const optionalParameter = (description: string, example: string): ParameterDescription => ({
  schema: stringSchema(description, example),
});
const requiredParameter = (schema: JsonSchema): ParameterDescription => ({ schema, required: true });
const STATE_PARAMETER = optionalParameter('Comes back with the answer.', 'c0e1f9d2');
const EXAMPLE_ID_TOKEN = 'eyJhbGciOiJSUzI1NiIs…';

const AUTHORIZE_PARAMETERS: Record<string, ParameterDescription> = {
  response_type: requiredParameter(enumSchema(['code'], 'What is answered.')),
  client_id: requiredParameter(idSchema('app', 'The app.')),
  redirect_uri: requiredParameter(
    stringSchema('Where the answer goes, as registered.', 'http://127.0.0.1:4000/callback'),
  ),
  scope: requiredParameter(
    stringSchema(`What is asked for, separated by spaces: ${Object.keys(SCOPES).join(', ')}.`, 'openid markers:read'),
  ),
  code_challenge: {
    schema: {
      type: 'string',
      pattern: '^[\\w-]{43}$',
      description:
        'The SHA-256 of a code_verifier, in base64url (RFC 7636). Needed, unless the app’s settings say otherwise.',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    },
  },
  code_challenge_method: { schema: enumSchema(['S256'], 'How it was made.') },
  state: STATE_PARAMETER,
  nonce: optionalParameter('Comes back in the id token.', 'n-0S6_WzA2Mj'),
  prompt: optionalParameter('`none`, or some of `login`, `consent`, `select_account`.', 'consent'),
  max_age: optionalParameter('Seconds since the person last signed in, at most.', '3600'),
  login_hint: optionalParameter('Who it may be.', 'mila'),
  id_token_hint: optionalParameter('Who it should be.', EXAMPLE_ID_TOKEN),
  ui_locales: optionalParameter(`In which language: ${Object.keys(MESSAGES_BY_LANGUAGE).join(', ')}.`, 'fr'),
  response_mode: { schema: enumSchema(['query'], 'How the answer comes.') },
};

const LOGOUT_PARAMETERS: Record<string, ParameterDescription> = {
  id_token_hint: optionalParameter('An id token that the app was given. With it, nobody is asked.', EXAMPLE_ID_TOKEN),
  client_id: { schema: idSchema('app', 'The app, where the key of the id token may be gone.') },
  post_logout_redirect_uri: optionalParameter('Where to go on to, as registered.', 'https://wallwalker.example/bye'),
  state: STATE_PARAMETER,
  ui_locales: AUTHORIZE_PARAMETERS['ui_locales']!,
};

/** The same parameters as the fields of a form. */
const toFormSchema = (parameters: Record<string, ParameterDescription>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema])),
  required: Object.entries(parameters).flatMap(([name, { required }]) => (required ? [name] : [])),
});

const OPENID_CONTROLLER_DESCRIPTION = { tag: 'OpenID Connect' };

describeOperations(
  AuthorizeController,
  { tag: 'OAuth' },
  {
    handleGet: {
      operationId: 'authorize',
      summary: 'Ask a person to let an app act for them',
      description:
        'Send the person there. They sign in and choose, and come back to `redirect_uri` with `code`, or with `error`, and with `state` and `iss`.',
      query: AUTHORIZE_PARAMETERS,
    },
    redirectPostToGet: {
      operationId: 'authorizeByForm',
      summary: 'The same by a form',
      description: 'Goes on as a link (OpenID Connect Core §3.1.2.1).',
      formSchema: toFormSchema(AUTHORIZE_PARAMETERS),
    },
  },
);

describeOperations(LogoutController, OPENID_CONTROLLER_DESCRIPTION, {
  handleGet: {
    operationId: 'logout',
    summary: 'Sign a person out',
    description:
      'Send the person there (OpenID Connect RP-Initiated Logout 1.0). Without a token of theirs they are asked.',
    query: LOGOUT_PARAMETERS,
  },
  redirectPostToGet: {
    operationId: 'logoutByForm',
    summary: 'The same by a form',
    description: 'Goes on as a link.',
    formSchema: toFormSchema(LOGOUT_PARAMETERS),
  },
});

const CLAIMS = registerObjectSchema<UserinfoClaims>(
  'Claims',
  'What the app may know of the person (OpenID Connect Core §5.1).',
  {
    sub: idSchema('usr', 'Who it is. Know people by this; all else may change.'),
    name: optional(stringSchema('With `profile`.', 'Mila Horvat')),
    preferred_username: optional(stringSchema('With `profile`: by which the others know them.', 'mila')),
    picture: optional(stringSchema('With `profile`, where there is one.', 'https://images.example/mila.jpg')),
    updated_at: optional(
      integerSchema('With `profile`: when any of it changed last, in seconds since 1970.', 1_763_625_600),
    ),
    email: optional(stringSchema('With `email`.', 'mila@example.org')),
    email_verified: optional(booleanSchema('With `email`.', true)),
  },
);

const USERINFO_OPERATION = { summary: 'Look up who the person is', response: CLAIMS };

describeOperations(UserinfoController, OPENID_CONTROLLER_DESCRIPTION, {
  get: { operationId: 'getUserinfo', ...USERINFO_OPERATION },
  post: {
    operationId: 'postUserinfo',
    ...USERINFO_OPERATION,
    description: 'The token may stand in a form instead (RFC 6750 §2.2).',
    formSchema: {
      type: 'object',
      properties: { access_token: stringSchema('The access token.', 'eyJhbGciOiJFUzI1NiIs…') },
    },
  },
});

interface Jwk {
  kid: string;
  kty: string;
  alg: string;
  use: string;
  crv?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
}

const JWK = objectSchema<Jwk>('A public key (RFC 7517).', {
  kid: stringSchema('Its name.', 'key_1'),
  kty: enumSchema(['EC', 'RSA'], 'Its family.'),
  alg: enumSchema(['ES256', 'RS256'], 'What it signs with.'),
  use: enumSchema(['sig'], 'What it is for.'),
  crv: optional(stringSchema('Of a key by ES256.', 'P-256')),
  x: optional(stringSchema('Of a key by ES256.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU')),
  y: optional(stringSchema('Of a key by ES256.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0')),
  n: optional(stringSchema('Of a key by RS256.', '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78…')),
  e: optional(stringSchema('Of a key by RS256.', 'AQAB')),
});

describeOperations(JwksController, OPENID_CONTROLLER_DESCRIPTION, {
  getKeySet: {
    operationId: 'getKeys',
    summary: 'The public keys that sign our tokens',
    response: objectSchema<{ keys: Jwk[] }>('A set of keys (RFC 7517 §5).', { keys: arraySchema(JWK) }),
  },
});

const EXAMPLE_METADATA = buildProviderMetadata('https://map.example.org');

/** Each member as it is told here, by its kind of value. */
const METADATA_SCHEMA = registerSchema('Metadata', {
  type: 'object',
  description: 'What a client needs to know of us (RFC 8414, OpenID Connect Discovery 1.0).',
  properties: Object.fromEntries(
    Object.entries(EXAMPLE_METADATA).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? { type: 'array', items: { type: 'string' }, examples: [value] }
        : { type: typeof value, examples: [value] },
    ]),
  ),
  required: Object.keys(EXAMPLE_METADATA),
});

describeOperations(DiscoveryController, OPENID_CONTROLLER_DESCRIPTION, {
  getOpenidConfiguration: {
    operationId: 'discoverOpenid',
    summary: 'What we do, for clients of OpenID Connect',
    response: METADATA_SCHEMA,
  },
  getAuthorizationServerMetadata: {
    operationId: 'discoverOauth',
    summary: 'What we do, for clients of OAuth',
    response: METADATA_SCHEMA,
  },
});
