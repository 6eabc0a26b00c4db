/**
 * All scopes, each with its meaning in the API reference. Pages show the sentences of `locales`
 * (`scopes.meanings`), in five languages.
 */
export const SCOPES = {
  openid: "the person's identity is known to the service",
  profile: 'name, username and profile picture can be seen',
  email: 'e-mail address can be seen',
  'edits:read': "the person's suggested changes can be seen",
  'edits:write': 'changes to artworks and artists can be suggested for the person',
  'edits:review': 'changes by others can be accepted, rejected and undone, if the person is allowed to',
  'collections:read': "the person's collections can be seen, private ones too",
  'collections:write': 'collections can be created, changed and deleted, and artworks added to them',
  'markers:read': 'artworks and other places on the map can be searched and looked up',
  'artists:read': 'artists and their artworks can be searched and looked up',
} as const;

/** The name of a scope. A misspelled name does not compile. */
export type Scope = keyof typeof SCOPES;

/** The kind of access that a scope grants: claims about the person, reading, or writing. */
export type ScopeAccess = 'identity' | 'read' | 'write';

/** The kind of access of each scope. */
export const SCOPE_ACCESS: Record<Scope, ScopeAccess> = {
  openid: 'identity',
  profile: 'identity',
  email: 'identity',
  'edits:read': 'read',
  'edits:write': 'write',
  'edits:review': 'write',
  'collections:read': 'read',
  'collections:write': 'write',
  'markers:read': 'read',
  'artists:read': 'read',
};

/** Whether a name is the name of a scope. */
export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}

/**
 * Returns the error message for a `scope` without a known name. It repeats only a harmless name.
 */
export function describeMissingScope(scope: string): string {
  const [name] = findUnknownScopes(scope);
  if (name === undefined) return 'scope is missing. Name at least one scope; spaces separate several.';
  return /^[\w:.-]{1,40}$/.test(name)
    ? `The scope ${name} does not exist.`
    : 'scope contains a name that does not exist.';
}

/**
 * Parses a `scope` parameter: names separated by spaces, without duplicates (RFC 6749 §3.3).
 * Unknown names are ignored (OpenID Connect Core §3.1.2.1).
 */
export function parseScope(scope: string): Scope[] {
  return splitScope(scope).filter(isScope);
}

/** Returns the names of a `scope` parameter that are not the name of a scope. */
export function findUnknownScopes(scope: string): string[] {
  return splitScope(scope).filter((name) => !isScope(name));
}

/** Returns all names of a `scope` parameter, unknown ones too, without duplicates. */
export function splitScope(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((name) => name !== ''))];
}
