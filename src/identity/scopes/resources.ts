import type { Settings } from '../../platform/config/settings.js';

/** The path of each protected resource (RFC 9728), below `BASE_URL`. */
const RESOURCE_PATHS = { api: '/api', mcp: '/mcp' } as const;

/** A protected resource: the audience of an access token (RFC 8707). */
export type Resource = keyof typeof RESOURCE_PATHS;

/** All protected resources. */
export const RESOURCES = Object.keys(RESOURCE_PATHS) as Resource[];

/** Returns the identifier of a resource, which is its URL (RFC 8707 §2). */
export function toResourceUrl(baseUrl: string, resource: Resource): string {
  return baseUrl + RESOURCE_PATHS[resource];
}

/** Returns the address of the metadata of a resource, below `BASE_URL` (RFC 9728 §3). */
export function toResourceMetadataUrl(baseUrl: string, resource: Resource): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${RESOURCE_PATHS[resource]}`;
}

/** Returns the resource to which a path belongs; undefined for pages and documents. */
export function findResource({ basePath }: Settings, path: string): Resource | undefined {
  if (path.startsWith(`${basePath}/api/`)) return 'api';
  const ownPath = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '';
  return /^\/mcp\/?$/i.test(ownPath) ? 'mcp' : undefined;
}

/** Returns the resources that the service offers. */
export function listResources({ MCP }: Settings): Resource[] {
  return RESOURCES.filter((resource) => resource !== 'mcp' || MCP === 'on');
}

/** Returns the identifiers of the resources that the service offers. */
export function listResourceUrls(settings: Settings): string[] {
  return listResources(settings).map((resource) => toResourceUrl(settings.BASE_URL, resource));
}

/** Returns the offered resource with an identifier; undefined for an unknown one. */
export function parseResource(settings: Settings, url: string): Resource | undefined {
  return listResources(settings).find((resource) => toResourceUrl(settings.BASE_URL, resource) === url);
}

/**
 * Returns the resource of an access token.
 * @param allowed the resources of the authorization request, at least one
 * @param requested undefined for the default: the API if it is allowed
 * @returns undefined if the requested resource is not allowed
 */
export function selectResource(allowed: Resource[], requested: Resource | undefined): Resource | undefined {
  if (requested !== undefined) return allowed.includes(requested) ? requested : undefined;
  return allowed.includes('api') ? 'api' : allowed[0];
}

/** Returns the description of an `invalid_target` for an unknown resource. */
export function describeUnknownResource(settings: Settings): string {
  return `resource must be ${listResourceUrls(settings).join(' or ')}.`;
}
