import { RouteRegistryService } from '../../src/identity/scopes/route-registry.service.js';
import type { TestServer } from './test-server.js';

/** The endpoints that accept a form from the pages of an app. */
export const CROSS_SITE_FORM_PATHS = ['/api/oauth/authorize', '/api/oauth/logout'];

/** Returns the paths of all pages with a method. @param appId replaces the parameter `:id` */
export function listPagePaths(server: TestServer, method: string, appId: string): string[] {
  return server
    .get(RouteRegistryService)
    .list()
    .filter((route) => route.method === method)
    .map(({ path }) => path.replace(':id', appId).replace('docs/:name', 'docs/reference'))
    .filter((path) => !/^\/(?:api\/|mcp$)/.test(path) || CROSS_SITE_FORM_PATHS.includes(path))
    .filter((path) => !/\/(assets|files|decisions)\/|\.(md|txt|svg)$/.test(path))
    .filter((path) => !/^\/(\.well-known|health)\//.test(path));
}
