import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { readFile } from 'node:fs/promises';
import './document/artists.openapi.js';
import './document/collections.openapi.js';
import './document/edits.openapi.js';
import { RESPONSE_HEADERS } from './document/response-headers.js';
import './document/api-reference.openapi.js';
import './document/markers.openapi.js';
import './document/oauth.openapi.js';
import './document/openid.openapi.js';
import { COMPONENT_SCHEMAS } from './document/json-schema.js';
import { buildSecuritySchemes } from './document/security-schemes.js';
import { normalizeDocument } from './document/normalize-document.js';

/** What the operations are about, in the order in which they are read. */
const TAGS = {
  OAuth: 'How an app comes to act for a person, and stops (OAuth 2.1).',
  'OpenID Connect': 'Who the person is.',
  Markers: 'Artworks, and places such as galleries and legal walls.',
  Artists: 'Artists and their artworks.',
  Collections: 'Lists of artworks that people keep.',
  Edits: 'Changes to the map that people suggest, and others decide on.',
  Reference: 'What you read here.',
};

const API_DESCRIPTION = `A community's map of street art. Apps act for a person, within the scopes that the person allowed.

Checks happen in this order, and the first that fails answers: 401 for the token, 403 for the scope, 400 for the shape, 404 and 410
for what is not there, 403 for what the person may not do, then 412, 422 and 409. Names that we do not know are refused, in the query and in the
body. Text is trimmed, and refused where it holds what cannot be shown. Times are RFC 3339 in UTC, ids are opaque.`;

/** The document of all that apps can call. @param base \`BASE_URL\` */
export async function buildOpenApiDocument(app: INestApplication, base: string): Promise<OpenAPIObject> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('Street Art Map')
    .setDescription(API_DESCRIPTION)
    .setVersion(await readPackageVersion())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(base);
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const config = builder.build();
  const components = {
    schemas: COMPONENT_SCHEMAS,
    headers: RESPONSE_HEADERS,
    securitySchemes: buildSecuritySchemes(base),
  };
  return normalizeDocument(
    SwaggerModule.createDocument(
      app,
      { ...config, components: components as OpenAPIObject['components'] },
      { onlyIncludeDecoratedEndpoints: true, ignoreGlobalPrefix: true, autoTagControllers: false },
    ),
  );
}

/** The version of the service: the next `package.json` above this file, built or not, is ours. */
async function readPackageVersion(directory = new URL('.', import.meta.url)): Promise<string> {
  const file = await readFile(new URL('package.json', directory), 'utf8').catch(() => undefined);
  if (file === undefined) return readPackageVersion(new URL('..', directory));
  return (JSON.parse(file) as { version: string }).version;
}
