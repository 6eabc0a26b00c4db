import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import { buildProviderMetadata } from './provider-metadata.js';

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
  authorization_response_iss_parameter_supported: 'Whether authorization responses contain `iss` (RFC 9207).',
  subject_types_supported: 'Types of `sub`: `public` is the same id for all apps.',
  id_token_signing_alg_values_supported: 'Signature algorithms of ID tokens.',
  claim_types_supported: 'Types of claims.',
  claims_supported: 'Claims in ID tokens and at the userinfo endpoint.',
  prompt_values_supported: 'Values of `prompt`.',
  ui_locales_supported: 'Languages of the pages.',
  claims_parameter_supported: 'Whether the parameter `claims` is supported.',
  request_parameter_supported: 'Whether the parameter `request` is supported.',
  request_uri_parameter_supported: 'Whether the parameter `request_uri` is supported.',
  require_request_uri_registration: 'Whether values of `request_uri` must be registered.',
};

const EXAMPLE_METADATA = buildProviderMetadata('https://map.example.org');

/** The schema of the metadata. The example determines the type of each member. */
export const PROVIDER_METADATA_SCHEMA: JsonSchema = {
  componentName: 'ProviderMetadata',
  type: 'object',
  description: 'Metadata of the authorization server (RFC 8414 §2, OpenID Connect Discovery 1.0 §3).',
  properties: Object.fromEntries(
    Object.entries(EXAMPLE_METADATA).map(([name, value]) => [
      name,
      { ...toTypeSchema(value), description: MEMBER_DESCRIPTIONS[name], examples: [value] },
    ]),
  ),
  required: Object.keys(EXAMPLE_METADATA),
};

function toTypeSchema(value: string | boolean | string[]): JsonSchema {
  return Array.isArray(value) ? { type: 'array', items: { type: 'string' } } : { type: typeof value };
}
