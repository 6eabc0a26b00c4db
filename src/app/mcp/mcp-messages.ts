/** The tool that reads a resource, by the scheme of its URI. */
const RESOURCE_TOOLS: Record<string, string> = {
  artwork: 'get_artwork',
  artist: 'get_artist',
  collection: 'get_collection',
};

/** The templates of the URIs of resources, for `resources/templates/list`. */
export const RESOURCE_TEMPLATES = Object.keys(RESOURCE_TOOLS).map((name) => ({
  name,
  title: `${name[0]!.toUpperCase()}${name.slice(1)} by its id`,
  uriTemplate: `${name}://{id}`,
  mimeType: 'application/json',
}));

/** A call of a tool: by its name, or by the URI of a resource that the tool reads. */
interface ToolRequest {
  name: string;
  arguments: Record<string, unknown>;
}

/** Returns the call that reads a resource; undefined for an unknown URI. */
export function parseResourceUri(uri: string): ToolRequest | undefined {
  const [, scheme = '', id] = /^(\w+):\/\/([\w-]{1,40})$/.exec(uri) ?? [];
  if (!Object.hasOwn(RESOURCE_TOOLS, scheme)) return undefined;
  return { name: RESOURCE_TOOLS[scheme]!, arguments: { id } };
}

/** Returns the name of the tool that a JSON-RPC message calls; undefined for other messages. */
export function findToolName({ method, params }: Record<string, unknown>): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const { name, uri } = params as Record<string, unknown>;
  if (method === 'tools/call' && typeof name === 'string') return name;
  if (method === 'resources/read' && typeof uri === 'string') return parseResourceUri(uri)?.name;
  return undefined;
}
