/** A string, or a sign that tells where objects, lists and their members are; in JSON that was parsed there is no other. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** What a JSON text holds beside its value. */
export interface JsonStructure {
  depth: number;
  /** Names of members of the outermost object that stand there more than once; `JSON.parse` keeps only the last. */
  duplicateMembers: Set<string>;
  /** Whether any object in it, however deep, has a member twice. */
  hasDuplicateMembers: boolean;
}

/** The shape of a well-formed JSON text. Walks the text, so that no depth exhausts the stack. */
export function analyzeJson(text: string): JsonStructure {
  const shape: JsonStructure = { depth: 0, duplicateMembers: new Set(), hasDuplicateMembers: false };
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') recordMember(shape, open, JSON.parse(last) as string);
    else last = token;
    shape.depth = Math.max(shape.depth, open.length);
  }
  return shape;
}

function recordMember(shape: JsonStructure, open: Set<string>[], name: string): void {
  const names = open.at(-1)!;
  if (names.has(name)) {
    shape.hasDuplicateMembers = true;
    if (open.length === 1) shape.duplicateMembers.add(name);
  }
  names.add(name);
}
