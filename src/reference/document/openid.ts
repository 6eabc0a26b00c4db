import { LogoutController } from '../../openid/logout.controller.js';
import { DiscoveryController } from '../../openid/discovery.controller.js';
import { JwksController } from '../../openid/jwks.controller.js';
import { metadata } from '../../openid/metadata.js';
import { UserinfoController } from '../../openid/userinfo.controller.js';
import type { Claims } from '../../openid/userinfo.service.js';
import { AuthorizeController } from '../../oauth/authorize/authorize.controller.js';
import { SCOPES } from '../../scopes/catalogue.js';
import { LANGUAGES } from '../../words/language.js';
import { describe, type Parameter } from './describe.js';
import { flag, idOf, listOf, named, object, oneOf, optional, record, type Schema, text, whole } from './schema.js';

const asked = (description: string, example: string): Parameter => ({ schema: text(description, example) });
const needed = (schema: Schema): Parameter => ({ schema, required: true });
const STATE = asked('Comes back with the answer.', 'c0e1f9d2');
const ID_TOKEN = 'eyJhbGciOiJSUzI1NiIs…';

const AUTHORIZE: Record<string, Parameter> = {
  response_type: needed(oneOf(['code'], 'What is answered.')),
  client_id: needed(idOf('app', 'The app.')),
  redirect_uri: needed(text('Where the answer goes, as registered.', 'http://127.0.0.1:4000/callback')),
  scope: needed(
    text(`What is asked for, separated by spaces: ${Object.keys(SCOPES).join(', ')}.`, 'openid markers:read'),
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
  code_challenge_method: { schema: oneOf(['S256'], 'How it was made.') },
  state: STATE,
  nonce: asked('Comes back in the id token.', 'n-0S6_WzA2Mj'),
  prompt: asked('`none`, or some of `login`, `consent`, `select_account`.', 'consent'),
  max_age: asked('Seconds since the person last signed in, at most.', '3600'),
  login_hint: asked('Who it may be.', 'mila'),
  id_token_hint: asked('Who it should be.', ID_TOKEN),
  ui_locales: asked(`In which language: ${Object.keys(LANGUAGES).join(', ')}.`, 'fr'),
  response_mode: { schema: oneOf(['query'], 'How the answer comes.') },
};

const LOGOUT: Record<string, Parameter> = {
  id_token_hint: asked('An id token that the app was given. With it, nobody is asked.', ID_TOKEN),
  client_id: { schema: idOf('app', 'The app, where the key of the id token may be gone.') },
  post_logout_redirect_uri: asked('Where to go on to, as registered.', 'https://wallwalker.example/bye'),
  state: STATE,
  ui_locales: AUTHORIZE['ui_locales']!,
};

/** The same parameters as the fields of a form. */
const formOf = (parameters: Record<string, Parameter>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema])),
  required: Object.entries(parameters).flatMap(([name, { required }]) => (required ? [name] : [])),
});

const OPENID = { tag: 'OpenID Connect' };

describe(
  AuthorizeController,
  { tag: 'OAuth' },
  {
    begin: {
      id: 'authorize',
      summary: 'Ask a person to let an app act for them',
      description:
        'Send the person there. They sign in and choose, and come back to `redirect_uri` with `code`, or with `error`, and with `state` and `iss`.',
      query: AUTHORIZE,
    },
    beginByForm: {
      id: 'authorizeByForm',
      summary: 'The same by a form',
      description: 'Goes on as a link (OpenID Connect Core §3.1.2.1).',
      form: formOf(AUTHORIZE),
    },
  },
);

describe(LogoutController, OPENID, {
  begin: {
    id: 'logout',
    summary: 'Sign a person out',
    description:
      'Send the person there (OpenID Connect RP-Initiated Logout 1.0). Without a token of theirs they are asked.',
    query: LOGOUT,
  },
  beginByForm: {
    id: 'logoutByForm',
    summary: 'The same by a form',
    description: 'Goes on as a link.',
    form: formOf(LOGOUT),
  },
});

const CLAIMS = record<Claims>('Claims', 'What the app may know of the person (OpenID Connect Core §5.1).', {
  sub: idOf('usr', 'Who it is. Know people by this; all else may change.'),
  name: optional(text('With `profile`.', 'Mila Horvat')),
  preferred_username: optional(text('With `profile`: by which the others know them.', 'mila')),
  picture: optional(text('With `profile`, where there is one.', 'https://images.example/mila.jpg')),
  updated_at: optional(whole('With `profile`: when any of it changed last, in seconds since 1970.', 1_763_625_600)),
  email: optional(text('With `email`.', 'mila@example.org')),
  email_verified: optional(flag('With `email`.', true)),
});

const USERINFO = { summary: 'Look up who the person is', answer: CLAIMS };

describe(UserinfoController, OPENID, {
  get: { id: 'getUserinfo', ...USERINFO },
  post: {
    id: 'postUserinfo',
    ...USERINFO,
    description: 'The token may stand in a form instead (RFC 6750 §2.2).',
    form: { type: 'object', properties: { access_token: text('The access token.', 'eyJhbGciOiJFUzI1NiIs…') } },
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

const JWK = object<Jwk>('A public key (RFC 7517).', {
  kid: text('Its name.', 'key_1'),
  kty: oneOf(['EC', 'RSA'], 'Its family.'),
  alg: oneOf(['ES256', 'RS256'], 'What it signs with.'),
  use: oneOf(['sig'], 'What it is for.'),
  crv: optional(text('Of a key by ES256.', 'P-256')),
  x: optional(text('Of a key by ES256.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU')),
  y: optional(text('Of a key by ES256.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0')),
  n: optional(text('Of a key by RS256.', '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78…')),
  e: optional(text('Of a key by RS256.', 'AQAB')),
});

describe(JwksController, OPENID, {
  keySet: {
    id: 'getKeys',
    summary: 'The public keys that sign our tokens',
    answer: object<{ keys: Jwk[] }>('A set of keys (RFC 7517 §5).', { keys: listOf(JWK) }),
  },
});

const EXAMPLE = metadata('https://map.example.org');

/** Each member as it is told here, by its kind of value. */
const METADATA = named('Metadata', {
  type: 'object',
  description: 'What a client needs to know of us (RFC 8414, OpenID Connect Discovery 1.0).',
  properties: Object.fromEntries(
    Object.entries(EXAMPLE).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? { type: 'array', items: { type: 'string' }, examples: [value] }
        : { type: typeof value, examples: [value] },
    ]),
  ),
  required: Object.keys(EXAMPLE),
});

describe(DiscoveryController, OPENID, {
  openid: { id: 'discoverOpenid', summary: 'What we do, for clients of OpenID Connect', answer: METADATA },
  oauth: { id: 'discoverOauth', summary: 'What we do, for clients of OAuth', answer: METADATA },
});
