import { idSchema } from '../../platform/database/id-schema.js';
import { describeApi, type ParameterDescription } from '../../platform/openapi/api-description.js';
import { stringSchema } from '../../platform/openapi/json-schema.js';
import { optionalParam, toFormSchema } from '../../platform/openapi/parameters.js';
import { createRepeatedTokenError } from '../scopes/bearer-token-errors.js';
import { JwkSet } from '../keys/jwk-set.dto.js';
import { DiscoveryController } from './discovery.controller.js';
import { JwksController } from './jwks.controller.js';
import { LogoutController } from './logout.controller.js';
import { EXAMPLE_ID_TOKEN, STATE_PARAM, UI_LOCALES_PARAM } from './openid-params.openapi.js';
import { PROVIDER_METADATA_SCHEMA } from './provider-metadata.openapi.js';
import { UserinfoController } from './userinfo.controller.js';
import { UserinfoResponse } from './userinfo.dto.js';

const LOGOUT_PARAMS: Record<string, ParameterDescription> = {
  id_token_hint: optionalParam(
    'ID token of the app; it can be expired. If it belongs to the current session, the page does not ask.',
    EXAMPLE_ID_TOKEN,
  ),
  client_id: {
    schema: idSchema(
      'app',
      'Id of the app. Send it with `id_token_hint` too, because the key of an old ID token may be gone.',
    ),
  },
  post_logout_redirect_uri: optionalParam(
    'URI to return to after the logout. It must be registered for the app.',
    'https://wallwalker.example/bye',
  ),
  state: STATE_PARAM,
  ui_locales: UI_LOCALES_PARAM,
};

const LOGOUT_API = describeApi(
  LogoutController,
  { kind: 'page', tag: 'OpenID Connect' },
  {
    handleGet: {
      operationId: 'logout',
      summary: 'Sign the person out',
      description:
        'Send the browser of the person to this page (OpenID Connect RP-Initiated Logout 1.0). If `id_token_hint` belongs ' +
        'to the signed-in person, the page signs them out. Otherwise it asks for confirmation.',
      query: LOGOUT_PARAMS,
    },
    redirectPostToGet: {
      operationId: 'logoutByForm',
      summary: 'Sign the person out with a form',
      description: 'Redirects the browser to the same request as a `GET`, with the fields of the form as its query.',
      formSchema: toFormSchema(LOGOUT_PARAMS),
    },
  },
);

const USERINFO_API = describeApi(
  UserinfoController,
  { kind: 'document', tag: 'OpenID Connect' },
  {
    get: {
      operationId: 'getUserinfo',
      summary: 'Get claims about the person',
      description: 'Returns the claims that the scopes of the access token allow (OpenID Connect Core §5.3).',
      response: UserinfoResponse,
    },
    post: {
      operationId: 'postUserinfo',
      summary: 'Get claims about the person with a form',
      description:
        'Returns the same claims as the `GET`. The form can contain the access token instead of the header ' +
        '(RFC 6750 §2.2).',
      response: UserinfoResponse,
      formSchema: {
        type: 'object',
        properties: {
          access_token: stringSchema(
            'Access token. Omit it if the `Authorization` header contains it.',
            'eyJhbGciOiJFUzI1NiIs…',
          ),
        },
      },
      errors: [createRepeatedTokenError()],
    },
  },
);

const JWKS_API = describeApi(
  JwksController,
  { kind: 'document', tag: 'OpenID Connect' },
  {
    getKeySet: {
      operationId: 'getKeys',
      summary: 'Get the signing keys',
      description:
        'Returns the public keys that verify ID tokens and access tokens (RFC 7517). Keys change; select one by `kid`.',
      response: JwkSet,
    },
  },
);

const DISCOVERY_API = describeApi(
  DiscoveryController,
  { kind: 'document', tag: 'OpenID Connect' },
  {
    getOpenidConfiguration: {
      operationId: 'discoverOpenid',
      summary: 'Get the OpenID Connect metadata',
      description: 'Returns the addresses and the features of the provider (OpenID Connect Discovery 1.0 §4).',
      response: PROVIDER_METADATA_SCHEMA,
    },
    getAuthorizationServerMetadata: {
      operationId: 'discoverOauth',
      summary: 'Get the OAuth metadata',
      description: 'Returns the addresses and the features of the authorization server (RFC 8414 §3).',
      response: PROVIDER_METADATA_SCHEMA,
    },
  },
);

/** The OpenAPI descriptions of the OpenID Connect endpoints. */
export const OPENID_APIS = [LOGOUT_API, USERINFO_API, JWKS_API, DISCOVERY_API];
