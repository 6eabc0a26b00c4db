import { type Scope, SCOPES } from '../../scopes/catalogue.js';
import type { Route } from './route.js';

/** What must be presented, as one of several ways. */
export type Security = Record<string, string[]>[];

/** The names of the security schemes. */
const TOKEN = 'oauth2';
const CREDENTIALS = 'appCredentials';

/**
 * What a route asks for, as it declares it.
 * @param optional the scope that shows more where no token is needed
 */
export function securityOf({ kind, scope, public: use }: Route, optional: Scope | undefined): Security {
  if (scope) return [{ [TOKEN]: [scope] }];
  if (use === 'optional-token') return [{}, { [TOKEN]: optional ? [optional] : [] }];
  return kind === 'oauth' ? [{ [CREDENTIALS]: [] }, {}] : [];
}

/** @param base `BASE_URL` */
export function securitySchemes(base: string): Record<string, object> {
  const token = `${base}/api/oauth/token`;
  return {
    [TOKEN]: {
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
    [CREDENTIALS]: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and the secret of the app. They may stand in the body instead.',
    },
  };
}
