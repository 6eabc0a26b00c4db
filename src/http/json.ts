/** A string, or a sign that tells where objects, lists and their members are; in JSON that was parsed there is no other. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** What a JSON text holds beside its value. */
export interface JsonShape {
  depth: number;
  /** Names of members of the outermost object that stand there more than once; `JSON.parse` keeps only the last. */
  repeated: Set<string>;
  /** Whether any object in it, however deep, has a member twice. */
  repeats: boolean;
}

/** The shape of a well-formed JSON text. Walks the text, so that no depth exhausts the stack. */
export function shapeOf(text: string): JsonShape {
  const shape: JsonShape = { depth: 0, repeated: new Set(), repeats: false };
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') note(shape, open, JSON.parse(last) as string);
    else last = token;
    shape.depth = Math.max(shape.depth, open.length);
  }
  return shape;
}

function note(shape: JsonShape, open: Set<string>[], name: string): void {
  const names = open.at(-1)!;
  if (names.has(name)) {
    shape.repeats = true;
    if (open.length === 1) shape.repeated.add(name);
  }
  names.add(name);
}
