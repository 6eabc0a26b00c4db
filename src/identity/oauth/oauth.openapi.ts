import { idSchema } from '../../platform/database/ids.js';
import {
  describeApi,
  optionalParam,
  type ParameterDescription,
  requiredParam,
  toDtoFormSchema,
  toFormSchema,
} from '../../platform/openapi/api-description.js';
import { enumSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import { EXAMPLE_ID_TOKEN, STATE_PARAM, UI_LOCALES_PARAM } from '../openid/openid.openapi.js';
import { SCOPES } from '../scopes/scopes.js';
import { CODE_REJECTION_MESSAGES } from './authorize/authorization-code-rejection.js';
import { RESPONSE_MODES } from './authorize/authorization-request.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { createInvalidKeyError } from './refresh-replay.store.js';
import {
  createInvalidGrantError,
  createMissingParamError,
  createUnrequestedResourceError,
  OAuthError,
} from './oauth-error.js';
import { createUngrantedScopeError, createWithdrawnScopeError } from './grants/refresh-decision.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES } from './refresh-token-validity.js';
import { RevokeController } from './revoke.controller.js';
import { RevokeRequestDto, TokenRequestDto, TokenResponse } from './token.dto.js';
import { TokenController } from './token.controller.js';

const AUTHORIZE_PARAMS: Record<string, ParameterDescription> = {
  response_type: requiredParam(enumSchema(['code'], 'Response type: an authorization code.')),
  client_id: requiredParam(idSchema('app', 'Id of the app.')),
  redirect_uri: requiredParam(
    stringSchema(
      'URI to which the browser returns. It must be registered for the app.',
      'http://127.0.0.1:4000/callback',
    ),
  ),
  scope: requiredParam(
    stringSchema(
      `Requested scopes, separated by spaces: ${Object.keys(SCOPES).join(', ')}. The app must be registered for them.`,
      'openid markers:read',
    ),
  ),
  resource: optionalParam(
    'URL for which the access tokens are valid: the API or the MCP server (RFC 8707). It can be repeated. The ' +
      'default is the API.',
    'https://map.example.org/api',
  ),
  code_challenge: {
    schema: {
      type: 'string',
      pattern: '^[\\w-]{43}$',
      description:
        'SHA-256 of the `code_verifier`, in base64url (RFC 7636 §4.2). Required, unless the app is registered without PKCE.',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    },
  },
  code_challenge_method: {
    schema: enumSchema(['S256'], 'Method of the challenge. Required with `code_challenge`; `plain` is not accepted.'),
  },
  dpop_jkt: {
    schema: {
      type: 'string',
      pattern: '^[\\w-]{43}$',
      description: 'Thumbprint of the DPoP key whose proof the token request will have (RFC 9449 §10).',
      examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
    },
  },
  state: STATE_PARAM,
  nonce: optionalParam('Opaque value of the app. The ID token returns it unchanged.', 'n-0S6_WzA2Mj'),
  prompt: optionalParam(
    'Pages to show, separated by spaces. `login` and `select_account`: sign in again. `consent`: show the consent ' +
      'page again. `none`, alone: show no page, and return an error instead.',
    'consent',
  ),
  max_age: optionalParam(
    'Maximum number of seconds since the person signed in: up to 10 digits. If it is exceeded, the person signs in again.',
    '3600',
  ),
  login_hint: optionalParam('Username or e-mail address to fill in on the sign-in page.', 'mila'),
  id_token_hint: optionalParam('ID token of the person who should sign in.', EXAMPLE_ID_TOKEN),
  ui_locales: UI_LOCALES_PARAM,
  response_mode: {
    schema: enumSchema(
      RESPONSE_MODES,
      'How the app gets the response: in the query of the redirect URI, or in a form that the browser posts to it.',
    ),
  },
};

const TOKEN_FORM_SCHEMA = toDtoFormSchema(
  TokenRequestDto,
  'The parameters of a grant. Each is one string and occurs once. Unknown parameters are ignored.',
  ['grant_type'],
);

const REVOKE_FORM_SCHEMA = toDtoFormSchema(RevokeRequestDto, 'The token to revoke. Unknown parameters are ignored.', [
  'token',
]);

const EXAMPLE_CREDENTIALS = { client_id: 'app_01JDEM00000000000000000010', client_secret: 'sam_secret_…' };

const AUTHORIZE_API = describeApi(
  AuthorizeController,
  { kind: 'page', tag: 'OAuth' },
  {
    handleGet: {
      operationId: 'authorize',
      summary: 'Request authorization',
      description:
        'Send the browser of the person to this page (RFC 6749 §4.1.1). The person signs in and allows or denies the ' +
        'scopes. The browser then returns to `redirect_uri` with `code` or `error`, and with `state` and `iss`.',
      query: AUTHORIZE_PARAMS,
    },
    handlePost: {
      operationId: 'authorizeByForm',
      summary: 'Request authorization with a form',
      description:
        'Redirects the browser to the same request as a `GET`, with the fields of the form as its query ' +
        '(OpenID Connect Core §3.1.2.1).',
      formSchema: toFormSchema(AUTHORIZE_PARAMS),
    },
  },
);

const TOKEN_API = describeApi(
  TokenController,
  { kind: 'oauth', tag: 'OAuth' },
  {
    issue: {
      operationId: 'issueTokens',
      summary: 'Issue tokens',
      description:
        'Exchanges an authorization code or a refresh token for new tokens (RFC 6749 §4.1.3, §6). A code is valid for ' +
        '60 seconds and works once. A refresh token is valid for 30 days by default and works once: store the new refresh token ' +
        'before you use the new access token.',
      response: TokenResponse,
      formSchema: TOKEN_FORM_SCHEMA,
      bodyExamples: {
        code: {
          grant_type: 'authorization_code',
          code: 'sam_code_…',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          redirect_uri: 'http://127.0.0.1:4000/callback',
          ...EXAMPLE_CREDENTIALS,
        },
        refresh: { grant_type: 'refresh_token', refresh_token: 'sam_refresh_…', ...EXAMPLE_CREDENTIALS },
      },
      headers: {
        DPoP: {
          schema: {
            description: 'Proof of a key to which the access token is bound (RFC 9449 §4): a JWT.',
            type: 'string',
            examples: ['eyJ0eXAiOiJkcG9wK2p3dCIs…'],
          },
        },
        'Idempotency-Key': {
          schema: {
            description:
              'Unique value for one refresh, for example a UUID: 1 to 255 visible ASCII characters. For 60 seconds, the same ' +
              'refresh token with the same key gets the same response, unless the new refresh token was used.',
            type: 'string',
            pattern: '^[!-~]{1,255}$',
            minLength: 1,
            maxLength: 255,
            examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
          },
        },
      },
      errors: [
        createMissingParamError('refresh_token'),
        createInvalidKeyError(),
        ...Object.values(REFRESH_TOKEN_REJECTION_MESSAGES).map((message) => createInvalidGrantError(message)),
        ...Object.values(CODE_REJECTION_MESSAGES).map((message) => createInvalidGrantError(message)),
        createUngrantedScopeError('edits:write', 'edits:write'),
        createUnrequestedResourceError(),
        createWithdrawnScopeError('edits:write', 'edits:write'),
        new OAuthError('invalid_dpop_proof', 'The signature of the DPoP proof is wrong.'),
        new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.'),
      ],
    },
  },
);

const REVOKE_API = describeApi(
  RevokeController,
  { kind: 'oauth', tag: 'OAuth' },
  {
    revoke: {
      operationId: 'revokeToken',
      summary: 'Revoke a refresh token',
      description:
        'Revokes the refresh token and its whole chain of refreshes (RFC 7009). Access tokens stay valid until they ' +
        'expire. The response to an unknown token is the same.',
      response: { type: 'object', maxProperties: 0, description: 'An empty object.', examples: [{}] },
      formSchema: REVOKE_FORM_SCHEMA,
      bodyExamples: { token: { token: 'sam_refresh_…', ...EXAMPLE_CREDENTIALS } },
      errors: [createMissingParamError('token')],
    },
  },
);

/** The OpenAPI descriptions of the OAuth endpoints. */
export const OAUTH_APIS = [AUTHORIZE_API, TOKEN_API, REVOKE_API];
