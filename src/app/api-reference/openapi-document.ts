import { OAUTH_APIS } from '../../identity/oauth/oauth.openapi.js';
import { OPENID_APIS } from '../../identity/openid/openid.openapi.js';
import type { DeclaredRoute } from '../../identity/scopes/route-registry.service.js';
import { ALL_APPS_FACTOR } from '../../identity/scopes/api-rate-limits.service.js';
import { SCOPES } from '../../identity/scopes/scopes.js';
import { ARTIST_CHANGES_API, ARTISTS_API } from '../../map/artists/artists.openapi.js';
import { COLLECTIONS_API } from '../../map/collections/collections.openapi.js';
import { EDITS_API } from '../../map/edits/edits.openapi.js';
import {
  ARTIST_ARTWORKS_API,
  MARKER_CHANGES_API,
  MARKER_CLUSTERS_API,
  MARKERS_API,
  REGIONS_API,
} from '../../map/markers/markers.openapi.js';
import type { Settings } from '../../platform/config/settings.js';
import { VERSION } from '../../platform/config/version.js';
import type { ApiDescription } from '../../platform/openapi/api-description.js';
import { ComponentSchemas } from './dto-schemas.js';
import { buildOperationObject, type OperationObject, SECURITY_SCHEMES } from './operation-object.js';
import { listOperations } from './operation.js';
import { type AlternativeResponse, buildAlternativeResponses, collectAlternativeResponses } from './responses.js';
import { buildResponseHeaders } from './response-headers.js';
import { shareResponses } from './shared-responses.js';

const APIS = [
  ...OAUTH_APIS,
  ...OPENID_APIS,
  MARKERS_API,
  MARKER_CLUSTERS_API,
  REGIONS_API,
  MARKER_CHANGES_API,
  ARTISTS_API,
  ARTIST_CHANGES_API,
  ARTIST_ARTWORKS_API,
  COLLECTIONS_API,
  EDITS_API,
];

/** The tags of the operations, in the order of the page. */
const TAGS = [
  { name: 'OAuth', description: 'Authorization, tokens and revocation (OAuth 2.0: RFC 6749, RFC 7636, RFC 7009).' },
  { name: 'OpenID Connect', description: 'Identity of the person, signing keys, metadata and logout.' },
  { name: 'Markers', description: 'Artworks on the map, and places such as galleries and legal walls.' },
  { name: 'Artists', description: 'Artists and their artworks.' },
  { name: 'Collections', description: 'Lists of artworks that belong to people.' },
  {
    name: 'Edits',
    description:
      "Changes of artworks and artists: people suggest them, and reviewers decide. The scope `edits:review` is intended only for apps that help people review others' edits.",
  },
  { name: 'Reference', description: 'This document.' },
];

const describeService = (
  settings: Settings,
): string => `A community map of street art. An app acts for a person, within the scopes that the person allowed.

## Order of checks

Unknown paths (404), unsupported methods (405) and malformed paths (400) are rejected first. Then the first check that
fails determines the response:

1. 401: the access token
2. 403: a disabled app, and the scope of the app
3. 429: the rate limit
4. 400, 413, 415: the query and the body
5. 404, 410: the resource
6. 403: the permission of the person
7. 412, 422, 409: the version, the rules of the map, the state of the resource

500 and 503 can occur at any time.

## Conventions

- Unknown query parameters and unknown members of a body are rejected with 400.
- Times are RFC 3339 in UTC, with milliseconds. Ids are opaque strings.
- Several values of one query parameter are separated by commas, or the parameter is repeated.
- Text is normalized (Unicode NFC) and trimmed. Text with control or bidirectional characters is rejected.
- A list is a page: pass \`page.nextCursor\` as \`cursor\` to get the next page. On the last page it is \`null\`.

## GeoJSON

The lists of markers, the artworks of an artist and the items of a collection are available as GeoJSON (RFC 7946),
with the media type \`application/geo+json\`. Send \`format=geojson\`, or the header \`Accept: application/geo+json\`.
The member \`x-geojson\` of an operation refers to the response, \`#/components/responses/FeatureCollection\`.

## Fewer members

With \`fields\`, records have only the members that it names. The member \`x-fields\` of an operation refers to the
response, for example \`#/components/responses/PartialMarkerPage\`, in which no member of a record is required.

## Rate limits

- Reads: ${describeCallLimit(settings.API_READ_LIMIT)}
- Writes: ${describeCallLimit(settings.API_WRITE_LIMIT)}
- Token responses: ${formatCount(settings.TOKEN_RATE_LIMIT)} per minute for each app and network. The operator can give
  one app its own limit.

\`RateLimit-Policy\` in a response has the limit in force. The document
[Limits](${settings.BASE_URL}/docs/limits#rate-limits) has the other limits.`;

function describeCallLimit(limit: number): string {
  const limitOfAllApps = formatCount(ALL_APPS_FACTOR * limit);
  return `${formatCount(limit)} per minute for each app and person, and ${limitOfAllApps} for all apps of a person together.`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/**
 * Builds the OpenAPI 3.1 document of the API.
 * @param moreApis descriptions beside those of the API
 * @param settings the document names some of their values
 */
export function buildOpenApiDocument(moreApis: ApiDescription[], routes: DeclaredRoute[], settings: Settings): object {
  const baseUrl = settings.BASE_URL;
  const schemas = new ComponentSchemas();
  const operations = listOperations([...APIS, ...moreApis], routes, settings);
  const paths: Record<string, Record<string, OperationObject>> = {};
  const alternatives: AlternativeResponse[] = [];
  for (const operation of operations) {
    const path = operation.route.path.replace(/:(\w+)/g, '{$1}');
    const method = operation.route.method.toLowerCase();
    const ofOperation = buildAlternativeResponses(operation, schemas);
    alternatives.push(...ofOperation);
    paths[path] = { ...paths[path], [method]: buildOperationObject(operation, ofOperation, schemas) };
  }
  const responses = {
    ...shareResponses(Object.values(paths).flatMap((item) => Object.values(item))),
    ...collectAlternativeResponses(alternatives),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Street Art Map',
      description: describeService(settings),
      version: VERSION,
      contact: { name: 'Developers', url: `${baseUrl}/docs` },
      ...describeLicense(settings),
    },
    servers: [{ url: baseUrl }],
    tags: TAGS,
    paths,
    components: {
      schemas: schemas.components,
      responses,
      headers: buildResponseHeaders(settings),
      securitySchemes: buildSecuritySchemes(baseUrl),
    },
  };
}

/** The license and the terms of the data; without them, the license of the service. */
function describeLicense({ DATA_LICENSE: identifier, TERMS_URL: termsOfService }: Settings): object {
  const ofService = { name: 'MIT', url: 'https://opensource.org/license/mit' };
  return {
    ...(termsOfService !== undefined && { termsOfService }),
    license: identifier === undefined ? ofService : { name: identifier, identifier },
  };
}

function buildSecuritySchemes(baseUrl: string): Record<string, object> {
  const tokenUrl = `${baseUrl}/api/oauth/token`;
  return {
    [SECURITY_SCHEMES.token]: {
      type: 'oauth2',
      description:
        'Access token of an app for a person, in the header `Authorization: Bearer …`. PKCE with S256 is required.',
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
      description: 'Id and secret of the app, as HTTP Basic. The body can contain them instead.',
    },
  };
}
