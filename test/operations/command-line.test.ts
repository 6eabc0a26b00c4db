import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { cli, execute, newFolder, type Ran, StartedService } from '../support/processes.js';
import type { Body } from '../support/service.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('The command line', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof newFolder>>;

  beforeAll(async () => {
    [database, folder] = await Promise.all([newDatabase(), newFolder()]);
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  const run = (...words: string[]): Promise<Ran> => cli(database.url, ...words);
  /** The JSON of a command that must succeed and print nothing else. */
  const json = async (...words: string[]): Promise<Body> => {
    const { code, stderr, json: printed } = await run(...words);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
    return printed;
  };
  /** One sentence on standard error, nothing on standard output, exit 1. */
  const expectRefused = async (sentence: RegExp, ...words: string[]): Promise<void> => {
    const { code, stdout, stderr } = await run(...words);
    expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/node_modules|at .*\.js/);
  };
  const account = (username: string, ...more: string[]): string[] => [
    ...['accounts', 'create', '--username', username, '--email', `${username}@example.org`, '--name', 'A Person'],
    ...['--password', 'correct horse', ...more],
  ];
  const app = (...more: string[]): string[] => [
    ...['apps', 'create', '--name', 'An App', '--redirect-uri', 'https://app.example.org/callback', '--scope'],
    ...['markers:read openid', ...more],
  ];

  it('migrate: brings the database up to date, and then has nothing to do', async () => {
    const { applied } = await json('migrate');
    expect(applied.length).toBeGreaterThan(0);
    expect(await json('migrate')).toEqual({ applied: [] });
  });

  it('regions create and list', async () => {
    const region = { id: 'reg_tavu-point', name: 'Tavu Point', bbox: [179.8, -17, -179.8, -16.6] };
    expect(await json('regions', 'create', '--name', 'Tavu Point', '--bbox', '179.8,-17,-179.8,-16.6')).toEqual(region);
    expect(await json('regions', 'list')).toEqual([region]);
    await expectRefused(/already/, 'regions', 'create', '--name', 'Tavu Point', '--bbox', '1,1,2,2');
    for (const bbox of ['1,2,3', '1,2,3,x', '1,2,3,1', '0,0,181,1', '']) {
      await expectRefused(/box/, 'regions', 'create', '--name', 'Nowhere', '--bbox', bbox);
    }
  });

  it('accounts create, show, list, block and unblock', async () => {
    const made = await json(...account('mila'));
    expect(made).toEqual({ id: expect.stringMatching(/^usr_/), username: 'mila', role: 'member' });
    await json(...account('tevita', '--role', 'moderator', '--region', 'Tavu Point'));
    const unblocked = {
      email: 'mila@example.org',
      name: 'A Person',
      regions: [],
      blocked_at: null,
      blocked_reason: null,
    };
    expect(await json('accounts', 'show', 'Mila')).toEqual({ ...made, ...unblocked });
    expect((await json('accounts', 'list')).map(({ username, regions }: Body) => ({ username, regions }))).toEqual([
      { username: 'mila', regions: [] },
      { username: 'tevita', regions: ['reg_tavu-point'] },
    ]);
    const blocked = await json('accounts', 'block', 'mila', '--reason', 'A test.');
    expect(blocked).toMatchObject({
      username: 'mila',
      blocked_at: expect.stringMatching(ISO),
      blocked_reason: 'A test.',
    });
    expect(await json('accounts', 'unblock', 'mila')).toMatchObject({ blocked_at: null, blocked_reason: null });
  });

  it('accounts refuses what is taken, unknown or not well-formed', async () => {
    await expectRefused(/taken/, ...account('MILA'));
    await expectRefused(/e-mail/, ...account('other', '--email', 'mila@example.org'));
    await expectRefused(/username/, ...account('not a name'));
    await expectRefused(/region/, ...account('other', '--region', 'Atlantis'));
    await expectRefused(/role/, ...account('other', '--role', 'king'));
    await expectRefused(/no account nobody/, 'accounts', 'show', 'nobody');
    await expectRefused(/no account nobody/, 'accounts', 'block', 'nobody', '--reason', 'x');
    await expectRefused(/--reason/, 'accounts', 'block', 'mila');
  });

  it('apps create, list, rotate-secret, disable and enable', async () => {
    const made = await json(
      ...app('--owner', 'mila', '--required-scope', 'openid', '--id-token-alg', 'ES256', '--no-pkce'),
    );
    expect(made).toEqual({
      client_id: expect.stringMatching(/^app_/),
      client_secret: expect.stringMatching(/^sam_secret_/),
    });
    const { client_id } = made as { client_id: string };
    const listed = {
      client_id,
      name: 'An App',
      redirect_uris: ['https://app.example.org/callback'],
      scopes: ['markers:read', 'openid'],
      disabled_at: null,
    };
    expect(await json('apps', 'list')).toEqual([listed]);
    const rotated = await json('apps', 'rotate-secret', client_id);
    expect(rotated.client_id).toBe(client_id);
    expect(rotated.client_secret).not.toBe(made.client_secret);
    expect(await json('apps', 'disable', client_id)).toEqual({ ...listed, disabled_at: expect.stringMatching(ISO) });
    expect(await json('apps', 'enable', client_id)).toEqual(listed);
  });

  it('apps refuses what is unknown or not well-formed', async () => {
    await expectRefused(/no scope/, ...app('--scope', 'markers:read nonsense'));
    await expectRefused(/required/, ...app('--required-scope', 'email'));
    await expectRefused(/no account/, ...app('--owner', 'nobody'));
    for (const uri of ['nonsense', 'http://app.example.org/', 'https://app.example.org/#x', 'javascript:alert(1)']) {
      await expectRefused(/address|http|fragment|scheme/, ...app('--redirect-uri', uri));
    }
    await expectRefused(/no app/, 'apps', 'disable', 'app_x');
  });

  it('tokens issue: a pair that works, with an id token where openid is in it', async () => {
    const { client_id, client_secret } = await json(...app());
    const issue = ['tokens', 'issue', '--app', client_id, '--account', 'mila', '--scope'];
    const tokens = await json(...issue, 'markers:read openid');
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(await json(...issue, 'markers:read')).not.toHaveProperty('id_token');
    const environment = { DATABASE_URL: database.url, MASTER_SECRET: 'a secret of the tests, and of them alone' };
    const started = await StartedService.in(folder.path, {
      ...environment,
      DEMO_DATA: 'off',
      BASE_URL: 'http://localhost:3000',
    });
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id, client_secret };
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${started.url}/api/oauth/token`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const bearer = { Authorization: `Bearer ${tokens.access_token}` };
    const guarded = await fetch(`${started.url}/api/markers`, { headers: bearer });
    await started.stop();
    expect([answer.status, guarded.status]).toEqual([200, 200]);
  });

  it('tokens issue refuses a scope that the app is not registered for, a disabled app, and a blocked person', async () => {
    const { client_id } = await json(...app());
    const issue = (scope: string, username = 'mila', id = client_id as string): string[] => [
      'tokens',
      'issue',
      '--app',
      id,
      '--account',
      username,
      '--scope',
      scope,
    ];
    await expectRefused(/not registered for the scope edits:write/, ...issue('markers:read edits:write'));
    await expectRefused(/not registered for the scope nonsense/, ...issue('nonsense'));
    await expectRefused(/at least one scope/, ...issue(' '));
    await expectRefused(/no account nobody/, ...issue('markers:read', 'nobody'));
    await expectRefused(/no app/, ...issue('markers:read', 'mila', 'app_x'));
    await json('accounts', 'block', 'mila', '--reason', 'A test.');
    await expectRefused(/blocked/, ...issue('markers:read'));
    await json('accounts', 'unblock', 'mila');
    await json('apps', 'disable', client_id);
    await expectRefused(/disabled/, ...issue('markers:read'));
  });

  it('markers import: puts points onto the map, and says which features it passes over', async () => {
    const point = (properties: object, coordinates: unknown = [5, 52], type = 'Point'): object => ({
      type: 'Feature',
      geometry: { type, coordinates },
      properties,
    });
    const features = [
      point({ title: 'Imported', year: 2020, tags: ['fox'] }),
      point({ title: 'A gallery', kind: 'place', placeType: 'gallery' }),
      point({}),
      point({ title: 'On the moon' }, [500, 52]),
      point({ title: 'A line' }, [[1, 2]], 'LineString'),
      point({ title: 'Odd', nonsense: 1 }),
      point({ title: 'By nobody', artistIds: ['art_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }),
      null,
    ];
    const file = join(folder.path, 'markers.geojson');
    await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features }));
    const { code, json: printed, stderr } = await run('markers', 'import', file);
    expect({ code, printed }).toEqual({ code: 0, printed: { imported: 2, skipped: 6 } });
    for (const number of [3, 4, 5, 6, 7, 8]) expect(stderr).toMatch(new RegExp(`Feature ${number} was passed over`));
    await writeFile(file, '{"type":"Feature"}');
    await expectRefused(/FeatureCollection/, 'markers', 'import', file);
    await writeFile(file, '{');
    await expectRefused(/not JSON/, 'markers', 'import', file);
    await expectRefused(/no such file/, 'markers', 'import', join(folder.path, 'nothing'));
  });

  it('keys list', async () => {
    const keys = await json('keys', 'list');
    expect(keys.map(({ algorithm }: { algorithm: string }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    expect(JSON.stringify(keys)).not.toMatch(/private/i);
  });

  it('demo: only into an empty database, and never in production', async () => {
    await expectRefused(/not empty/, 'demo');
    const fresh = await newDatabase();
    const { json: demo } = (await cli(fresh.url, 'demo')) as {
      json: { people: object[]; apps: object[]; refresh_token: string };
    };
    expect(demo.people.length).toBeGreaterThan(3);
    expect(demo.apps[0]).toEqual({
      name: expect.any(String),
      client_id: expect.stringMatching(/^app_/),
      client_secret: expect.stringMatching(/^sam_secret_/),
      scope: expect.any(String),
    });
    await fresh.drop();
    const production = {
      DATABASE_URL: database.url,
      NODE_ENV: 'production',
      MASTER_SECRET: 'a secret of the tests, and of them alone',
    };
    const { code, stderr } = await execute(['dist/src/cli.js', 'demo'], production);
    expect(code).toBe(1);
    expect(stderr).toMatch(/production/);
  });

  it('prints for people without --json, and helps where a word is wrong', async () => {
    const environment = { DATABASE_URL: database.url, MASTER_SECRET: 'a secret of the tests, and of them alone' };
    const { stdout } = await execute(['dist/src/cli.js', 'accounts', 'show', 'mila'], environment);
    expect(stdout).toMatch(/^username +mila$/m);
    expect((await execute(['dist/src/cli.js', 'nonsense'], environment)).stderr).toMatch(/unknown command/);
  });

  it('says what is wrong with a setting, and with another MASTER_SECRET', async () => {
    const { code, stderr } = await execute(['dist/src/cli.js', 'migrate'], {
      DATABASE_URL: 'mysql://x',
      PORT: 'x',
      MASTER_SECRET: 'short',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/DATABASE_URL takes/);
    expect(stderr).toMatch(/PORT takes/);
    const other = await execute(['dist/src/cli.js', 'keys', 'list'], {
      DATABASE_URL: database.url,
      MASTER_SECRET: 'quite another secret',
    });
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/MASTER_SECRET does not open the signing keys/);
  });
});
