import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Which rooms a room may import from, besides its own. Data goes one way: a token is understood below the place that
 * issues it, and a resource knows nothing of how its caller got one.
 */
const BELOW_ALL = ['config', 'database', 'http', 'crypto', 'audit', 'metrics'];
const MAY_IMPORT: Record<string, string[]> = {
  config: [],
  database: ['config'],
  http: ['config', 'database'],
  crypto: [],
  audit: ['database', 'http'],
  metrics: [],
  'failed-calls': ['crypto', 'database', 'http'],
  keys: ['config', 'crypto', 'database', 'audit'],
  scopes: [...BELOW_ALL, 'keys'],
  limits: ['config', 'http', 'scopes'],
  // What scopes mean is said in words.
  words: ['http', 'scopes'],
  views: [...BELOW_ALL, 'scopes', 'words'],
  accounts: [...BELOW_ALL, 'scopes', 'limits', 'words', 'views'],
  apps: [...BELOW_ALL, 'keys', 'scopes', 'accounts', 'failed-calls', 'words', 'views'],
  openid: [...BELOW_ALL, 'keys', 'accounts', 'apps', 'scopes', 'words', 'views'],
  oauth: [...BELOW_ALL, 'accounts', 'apps', 'openid', 'scopes', 'limits', 'failed-calls', 'words', 'views'],
  operations: [...BELOW_ALL, 'keys', 'accounts', 'oauth'],
  health: ['database', 'scopes'],
  home: ['accounts', 'scopes', 'views'],
  activity: [...BELOW_ALL, 'scopes', 'accounts', 'apps', 'words', 'views'],
  search: ['http'],
  history: [...BELOW_ALL, 'accounts'],
  artists: [...BELOW_ALL, 'scopes', 'accounts', 'search', 'history'],
  markers: [...BELOW_ALL, 'scopes', 'accounts', 'artists', 'search', 'history'],
  collections: [...BELOW_ALL, 'scopes', 'accounts', 'markers'],
  // An edit names the app through which it was suggested.
  edits: [...BELOW_ALL, 'scopes', 'accounts', 'apps', 'markers', 'collections', 'artists', 'history'],
  // It tells of all that apps can call.
  reference: [
    ...BELOW_ALL,
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
const ABOVE_ALL = ['app', 'demo', 'cli'];

interface Import {
  from: string;
  to: string;
}

describe('The house', () => {
  it('lets rooms import only from those below them', async () => {
    const wrong = (await imports()).filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      return room !== other && !ABOVE_ALL.includes(room) && !MAY_IMPORT[room]?.includes(other);
    });
    expect(wrong).toEqual([]);
  });

  it('knows every room', async () => {
    const rooms = new Set((await sources()).map(roomOf));
    expect([...rooms].sort()).toEqual([...Object.keys(MAY_IMPORT), ...ABOVE_ALL].sort());
  });

  it('keeps controllers away from the database, and entities away from services', async () => {
    for (const file of await sources()) {
      const text = await readFile(file, 'utf8');
      if (file.endsWith('.controller.ts'))
        expect({ file, typeorm: /from 'typeorm'|InjectRepository/.test(text) }).toEqual({ file, typeorm: false });
      if (file.endsWith('.entity.ts'))
        expect({ file, service: /\.service\.js'/.test(text) }).toEqual({ file, service: false });
    }
  });

  it("lets a service use only its own module's repositories", async () => {
    for (const file of (await sources()).filter((path) => !ABOVE_ALL.includes(roomOf(path)))) {
      const text = await readFile(file, 'utf8');
      for (const [, entity] of text.matchAll(/InjectRepository\((\w+)\)/g)) {
        const [, path] = new RegExp(`import .*\\b${entity!}\\b.* from '(.*)'`).exec(text)!;
        expect({ file, room: roomOf(resolve(dirname(file), path!)) }).toEqual({ file, room: roomOf(file) });
      }
    }
  });

  it('has no barrels and no forward references', async () => {
    const files = await sources();
    expect(files.filter((file) => file.endsWith('/index.ts'))).toEqual([]);
    for (const file of files)
      expect({ file, forward: (await readFile(file, 'utf8')).includes('forwardRef') }).toEqual({
        file,
        forward: false,
      });
  });

  it('reads the environment in one place', async () => {
    const readers: string[] = [];
    for (const file of await sources())
      if ((await readFile(file, 'utf8')).includes('process.env')) readers.push(roomOf(file));
    expect([...new Set(readers)]).toEqual(['config']);
  });
});

async function sources(): Promise<string[]> {
  const files = await readdir('src', { recursive: true });
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => join('src', file));
}

/** All imports between files of `src`; `ormconfig.ts` lists the entities of every room, so it is no room. */
async function imports(): Promise<Import[]> {
  const found: Import[] = [];
  for (const from of await sources()) {
    for (const [, path] of (await readFile(from, 'utf8')).matchAll(/from '(\..*?)'/g)) {
      const to = relative('.', resolve(dirname(from), path!));
      if (to.startsWith('src/')) found.push({ from, to });
    }
  }
  expect(found.length).toBeGreaterThan(100);
  return found;
}

/** `src/oauth/grants/grant.ts` is in the room `oauth`; a file in `src` itself is in `app`. */
function roomOf(file: string): string {
  const path = relative('src', file).split('/');
  return path.length > 1 ? path[0]! : path[0]!.startsWith('cli') ? 'cli' : 'app';
}
