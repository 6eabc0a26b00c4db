import { CODE_REFUSALS } from '../../oauth/authorize/authorization-code-state.js';
import { missingField, OAuthError } from '../../oauth/oauth-error.js';
import { REFUSALS } from '../../oauth/refresh-token-state.js';
import { RevokeController } from '../../oauth/revoke.controller.js';
import { invalidKey } from '../../oauth/sealed-answers.js';
import type { RevokeRequest, TokenRequest } from '../../oauth/token-request.js';
import type { TokenResponse } from '../../oauth/token-response.js';
import { TokenController } from '../../oauth/token.controller.js';
import { describe } from './describe.js';
import { object, oneOf, optional, record, type Schema, text, whole } from './schema.js';

const CREDENTIALS = {
  client_id: optional(text('The id of the app, unless it stands in HTTP Basic.', 'app_01JDEM00000000000000000010')),
  client_secret: optional(text('Its secret, unless it stands in HTTP Basic.', 'sam_secret_…')),
};

const TOKEN_REQUEST: Schema = {
  ...object<TokenRequest>('The fields of a grant. Each is one string, sent once; others are ignored.', {
    ...CREDENTIALS,
    grant_type: optional(oneOf(['authorization_code', 'refresh_token'], 'Which grant.')),
    code: optional(text('The code, for `authorization_code`.', 'sam_code_…')),
    redirect_uri: optional(
      text('Where the code was sent, for `authorization_code`.', 'http://127.0.0.1:4000/callback'),
    ),
    code_verifier: optional(
      text('What the challenge was made of, for `authorization_code` (RFC 7636).', 'dBjftJeZ4CVP…'),
    ),
    refresh_token: optional(text('The token, for `refresh_token`. It works once.', 'sam_refresh_…')),
    scope: optional(text('For `refresh_token`: less than was granted, for this access token alone.', 'markers:read')),
  }),
  required: ['grant_type'],
};

const REVOKE_REQUEST: Schema = {
  ...object<RevokeRequest>('What is given back. Other fields are ignored.', {
    ...CREDENTIALS,
    token: optional(text('A refresh token.', 'sam_refresh_…')),
  }),
  required: ['token'],
};

const TOKEN_RESPONSE = record<TokenResponse>('Tokens', 'A pair of tokens (RFC 6749 §5.1).', {
  access_token: text('Opaque to you. It cannot be revoked.', 'eyJhbGciOiJFUzI1NiIs…'),
  token_type: { type: 'string', const: 'Bearer', examples: ['Bearer'] },
  expires_in: whole('Seconds for which the access token lives.', 3600, 1),
  refresh_token: text('For the next pair: it works once, within 30 days.', 'sam_refresh_…'),
  scope: text('What the access token is good for, separated by spaces.', 'openid markers:read'),
  id_token: optional(text('Who the person is, where `openid` was granted; not at a refresh.', 'eyJhbGciOiJSUzI1NiIs…')),
});

const credentials = { client_id: 'app_01JDEM00000000000000000010', client_secret: 'sam_secret_…' };

describe(
  TokenController,
  { tag: 'OAuth' },
  {
    issue: {
      id: 'issueTokens',
      summary: 'Exchange a code or a refresh token',
      description:
        'A code works within a minute, and once. A refresh token works once: store the new one before you use what came with it.',
      answer: TOKEN_RESPONSE,
      form: TOKEN_REQUEST,
      bodies: {
        code: {
          grant_type: 'authorization_code',
          code: 'sam_code_…',
          code_verifier: 'dBjftJeZ4CVP…',
          redirect_uri: 'http://127.0.0.1:4000/callback',
          ...credentials,
        },
        refresh: { grant_type: 'refresh_token', refresh_token: 'sam_refresh_…', ...credentials },
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
      refusals: [
        missingField('refresh_token'),
        invalidKey(),
        ...Object.values(REFUSALS).map((sentence) => new OAuthError('invalid_grant', sentence)),
        ...Object.values(CODE_REFUSALS).map((sentence) => new OAuthError('invalid_grant', sentence)),
        new OAuthError('invalid_scope', 'A refresh can ask for less than the person granted, not for more.'),
        new OAuthError('unsupported_grant_type', 'The field grant_type must be authorization_code or refresh_token.'),
      ],
    },
  },
);

describe(
  RevokeController,
  { tag: 'OAuth' },
  {
    revoke: {
      id: 'revokeToken',
      summary: 'Give a refresh token back',
      description:
        'Ends it, and all that came from it (RFC 7009). A token that is none of the app’s changes nothing, and answers the same.',
      answer: { type: 'object', maxProperties: 0, examples: [{}] },
      form: REVOKE_REQUEST,
      bodies: { token: { token: 'sam_refresh_…', ...credentials } },
      refusals: [missingField('token')],
    },
  },
);
