import { idSchema } from '../../platform/database/ids.js';
import {
  describeApi,
  optionalParam,
  type ParameterDescription,
  toFormSchema,
} from '../../platform/openapi/api-description.js';
import { type JsonSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import { createRepeatedTokenError } from '../scopes/bearer-token-errors.js';
import { JwkSet } from '../keys/jwk-set.dto.js';
import { DiscoveryController, JwksController, ResourceMetadataController } from './discovery.controller.js';
import { LogoutController } from './logout.controller.js';
import { UserinfoController } from './userinfo.controller.js';
import { UserinfoResponse } from './userinfo.dto.js';
import { MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { buildProviderMetadata, buildResourceMetadata, type ProviderMetadata } from './provider-metadata.js';

/** The ID token in examples. */
export const EXAMPLE_ID_TOKEN = 'eyJhbGciOiJSUzI1NiIs…';

/** The parameter `state` of the authorization and logout endpoints. */
export const STATE_PARAM = optionalParam(
  'Opaque value of the app. The redirect to the app returns it unchanged.',
  'c0e1f9d2',
);

/** The parameter `ui_locales` of the authorization and logout endpoints. */
export const UI_LOCALES_PARAM = optionalParam(
  `Preferred languages of the pages, separated by spaces: ${Object.keys(MESSAGES_BY_LANGUAGE).join(', ')}.`,
  'fr',
);

/** The meaning of each member. */
const MEMBER_DESCRIPTIONS: Record<string, string> = {
  issuer: 'Issuer: the base URL of the service. ID tokens contain it as `iss`.',
  authorization_endpoint: 'URL of the authorization endpoint.',
  token_endpoint: 'URL of the token endpoint.',
  revocation_endpoint: 'URL of the revocation endpoint.',
  userinfo_endpoint: 'URL of the userinfo endpoint.',
  jwks_uri: 'URL of the public signing keys.',
  end_session_endpoint: 'URL of the logout endpoint.',
  scopes_supported: 'Scopes that an app can request.',
  response_types_supported: 'Values of `response_type`.',
  response_modes_supported: 'Values of `response_mode`.',
  grant_types_supported: 'Values of `grant_type`.',
  token_endpoint_auth_methods_supported: 'Methods of client authentication at the token endpoint.',
  revocation_endpoint_auth_methods_supported: 'Methods of client authentication at the revocation endpoint.',
  code_challenge_methods_supported: 'Values of `code_challenge_method` (PKCE).',
  dpop_signing_alg_values_supported: 'Signature algorithms of DPoP proofs (RFC 9449).',
  authorization_response_iss_parameter_supported: 'Whether authorization responses contain `iss` (RFC 9207).',
  subject_types_supported: 'Types of `sub`: `public` is the same id for all apps.',
  id_token_signing_alg_values_supported: 'Signature algorithms of ID tokens.',
  claim_types_supported: 'Types of claims.',
  claims_supported: 'Claims in ID tokens and at the userinfo endpoint.',
  acr_values_supported: 'Values of `acr`: `phr` after a sign-in with a passkey, else `0`.',
  prompt_values_supported: 'Values of `prompt`.',
  ui_locales_supported: 'Languages of the pages.',
  claims_parameter_supported: 'Whether the parameter `claims` is supported.',
  request_parameter_supported: 'Whether the parameter `request` is supported.',
  request_uri_parameter_supported: 'Whether the parameter `request_uri` is supported.',
  require_request_uri_registration: 'Whether values of `request_uri` must be registered.',
};

const RESOURCE_MEMBER_DESCRIPTIONS: Record<string, string> = {
  resource: 'Identifier of the resource: the `resource` of a token request and the `aud` of its access tokens.',
  resource_name: 'Name of the resource.',
  resource_documentation: 'URL of the documentation.',
  authorization_servers: 'Issuers whose access tokens the resource accepts.',
  scopes_supported: 'Scopes that requests to the resource can need.',
  bearer_methods_supported: 'Ways to send the access token (RFC 6750 §2).',
  dpop_signing_alg_values_supported: 'Signature algorithms of DPoP proofs (RFC 9449).',
};

/** Returns the schema of a metadata document. The example determines the type of each member. */
function buildMetadataSchema(
  componentName: string,
  description: string,
  example: ProviderMetadata,
  memberDescriptions: Record<string, string>,
): JsonSchema {
  const toMemberSchema = (name: string, value: string | boolean | string[]): JsonSchema => ({
    ...toTypeSchema(value),
    description: memberDescriptions[name]!,
    examples: [value],
  });
  const properties = Object.entries(example).map(([name, value]) => [name, toMemberSchema(name, value)] as const);
  return {
    componentName,
    type: 'object',
    description,
    properties: Object.fromEntries(properties),
    required: Object.keys(example),
  };
}

/** The schema of the metadata of the authorization server. */
export const PROVIDER_METADATA_SCHEMA = buildMetadataSchema(
  'ProviderMetadata',
  'Metadata of the authorization server (RFC 8414 §2, OpenID Connect Discovery 1.0 §3).',
  buildProviderMetadata({ BASE_URL: 'https://map.example.org', CLIENT_ID_METADATA: 'off' }),
  MEMBER_DESCRIPTIONS,
);

const RESOURCE_METADATA_SCHEMA = buildMetadataSchema(
  'ProtectedResourceMetadata',
  'Metadata of a protected resource (RFC 9728 §2).',
  buildResourceMetadata('https://map.example.org', 'api'),
  RESOURCE_MEMBER_DESCRIPTIONS,
);

function toTypeSchema(value: string | boolean | string[]): JsonSchema {
  return Array.isArray(value) ? { type: 'array', items: { type: 'string' } } : { type: typeof value };
}

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

const RESOURCE_METADATA_API = describeApi(
  ResourceMetadataController,
  { kind: 'document', tag: 'OAuth' },
  {
    getDefault: {
      operationId: 'discoverResource',
      summary: 'Get the metadata of the API',
      description: 'Returns the same document as `/.well-known/oauth-protected-resource/api`.',
      response: RESOURCE_METADATA_SCHEMA,
    },
    getApi: {
      operationId: 'discoverApi',
      summary: 'Get the metadata of the API at its own address',
      description:
        'Returns the authorization server and the scopes of the API (RFC 9728 §3). Each 401 of the API names this ' +
        'address in `resource_metadata`.',
      response: RESOURCE_METADATA_SCHEMA,
    },
    getMcp: {
      operationId: 'discoverMcp',
      summary: 'Get the metadata of the MCP server',
      description: 'Returns the authorization server and the scopes of the MCP server (RFC 9728 §3).',
      response: RESOURCE_METADATA_SCHEMA,
    },
  },
);

/** The OpenAPI descriptions of the OpenID Connect endpoints. */
export const OPENID_APIS = [LOGOUT_API, USERINFO_API, JWKS_API, DISCOVERY_API, RESOURCE_METADATA_API];
