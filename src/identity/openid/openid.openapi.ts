import { idSchema } from '../../platform/database/id-schema.js';
import { describeApi, type ParameterDescription } from '../../platform/openapi/api-description.js';
import { type JsonSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import { optionalParam, toFormSchema } from '../../platform/openapi/parameters.js';
import { JwkSet } from '../keys/jwk-set.dto.js';
import { DiscoveryController } from './discovery.controller.js';
import { JwksController } from './jwks.controller.js';
import { LogoutController } from './logout.controller.js';
import { EXAMPLE_ID_TOKEN, STATE_PARAM, UI_LOCALES_PARAM } from './openid-params.openapi.js';
import { buildProviderMetadata } from './provider-metadata.js';
import { UserinfoController } from './userinfo.controller.js';
import { UserinfoResponse } from './userinfo.dto.js';

const LOGOUT_PARAMS: Record<string, ParameterDescription> = {
  id_token_hint: optionalParam(
    'An id token of the app. If it belongs to the signed-in user, the page does not ask.',
    EXAMPLE_ID_TOKEN,
  ),
  client_id: { schema: idSchema('app', 'The app, where the key of the id token may be gone.') },
  post_logout_redirect_uri: optionalParam('Where to go on to, as registered.', 'https://wallwalker.example/bye'),
  state: STATE_PARAM,
  ui_locales: UI_LOCALES_PARAM,
};

const EXAMPLE_METADATA = buildProviderMetadata('https://map.example.org');

/**
 * The schema of the metadata, from the example: each member is a string, a boolean or a list of
 * strings.
 */
const PROVIDER_METADATA_SCHEMA: JsonSchema = {
  componentName: 'ProviderMetadata',
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
};

const LOGOUT_API = describeApi(
  LogoutController,
  { kind: 'page', tag: 'OpenID Connect' },
  {
    handleGet: {
      operationId: 'logout',
      summary: 'Sign a person out',
      description:
        'Send the user to this page (OpenID Connect RP-Initiated Logout 1.0). Without an id token of the user, the page asks first.',
      query: LOGOUT_PARAMS,
    },
    redirectPostToGet: {
      operationId: 'logoutByForm',
      summary: 'The same by a form',
      description: 'Redirects to the same request as a GET.',
      formSchema: toFormSchema(LOGOUT_PARAMS),
    },
  },
);

const USERINFO_OPERATION = { summary: 'Look up who the person is', response: UserinfoResponse };

const USERINFO_API = describeApi(
  UserinfoController,
  { kind: 'document', tag: 'OpenID Connect' },
  {
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
  },
);

const JWKS_API = describeApi(
  JwksController,
  { kind: 'document', tag: 'OpenID Connect' },
  { getKeySet: { operationId: 'getKeys', summary: 'The public keys that sign our tokens', response: JwkSet } },
);

const DISCOVERY_API = describeApi(
  DiscoveryController,
  { kind: 'document', tag: 'OpenID Connect' },
  {
    getOpenidConfiguration: {
      operationId: 'discoverOpenid',
      summary: 'What we do, for clients of OpenID Connect',
      response: PROVIDER_METADATA_SCHEMA,
    },
    getAuthorizationServerMetadata: {
      operationId: 'discoverOauth',
      summary: 'What we do, for clients of OAuth',
      response: PROVIDER_METADATA_SCHEMA,
    },
  },
);

/** The OpenAPI descriptions of the OpenID Connect endpoints. */
export const OPENID_APIS = [LOGOUT_API, USERINFO_API, JWKS_API, DISCOVERY_API];
