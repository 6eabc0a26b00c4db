import { DPOP_ALGORITHMS } from '../scopes/dpop-proof.js';
import { type Resource, toResourceUrl } from '../scopes/resources.js';
import { type Scope, SCOPE_ACCESS, SCOPES } from '../scopes/scopes.js';
import type { Settings } from '../../platform/config/settings.js';
import { MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { ACR_VALUES } from './id-tokens.service.js';

type MetadataSettings = Pick<Settings, 'BASE_URL' | 'CLIENT_ID_METADATA'>;

/** Metadata of the authorization server (RFC 8414 §2, OpenID Connect Discovery §3). */
export type ProviderMetadata = Record<string, string | boolean | string[]>;

/** Returns the metadata. */
export function buildProviderMetadata({ BASE_URL: issuer, CLIENT_ID_METADATA }: MetadataSettings): ProviderMetadata {
  const authentication = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/api/oauth/authorize`,
    token_endpoint: `${issuer}/api/oauth/token`,
    revocation_endpoint: `${issuer}/api/oauth/revoke`,
    userinfo_endpoint: `${issuer}/api/oauth/userinfo`,
    jwks_uri: `${issuer}/api/oauth/jwks`,
    end_session_endpoint: `${issuer}/api/oauth/logout`,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claim_types_supported: ['normal'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'amr',
      'acr',
      'nonce',
      'at_hash',
      'name',
      'preferred_username',
      'picture',
      'locale',
      'updated_at',
      'email',
      'email_verified',
    ],
    acr_values_supported: [...ACR_VALUES],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    ui_locales_supported: Object.keys(MESSAGES_BY_LANGUAGE),
    ...(CLIENT_ID_METADATA !== 'off' && { client_id_metadata_document_supported: true }),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
  };
}

/** Metadata of a protected resource (RFC 9728 §2). */
export type ResourceMetadata = Record<string, string | string[]>;

/** Returns the metadata. Only the API, with its userinfo endpoint, uses the identity scopes. */
export function buildResourceMetadata(issuer: string, resource: Resource): ResourceMetadata {
  const scopes = Object.keys(SCOPES) as Scope[];
  return {
    resource: toResourceUrl(issuer, resource),
    resource_name: resource === 'api' ? 'Street art map: API' : 'Street art map: MCP server',
    resource_documentation: resource === 'api' ? `${issuer}/docs` : `${issuer}/docs/agents`,
    authorization_servers: [issuer],
    scopes_supported: resource === 'api' ? scopes : scopes.filter((scope) => SCOPE_ACCESS[scope] !== 'identity'),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
  };
}
