import { expect } from '@jest/globals';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A fenced `sh` block of a document. */
export interface ShellBlock {
  file: string;
  code: string;
  /** The `json` block that follows at once: the documented response. */
  response: string | undefined;
}

/** Why no test runs a block. `commands.long.test.ts` checks each reason. */
export type UntestedReason =
  /** Downloads packages; `.ci/run` starts with it. */
  | 'installs'
  /** Takes minutes. */
  | 'benchmark'
  /** Needs Docker. Its commands run with a `docker` that does nothing. */
  | 'docker'
  /** Needs an assistant. Its commands run with a `claude` that does nothing. */
  | 'assistant'
  /** Needs a cluster. Its commands run with a `kubectl` that does nothing. */
  | 'kubernetes'
  /** Needs PostgreSQL programs; `test/faults/postgres-guide.test.ts` runs it. */
  | 'postgres'
  /** `test/browser/example-app.test.ts` or `test/browser/pocket-map.test.ts` runs it. */
  | 'example';

/** The blocks that no test in this folder runs, by the start of their text. */
export const UNTESTED_BLOCKS: Record<string, [start: string, reason: UntestedReason][]> = {
  'README.md': [['npm ci && npm start ', 'installs']],
  'CONTRIBUTING.md': [['npm ci && npm start\n', 'installs']],
  'bench/README.md': [['export DATABASE_URL=sqlite:./data/bench.sqlite ', 'benchmark']],
  'docs/agents.md': [
    ['claude mcp add --transport http --client-id ', 'assistant'],
    ['claude mcp add --transport http map ', 'assistant'],
  ],
  'docs/install.md': [
    ['npm ci && npm run build && npm prune --omit=dev\n', 'installs'],
    ['(umask 077 && mkdir secrets)\n', 'docker'],
    ['docker build --tag street-art-map .\n', 'docker'],
    ['kubectl apply --filename deploy/kubernetes/namespace.yaml\n', 'kubernetes'],
    ['kubectl kustomize deploy/kubernetes > map.yaml\n', 'kubernetes'],
    ['kubectl exec ', 'kubernetes'],
  ],
  'docs/scale.md': [
    ['createuser --pwprompt map\n', 'postgres'],
    ['psql --host=db2 --username=postgres --command=CHECKPOINT\n', 'postgres'],
  ],
  'docs/operate.md': [
    ['docker compose up --detach --no-deps --build --wait map-1\n', 'docker'],
    ['set -a && . ./map.env && set +a\n(umask 077 && pg_dump ', 'postgres'],
    ['createdb --owner=map map_restored\n', 'postgres'],
    ['pg_basebackup --pgdata=/var/backups/base --checkpoint=fast\n', 'postgres'],
  ],
  'docs/quickstart.md': [['npm ci && npm start\n', 'installs']],
  'examples/mural-walk/README.md': [
    ['npm run example\n', 'example'],
    ['cd examples/mural-walk && npm ci\n', 'installs'],
  ],
  'examples/pocket-map/README.md': [['npm run example:browser\n', 'example']],
};

/** Documents whose commands build on each other in this order. */
export const DEVELOPER_GUIDES = ['docs/connect.md', 'docs/map-api.md', 'docs/edits.md'];

/** Documents whose commands build on each other in this order. */
export const OPERATOR_GUIDES = ['docs/install.md', 'docs/scale.md', 'docs/operate.md', 'docs/monitor.md'];

/** Returns the paths of all documents of the repository. */
export async function listDocuments(): Promise<string[]> {
  const docs = await readdir('docs', { recursive: true });
  const inDocs = docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file));
  const others = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const examples = ['examples/mural-walk/README.md', 'examples/pocket-map/README.md'];
  return [...others, 'bench/README.md', ...examples, ...inDocs.sort()];
}

/** Returns the `sh` blocks of a document in their order. */
export async function readShellBlocks(file: string): Promise<ShellBlock[]> {
  const text = await readFile(file, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```$)?/gms)];
  return blocks.map(([, code, response]) => ({ file, code: code!, response }));
}

/** Returns the `sh` blocks that a test of the documents runs, in their order. */
export async function readTestedBlocks(...files: string[]): Promise<ShellBlock[]> {
  const blocks = await Promise.all(files.map(readShellBlocks));
  return blocks.flat().filter((block) => findUntestedReason(block) === undefined);
}

/** Returns the `sh` blocks that no test of the document runs for a reason. */
export async function readUntestedBlocks(reason: UntestedReason): Promise<ShellBlock[]> {
  const blocks = await Promise.all(Object.keys(UNTESTED_BLOCKS).map(readShellBlocks));
  return blocks.flat().filter((block) => findUntestedReason(block) === reason);
}

/** Returns the reason of a block in `UNTESTED_BLOCKS`. */
export function findUntestedReason({ file, code }: ShellBlock): UntestedReason | undefined {
  return UNTESTED_BLOCKS[file]?.find(([start]) => code.startsWith(start))?.[1];
}

const BLOCK_END = '=== end of block ===';

/** What a documented response leaves out. */
const REST = '…';

/** Returns a script that runs blocks and prints the end of each. */
export function joinBlocks(blocks: ShellBlock[]): string {
  return blocks.map(({ code }) => `${code}\necho; echo '${BLOCK_END}'`).join('\n');
}

/**
 * Expects that the script of `joinBlocks` printed the documented responses. In a document, `…`
 * stands for the rest of a text, for further members or for further items.
 */
export function expectResponses(blocks: ShellBlock[], output: string): void {
  expect(blocks.some(({ response }) => response !== undefined)).toBe(true);
  const outputs = output.split(BLOCK_END).map(readJsonValues);
  const documented = blocks.map(({ code, response }, index) => ({
    code,
    response: response === undefined ? outputs[index] : fillIn(readJsonValues(response), outputs[index]),
  }));
  expect(blocks.map(({ code }, index) => ({ code, response: outputs[index] }))).toEqual(documented);
}

/** Returns the JSON values of a text, one after the other. `…` becomes a member or an item. */
function readJsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  const open: string[] = [];
  let json = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[^"]/g)) {
    if (open.length === 0 && !'{['.includes(token)) continue;
    json += token !== REST ? token : open.at(-1) === '{' ? `"${REST}":0` : `"${REST}"`;
    if ('{['.includes(token)) open.push(token);
    if (!'}]'.includes(token)) continue;
    open.pop();
    if (open.length > 0) continue;
    values.push(JSON.parse(json));
    json = '';
  }
  return values;
}

/** Returns a documented value in which the real value replaces each `…` that it matches. */
function fillIn(documented: unknown, real: unknown): unknown {
  if (typeof documented === 'string' && typeof real === 'string') {
    const [start, end] = documented.split(REST);
    return end !== undefined && real.startsWith(start!) && real.endsWith(end) ? real : documented;
  }
  if (Array.isArray(documented) && Array.isArray(real)) {
    const isOpen = documented.at(-1) === REST;
    const items = (isOpen ? documented.slice(0, -1) : documented).map((item, index) => fillIn(item, real[index]));
    return isOpen ? [...items, ...real.slice(items.length)] : items;
  }
  if (!isRecord(documented) || !isRecord(real)) return documented;
  const { [REST]: rest, ...members } = documented;
  const filled = Object.entries(members).map(([name, member]) => [name, fillIn(member, real[name])]);
  return { ...(rest !== undefined && real), ...Object.fromEntries(filled) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Links the files that the npm scripts need into a folder, as if it were the repository. */
export async function linkRepository(folder: string): Promise<void> {
  for (const name of ['dist', 'examples', 'node_modules', 'package.json', 'scripts'])
    await symlink(resolve(name), join(folder, name));
}
