import { idSchema } from '../../platform/database/id-schema.js';
import { describeApi, type ParameterDescription } from '../../platform/openapi/api-description.js';
import { enumSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import { optionalParam, requiredParam, toDtoFormSchema, toFormSchema } from '../../platform/openapi/parameters.js';
import { EXAMPLE_ID_TOKEN, STATE_PARAM, UI_LOCALES_PARAM } from '../openid/openid-params.openapi.js';
import { SCOPES } from '../scopes/scopes.js';
import { CODE_REJECTION_MESSAGES } from './authorize/authorization-code-rejection.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { createUngrantedScopeError } from './grants/refresh-token.grant.js';
import { createInvalidKeyError } from './idempotent-responses.service.js';
import { createMissingParamError, OAuthError } from './oauth-error.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES } from './refresh-token-rejection.js';
import { RevokeController } from './revoke.controller.js';
import { RevokeRequestDto, TokenRequestDto } from './token-request.dto.js';
import { TokenResponse } from './token-response.dto.js';
import { TokenController } from './token.controller.js';

const AUTHORIZE_PARAMS: Record<string, ParameterDescription> = {
  response_type: requiredParam(enumSchema(['code'], 'What is answered.')),
  client_id: requiredParam(idSchema('app', 'The app.')),
  redirect_uri: requiredParam(stringSchema('Where the answer goes, as registered.', 'http://127.0.0.1:4000/callback')),
  scope: requiredParam(
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
  state: STATE_PARAM,
  nonce: optionalParam('Comes back in the id token.', 'n-0S6_WzA2Mj'),
  prompt: optionalParam('`none`, or some of `login`, `consent`, `select_account`.', 'consent'),
  max_age: optionalParam('Seconds since the person last signed in, at most.', '3600'),
  login_hint: optionalParam('Who it may be.', 'mila'),
  id_token_hint: optionalParam('Who it should be.', EXAMPLE_ID_TOKEN),
  ui_locales: UI_LOCALES_PARAM,
  response_mode: { schema: enumSchema(['query'], 'How the parameters of the response are returned.') },
};

const TOKEN_FORM_SCHEMA = toDtoFormSchema(
  TokenRequestDto,
  'The fields of a grant. Each is one string, sent once; others are ignored.',
  ['grant_type'],
);

const REVOKE_FORM_SCHEMA = toDtoFormSchema(RevokeRequestDto, 'The token to revoke. Other fields are ignored.', [
  'token',
]);

const EXAMPLE_CREDENTIALS = { client_id: 'app_01JDEM00000000000000000010', client_secret: 'sam_secret_…' };

const AUTHORIZE_API = describeApi(
  AuthorizeController,
  { kind: 'page', tag: 'OAuth' },
  {
    handleGet: {
      operationId: 'authorize',
      summary: 'Ask a person to let an app act for them',
      description:
        'Send the user to this page. The user signs in, allows or denies the request, and returns to `redirect_uri` with `code` or `error`, and with `state` and `iss`.',
      query: AUTHORIZE_PARAMS,
    },
    redirectPostToGet: {
      operationId: 'authorizeByForm',
      summary: 'The same by a form',
      description: 'Redirects to the same request as a GET (OpenID Connect Core §3.1.2.1).',
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
      summary: 'Exchange a code or a refresh token',
      description:
        'A code works within a minute, and once. A refresh token works once: store the new one before you use what came with it.',
      response: TokenResponse,
      formSchema: TOKEN_FORM_SCHEMA,
      bodyExamples: {
        code: {
          grant_type: 'authorization_code',
          code: 'sam_code_…',
          code_verifier: 'dBjftJeZ4CVP…',
          redirect_uri: 'http://127.0.0.1:4000/callback',
          ...EXAMPLE_CREDENTIALS,
        },
        refresh: { grant_type: 'refresh_token', refresh_token: 'sam_refresh_…', ...EXAMPLE_CREDENTIALS },
      },
      headers: {
        'Idempotency-Key': {
          schema: {
            description:
              'With `refresh_token`: a name that you make for this refresh. The same token with the same key gets the same answer again for a minute, while the new token has not been used.',
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
        ...Object.values(REFRESH_TOKEN_REJECTION_MESSAGES).map((sentence) => new OAuthError('invalid_grant', sentence)),
        ...Object.values(CODE_REJECTION_MESSAGES).map((sentence) => new OAuthError('invalid_grant', sentence)),
        createUngrantedScopeError('edits:write'),
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
      summary: 'Give a refresh token back',
      description:
        'Ends it, and all that came from it (RFC 7009). A token that is none of the app’s changes nothing, and answers the same.',
      response: { type: 'object', maxProperties: 0, examples: [{}] },
      formSchema: REVOKE_FORM_SCHEMA,
      bodyExamples: { token: { token: 'sam_refresh_…', ...EXAMPLE_CREDENTIALS } },
      errors: [createMissingParamError('token')],
    },
  },
);

/** The OpenAPI descriptions of the OAuth endpoints. */
export const OAUTH_APIS = [AUTHORIZE_API, TOKEN_API, REVOKE_API];
