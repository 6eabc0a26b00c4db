import { type Scope, SCOPES } from '../../../identity/scopes/scopes.js';
import type { RouteMetadata } from './route-metadata.js';

/** What must be presented, as one of several ways. */
export type SecurityRequirements = Record<string, string[]>[];

/** The names of the security schemes. */
const OAUTH2_SCHEME = 'oauth2';
const CLIENT_CREDENTIALS_SCHEME = 'appCredentials';

/**
 * What a route asks for, as it declares it.
 * @param optional the scope that shows more where no token is needed
 */
export function getSecurityRequirements(
  { kind, scope, tokenUse: use }: RouteMetadata,
  optional: Scope | undefined,
): SecurityRequirements {
  if (scope) return [{ [OAUTH2_SCHEME]: [scope] }];
  if (use === 'optional-token') return [{}, { [OAUTH2_SCHEME]: optional ? [optional] : [] }];
  return kind === 'oauth' ? [{ [CLIENT_CREDENTIALS_SCHEME]: [] }, {}] : [];
}

/** @param base `BASE_URL` */
export function buildSecuritySchemes(base: string): Record<string, object> {
  const token = `${base}/api/oauth/token`;
  return {
    [OAUTH2_SCHEME]: {
      type: 'oauth2',
      description: 'An access token of an app for a person, in `Authorization: Bearer`. PKCE with S256 is required.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${base}/api/oauth/authorize`,
          tokenUrl: token,
          refreshUrl: token,
          scopes: { ...SCOPES },
        },
      },
    },
    [CLIENT_CREDENTIALS_SCHEME]: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and the secret of the app. They may stand in the body instead.',
    },
  };
}
