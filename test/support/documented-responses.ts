import type { Settings } from '../../src/platform/config/settings.js';
import { buildOpenApiDocument } from '../../src/app/api-reference/openapi-document.js';
import type { DeclaredRoute } from '../../src/identity/scopes/route-registry.service.js';
import { OpenApiDocument } from './openapi-document.js';
import type { TestResponse } from './test-server.js';

let reference: OpenApiDocument | undefined;

/**
 * Checks that the OpenAPI document describes a response of the API: its status, its media type and
 * its members. The document is the same for all servers of a test file.
 */
export function assertDocumented(
  { routes, settings }: { routes: () => DeclaredRoute[]; settings: Settings },
  method: string,
  path: string,
  response: TestResponse,
): void {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  if (settings.basePath !== '' || !pathname.startsWith('/api/')) return;
  reference ??= new OpenApiDocument(JSON.parse(JSON.stringify(buildOpenApiDocument([], routes(), settings))));
  const operation = reference.findByAddress(method, pathname);
  // `fetch` follows redirects, and any method of a path can be rejected.
  if (!operation || operation.definition.responses['303'] || response.status === 405) return;
  const errors = reference.validateResponse(operation, response, searchParams.has('fields'));
  if (errors.length > 0) throw new Error(`The document does not describe ${method} ${path}: ${errors.join('; ')}`);
}
