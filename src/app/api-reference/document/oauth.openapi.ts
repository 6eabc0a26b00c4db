import { CODE_REJECTION_MESSAGES } from '../../../identity/oauth/authorize/authorization-code-rejection.js';
import { createMissingParamError, OAuthError } from '../../../identity/oauth/oauth-error.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES } from '../../../identity/oauth/refresh-token-rejection.js';
import { RevokeController } from '../../../identity/oauth/revoke.controller.js';
import { createInvalidKeyError } from '../../../identity/oauth/idempotent-responses.service.js';
import type { RevokeRequestDto, TokenRequestDto } from '../../../identity/oauth/token-request.dto.js';
import type { TokenResponse } from '../../../identity/oauth/token-response.dto.js';
import { TokenController } from '../../../identity/oauth/token.controller.js';
import { describeOperations } from './describe-operations.js';
import {
  objectSchema,
  enumSchema,
  optional,
  registerObjectSchema,
  type JsonSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';

const CREDENTIAL_PROPERTIES = {
  client_id: optional(
    stringSchema('The id of the app, unless it stands in HTTP Basic.', 'app_01JDEM00000000000000000010'),
  ),
  client_secret: optional(stringSchema('Its secret, unless it stands in HTTP Basic.', 'sam_secret_…')),
};

const TOKEN_REQUEST: JsonSchema = {
  ...objectSchema<TokenRequestDto>('The fields of a grant. Each is one string, sent once; others are ignored.', {
    ...CREDENTIAL_PROPERTIES,
    grant_type: optional(enumSchema(['authorization_code', 'refresh_token'], 'Which grant.')),
    code: optional(stringSchema('The code, for `authorization_code`.', 'sam_code_…')),
    redirect_uri: optional(
      stringSchema('Where the code was sent, for `authorization_code`.', 'http://127.0.0.1:4000/callback'),
    ),
    code_verifier: optional(
      stringSchema('What the challenge was made of, for `authorization_code` (RFC 7636).', 'dBjftJeZ4CVP…'),
    ),
    refresh_token: optional(stringSchema('The token, for `refresh_token`. It works once.', 'sam_refresh_…')),
    scope: optional(
      stringSchema('For `refresh_token`: less than was granted, for this access token alone.', 'markers:read'),
    ),
  }),
  required: ['grant_type'],
};

const REVOKE_REQUEST: JsonSchema = {
  ...objectSchema<RevokeRequestDto>('What is given back. Other fields are ignored.', {
    ...CREDENTIAL_PROPERTIES,
    token: optional(stringSchema('A refresh token.', 'sam_refresh_…')),
  }),
  required: ['token'],
};

const TOKEN_RESPONSE = registerObjectSchema<TokenResponse>('Tokens', 'A pair of tokens (RFC 6749 §5.1).', {
  access_token: stringSchema('Opaque to you. It cannot be revoked.', 'eyJhbGciOiJFUzI1NiIs…'),
  token_type: { type: 'string', const: 'Bearer', examples: ['Bearer'] },
  expires_in: integerSchema('Seconds for which the access token lives.', 3600, 1),
  refresh_token: stringSchema('For the next pair: it works once, within 30 days.', 'sam_refresh_…'),
  scope: stringSchema('What the access token is good for, separated by spaces.', 'openid markers:read'),
  id_token: optional(
    stringSchema('Who the person is, where `openid` was granted; not at a refresh.', 'eyJhbGciOiJSUzI1NiIs…'),
  ),
});

const EXAMPLE_CREDENTIALS = { client_id: 'app_01JDEM00000000000000000010', client_secret: 'sam_secret_…' };

describeOperations(
  TokenController,
  { tag: 'OAuth' },
  {
    issue: {
      operationId: 'issueTokens',
      summary: 'Exchange a code or a refresh token',
      description:
        'A code works within a minute, and once. A refresh token works once: store the new one before you use what came with it.',
      response: TOKEN_RESPONSE,
      formSchema: TOKEN_REQUEST,
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
        new OAuthError('invalid_scope', 'A refresh can ask for less than the person granted, not for more.'),
        new OAuthError('unsupported_grant_type', 'The field grant_type must be authorization_code or refresh_token.'),
      ],
    },
  },
);

describeOperations(
  RevokeController,
  { tag: 'OAuth' },
  {
    revoke: {
      operationId: 'revokeToken',
      summary: 'Give a refresh token back',
      description:
        'Ends it, and all that came from it (RFC 7009). A token that is none of the app’s changes nothing, and answers the same.',
      response: { type: 'object', maxProperties: 0, examples: [{}] },
      formSchema: REVOKE_REQUEST,
      bodyExamples: { token: { token: 'sam_refresh_…', ...EXAMPLE_CREDENTIALS } },
      errors: [createMissingParamError('token')],
    },
  },
);
