import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Which rooms a room may import from, besides its own. Data goes one way: a token is understood below the place that
 * issues it, and a resource knows nothing of how its caller got one.
 */
const PLATFORM_MODULES = ['config', 'database', 'http', 'crypto', 'audit', 'metrics'];
const ALLOWED_IMPORTS: Record<string, string[]> = {
  config: [],
  database: ['config'],
  http: ['config', 'database'],
  crypto: [],
  audit: ['database', 'http'],
  metrics: [],
  'failed-calls': ['crypto', 'database', 'http'],
  keys: ['config', 'crypto', 'database', 'audit'],
  scopes: [...PLATFORM_MODULES, 'keys'],
  limits: ['config', 'http', 'scopes'],
  // What scopes mean is said in words.
  words: ['http', 'scopes'],
  views: [...PLATFORM_MODULES, 'scopes', 'words'],
  accounts: [...PLATFORM_MODULES, 'scopes', 'limits', 'words', 'views'],
  apps: [...PLATFORM_MODULES, 'keys', 'scopes', 'accounts', 'failed-calls', 'words', 'views'],
  openid: [...PLATFORM_MODULES, 'keys', 'accounts', 'apps', 'scopes', 'words', 'views'],
  oauth: [...PLATFORM_MODULES, 'accounts', 'apps', 'openid', 'scopes', 'limits', 'failed-calls', 'words', 'views'],
  operations: [...PLATFORM_MODULES, 'keys', 'accounts', 'oauth'],
  health: ['database', 'scopes'],
  home: ['accounts', 'scopes', 'views'],
  activity: [...PLATFORM_MODULES, 'scopes', 'accounts', 'apps', 'words', 'views'],
  search: ['http'],
  history: [...PLATFORM_MODULES, 'accounts'],
  artists: [...PLATFORM_MODULES, 'scopes', 'accounts', 'search', 'history'],
  markers: [...PLATFORM_MODULES, 'scopes', 'accounts', 'artists', 'search', 'history'],
  collections: [...PLATFORM_MODULES, 'scopes', 'accounts', 'markers'],
  // An edit names the app through which it was suggested.
  edits: [...PLATFORM_MODULES, 'scopes', 'accounts', 'apps', 'markers', 'collections', 'artists', 'history'],
  // It tells of all that apps can call.
  reference: [
    ...PLATFORM_MODULES,
    'scopes',
    'limits',
    'accounts',
    'apps',
    'openid',
    'oauth',
    'artists',
    'markers',
    'collections',
    'edits',
    'history',
    'words',
    'views',
  ],
};
/** What puts the house together may look into every room, and no room looks at it. */
const COMPOSITION_MODULES = ['app', 'demo', 'cli'];

interface Import {
  from: string;
  to: string;
}

describe('The house', () => {
  it('lets rooms import only from those below them', async () => {
    const wrong = (await listImports()).filter(({ from, to }) => {
      const [room, other] = [getModuleName(from), getModuleName(to)];
      return room !== other && !COMPOSITION_MODULES.includes(room) && !ALLOWED_IMPORTS[room]?.includes(other);
    });
    expect(wrong).toEqual([]);
  });

  it('knows every room', async () => {
    const rooms = new Set((await listSourceFiles()).map(getModuleName));
    expect([...rooms].sort()).toEqual([...Object.keys(ALLOWED_IMPORTS), ...COMPOSITION_MODULES].sort());
  });

  it('keeps controllers away from the database, and entities away from services', async () => {
    for (const file of await listSourceFiles()) {
      const text = await readFile(file, 'utf8');
      if (file.endsWith('.controller.ts'))
        expect({ file, typeorm: /from 'typeorm'|InjectRepository/.test(text) }).toEqual({ file, typeorm: false });
      if (file.endsWith('.entity.ts'))
        expect({ file, service: /\.service\.js'/.test(text) }).toEqual({ file, service: false });
    }
  });

  it("lets a service use only its own module's repositories", async () => {
    for (const file of (await listSourceFiles()).filter((path) => !COMPOSITION_MODULES.includes(getModuleName(path)))) {
      const text = await readFile(file, 'utf8');
      for (const [, entity] of text.matchAll(/InjectRepository\((\w+)\)/g)) {
        const [, path] = new RegExp(`import .*\\b${entity!}\\b.* from '(.*)'`).exec(text)!;
        expect({ file, room: getModuleName(resolve(dirname(file), path!)) }).toEqual({
          file,
          room: getModuleName(file),
        });
      }
    }
  });

  it('has no barrels and no forward references', async () => {
    const files = await listSourceFiles();
    expect(files.filter((file) => file.endsWith('/index.ts'))).toEqual([]);
    for (const file of files)
      expect({ file, forward: (await readFile(file, 'utf8')).includes('forwardRef') }).toEqual({
        file,
        forward: false,
      });
  });

  it('reads the environment in one place', async () => {
    const readers: string[] = [];
    for (const file of await listSourceFiles())
      if ((await readFile(file, 'utf8')).includes('process.env')) readers.push(getModuleName(file));
    expect([...new Set(readers)]).toEqual(['config']);
  });
});

async function listSourceFiles(): Promise<string[]> {
  const files = await readdir('src', { recursive: true });
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => join('src', file));
}

/** All imports between files of `src`; `ormconfig.ts` lists the entities of every room, so it is no room. */
async function listImports(): Promise<Import[]> {
  const found: Import[] = [];
  for (const from of await listSourceFiles()) {
    for (const [, path] of (await readFile(from, 'utf8')).matchAll(/from '(\..*?)'/g)) {
      const to = relative('.', resolve(dirname(from), path!));
      if (to.startsWith('src/')) found.push({ from, to });
    }
  }
  expect(found.length).toBeGreaterThan(100);
  return found;
}

/** `src/oauth/grants/grant.ts` is in the room `oauth`; a file in `src` itself is in `app`. */
function getModuleName(file: string): string {
  const path = relative('src', file).split('/');
  return path.length > 1 ? path[0]! : path[0]!.startsWith('cli') ? 'cli' : 'app';
}
