/** How deep a body may be nested: far above any of ours, far below what exhausts the stack. */
const MAX_DEPTH = 32;

/** A string, or a sign that tells where objects, lists and their members are; in JSON that was parsed there is no other. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** What a JSON text holds beside its value. */
export interface JsonShape {
  depth: number;
  /** Names of members of the outermost object that stand there more than once; `JSON.parse` keeps only the last. */
  repeated: Set<string>;
}

/** The depth of a well-formed JSON text, and the members that it repeats. Walks the text, so no depth exhausts the stack. */
export function shapeOf(text: string): JsonShape {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  let deepest = 0;
  let name = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === '}' || token === ']') depth--;
    else if (token !== ':') name = token;
    else if (depth === 1) (seen.has(JSON.parse(name) as string) ? repeated : seen).add(JSON.parse(name) as string);
  }
  return { depth: deepest, repeated };
}

export function isTooDeep(shape: JsonShape): boolean {
  return shape.depth > MAX_DEPTH;
}
