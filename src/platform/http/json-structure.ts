/** A string or a structural character. Well-formed JSON has no other use of these characters. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** The properties of a JSON text that `JSON.parse` drops. */
export interface JsonStructure {
  /** Levels of nested objects and arrays. */
  depth: number;
  /** Duplicate member names of the outermost object. */
  duplicateMembers: Set<string>;
  /** Whether an object at any level has two members of one name. */
  hasDuplicateMembers: boolean;
}

/** Analyzes a well-formed JSON text. The scan is iterative, so no depth exhausts the stack. */
export function analyzeJson(text: string): JsonStructure {
  const structure: JsonStructure = { depth: 0, duplicateMembers: new Set(), hasDuplicateMembers: false };
  const openMembers: Set<string>[] = [];
  let lastString = '';
  for (const token of text.match(JSON_TOKEN) ?? []) {
    if (token === '{' || token === '[') structure.depth = Math.max(structure.depth, openMembers.push(new Set()));
    else if (token === '}' || token === ']') openMembers.pop();
    else if (token === ':') recordMember(structure, openMembers, parseString(lastString));
    else lastString = token;
  }
  return structure;
}

/** Skips the parser for a string without escapes, which is the common case. */
function parseString(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function recordMember(structure: JsonStructure, openMembers: Set<string>[], name: string): void {
  const names = openMembers.at(-1)!;
  if (names.has(name)) {
    structure.hasDuplicateMembers = true;
    if (openMembers.length === 1) structure.duplicateMembers.add(name);
  }
  names.add(name);
}
