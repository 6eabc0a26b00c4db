import { readFile } from 'node:fs/promises';
import { OAUTH_APIS } from '../../identity/oauth/oauth.openapi.js';
import { OPENID_APIS } from '../../identity/openid/openid.openapi.js';
import type { DeclaredRoute } from '../../identity/scopes/route-registry.service.js';
import { SCOPES } from '../../identity/scopes/scopes.js';
import { ARTISTS_API } from '../../map/artists/artists.openapi.js';
import { COLLECTIONS_API } from '../../map/collections/collections.openapi.js';
import { EDITS_API } from '../../map/edits/edits.openapi.js';
import { ARTIST_ARTWORKS_API, MARKERS_API } from '../../map/markers/markers.openapi.js';
import type { ApiDescription } from '../../platform/openapi/api-description.js';
import { ComponentSchemas } from './dto-schemas.js';
import { buildOperationObject, type OperationObject, SECURITY_SCHEMES } from './operation-object.js';
import { listOperations } from './operation.js';
import { RESPONSE_HEADERS } from './response-headers.js';
import { shareResponses } from './shared-responses.js';

const APIS = [...OAUTH_APIS, ...OPENID_APIS, MARKERS_API, ARTISTS_API, ARTIST_ARTWORKS_API, COLLECTIONS_API, EDITS_API];

/** The tags of the operations, in the order of the page. */
const TAGS = [
  { name: 'OAuth', description: 'How an app comes to act for a person, and stops (OAuth 2.1).' },
  { name: 'OpenID Connect', description: 'Who the person is.' },
  { name: 'Markers', description: 'Artworks, and places such as galleries and legal walls.' },
  { name: 'Artists', description: 'Artists and their artworks.' },
  { name: 'Collections', description: 'Lists of artworks that people keep.' },
  { name: 'Edits', description: 'Changes to the map that people suggest, and others decide on.' },
  { name: 'Reference', description: 'What you read here.' },
];

const API_DESCRIPTION = `A community's map of street art. Apps act for a person, within the scopes that the person allowed.

Checks happen in this order, and the first that fails answers: 401 for the token, 403 for the scope, 400 for the shape, 404 and 410
for what is not there, 403 for what the person may not do, then 412, 422 and 409. Names that we do not know are refused, in the query and in the
body. Text is trimmed, and refused where it holds what cannot be shown. Times are RFC 3339 in UTC, ids are opaque.`;

/**
 * Builds the OpenAPI 3.1 document of the API.
 * @param moreApis descriptions beside those of the API
 * @param baseUrl `BASE_URL`
 */
export async function buildOpenApiDocument(
  moreApis: ApiDescription[],
  routes: DeclaredRoute[],
  baseUrl: string,
): Promise<object> {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of listOperations([...APIS, ...moreApis], routes)) {
    const path = operation.route.path.replace(/:(\w+)/g, '{$1}');
    const method = operation.route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: buildOperationObject(operation, schemas) };
  }
  const responses = shareResponses(Object.values(paths).flatMap((item) => Object.values(item)));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Street Art Map',
      description: API_DESCRIPTION,
      version: await readPackageVersion(),
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: baseUrl }],
    tags: TAGS,
    paths,
    components: {
      schemas: schemas.components,
      responses,
      headers: RESPONSE_HEADERS,
      securitySchemes: buildSecuritySchemes(baseUrl),
    },
  };
}

function buildSecuritySchemes(baseUrl: string): Record<string, object> {
  const tokenUrl = `${baseUrl}/api/oauth/token`;
  return {
    [SECURITY_SCHEMES.token]: {
      type: 'oauth2',
      description: 'An access token of an app for a person, in `Authorization: Bearer`. PKCE with S256 is required.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${baseUrl}/api/oauth/authorize`,
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes: SCOPES,
        },
      },
    },
    [SECURITY_SCHEMES.clientCredentials]: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and the secret of the app. They may stand in the body instead.',
    },
  };
}

/**
 * Reads the version from the next `package.json` above this file; its depth differs between `src`
 * and `dist`.
 */
async function readPackageVersion(directory = new URL('.', import.meta.url)): Promise<string> {
  const file = await readFile(new URL('package.json', directory), 'utf8').catch(() => undefined);
  if (file === undefined) return readPackageVersion(new URL('..', directory));
  return (JSON.parse(file) as { version: string }).version;
}
