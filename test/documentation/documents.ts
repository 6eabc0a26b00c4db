import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A fenced `sh` block of a document. */
export interface ShellBlock {
  file: string;
  code: string;
  /** The `json` block that follows at once: the documented response. */
  response: string | undefined;
}

/**
 * The first line of each `sh` block that no test runs, by document. These blocks install, start or
 * benchmark the service, need Docker or PostgreSQL programs, or use the demo of another folder.
 */
export const UNTESTED_BLOCKS: Record<string, string[]> = {
  'README.md': ['npm ci && npm start    # builds, creates a database with demo data, listens on http://localhost:3000'],
  'CONTRIBUTING.md': ['npm ci && npm start'],
  'bench/README.md': [
    'export DATABASE_URL=sqlite:./data/bench.sqlite       # or postgres://…/bench, an empty database',
  ],
  'docs/app-developers.md': [
    'npm run --silent cli -- tokens issue --app app_… --account mila --scope "markers:read artists:read collections:read collections:write edits:read edits:write"',
  ],
  'docs/configuration.md': ['npm run --silent cli -- COMMAND'],
  'docs/operations.md': [
    'npm ci && npm run build && npm prune --omit=dev',
    'set -a && . ./map.env && set +a\nnode dist/src/main.js',
    'createuser --pwprompt map',
    "printf 'BASE_URL=http://localhost:8080\\nMASTER_SECRET=%s\\nPOSTGRES_PASSWORD=%s\\n' $(openssl rand -hex 32) $(openssl rand -hex 16) > .env",
    'docker build --tag street-art-map .',
    'docker compose up --detach --no-deps --build --wait map-1',
    'set -a && . ./map.env && set +a\n(umask 077 && pg_dump',
    'createdb --owner=map map_restored',
    'pg_basebackup --pgdata=/var/backups/base --checkpoint=fast',
  ],
  'docs/quickstart.md': [
    'npm ci && npm start',
    'npm run --silent cli -- tokens issue --app $CLIENT_ID --account mila --scope "markers:read edits:write"',
  ],
  'examples/mural-walk/README.md': [
    'npm run example',
    'npm run --silent cli -- apps create --name "Mural Walk" --redirect-uri http://127.0.0.1:4100/callback \\',
  ],
};

/** Returns the paths of all documents of the repository. */
export async function listDocuments(): Promise<string[]> {
  const docs = await readdir('docs', { recursive: true });
  const inDocs = docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file));
  const others = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  return [...others, 'bench/README.md', 'examples/mural-walk/README.md', ...inDocs.sort()];
}

/** Returns the `sh` blocks of a document in their order. */
export async function readShellBlocks(file: string): Promise<ShellBlock[]> {
  const text = await readFile(file, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```$)?/gms)];
  return blocks.map(([, code, response]) => ({ file, code: code!, response }));
}

/** Returns the `sh` blocks that a test of the document runs. */
export async function readTestedBlocks(file: string): Promise<ShellBlock[]> {
  return (await readShellBlocks(file)).filter((block) => !isUntested(block));
}

/** Whether a block is in `UNTESTED_BLOCKS`. */
export function isUntested({ file, code }: ShellBlock): boolean {
  return (UNTESTED_BLOCKS[file] ?? []).some((start) => code.startsWith(start));
}
