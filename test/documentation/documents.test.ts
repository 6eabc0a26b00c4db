import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RouteRegistryService } from '../../src/identity/scopes/route-registry.service.js';
import { SCOPES } from '../../src/identity/scopes/scopes.js';
import { listSettingNames } from '../support/setting-names.js';
import { TestServer } from '../support/test-server.js';
import { listDocuments } from './documents.js';

const PARTS = ['app', 'map', 'identity', 'platform'];

/** Paths of the repository in backticks. */
const PATH_PATTERN = /`((?:src|test|docs|bench|deploy|examples)\/[\w./-]*\w)`/g;

describe('The documents', () => {
  it('link only to files and headings that exist', async () => {
    const broken: string[] = [];
    for (const file of await listDocuments()) {
      const text = await readFile(file, 'utf8');
      const targets = [...text.matchAll(/\]\(([^)]+)\)|src="([^"]+)"/g)].map(([, link, image]) => (link ?? image)!);
      for (const target of targets) if (!(await linkExists(file, target))) broken.push(`${file}: ${target}`);
    }
    expect(broken).toEqual([]);
  });

  it('name only paths that exist', async () => {
    const missing: string[] = [];
    for (const file of await listDocuments()) {
      const paths = [...(await readFile(file, 'utf8')).matchAll(PATH_PATTERN)].map(([, path]) => path!);
      missing.push(...paths.filter((path) => !existsSync(path)).map((path) => `${file}: ${path}`));
    }
    expect(missing).toEqual([]);
  });

  it('say for whom they are and where to go next, in at most 3,000 words', async () => {
    const guides = (await listDocuments()).filter((file) => file !== 'README.md' && !/\/decisions\/\d/.test(file));
    expect(guides.length).toBeGreaterThan(25);
    for (const file of guides) {
      const text = await readFile(file, 'utf8');
      const found = {
        start: /^# .*\n\nThis document is for /.test(text),
        end: text.slice(text.lastIndexOf('\n## ')).startsWith('\n## Where to go next\n\n- ['),
        isShort: countWords(text) <= 3000,
      };
      expect({ file, ...found }).toEqual({ file, start: true, end: true, isShort: true });
    }
  });

  it('have a README of at most 700 words', async () => {
    expect(countWords(await readFile('README.md', 'utf8'))).toBeLessThanOrEqual(700);
  });

  it('list each folder of src once, in docs/architecture.md', async () => {
    const listed = [...(await readFile('docs/architecture.md', 'utf8')).matchAll(/^\| `(src\/\w+\/[\w-]+)` \|/gm)];
    const folders = await Promise.all(
      PARTS.map(async (part) =>
        (await readdir(join('src', part), { withFileTypes: true }))
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `src/${part}/${name}`),
      ),
    );
    expect(listed.map(([, path]) => path).sort()).toEqual(folders.flat().sort());
  });

  it('list each setting in docs/configuration.md', async () => {
    const text = await readFile('docs/configuration.md', 'utf8');
    const listed = new Set([...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!));
    listed.delete('PUBLIC_PORT'); // of compose.yaml alone
    expect([...listed].sort()).toEqual(listSettingNames().sort());
  });
});

describe('The reference', () => {
  let server: TestServer;
  let text: string;

  beforeAll(async () => {
    server = await TestServer.start();
    text = await readFile('docs/reference.md', 'utf8');
  });
  afterAll(() => server.stop());

  it('lists each API endpoint with its scope', () => {
    const isApi = (path: string): boolean => path.startsWith('/api/') && !path.startsWith('/api/oauth/');
    const routes = server.get(RouteRegistryService).list();
    const declared = routes.filter(({ path }) => isApi(path));
    const rows = [...text.matchAll(/^\| `([A-Z]+) (\/api\/\S+)` \| (?:`([\w:]+)`|none) \|/gm)];
    expect(rows.map(([, method, path, scope = 'none']) => `${method} ${path} ${scope}`).sort()).toEqual(
      declared.map(({ method, path, scope = 'none' }) => `${method} ${path} ${scope}`).sort(),
    );
  });

  it('lists each scope with the text of the consent page', () => {
    for (const [scope, meaning] of Object.entries(SCOPES)) expect(text).toContain(`| \`${scope}\` | ${meaning} |`);
  });
});

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/** Whether a link of a document resolves, with its heading. Web URLs are not requested. */
async function linkExists(file: string, target: string): Promise<boolean> {
  if (/^https?:/.test(target)) return true;
  const [path = '', anchor] = target.split('#');
  const linked = path === '' ? file : join(dirname(file), path);
  if (!existsSync(linked)) return false;
  return anchor === undefined || (await listAnchors(linked)).includes(anchor);
}

/** Returns the anchors of the headings of a document, as GitHub generates them. */
async function listAnchors(file: string): Promise<string[]> {
  const text = (await readFile(file, 'utf8')).replace(/^```.*?^```$/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );
}
