import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountWords, appWords, CommandLine } from '../support/command-line.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { execute } from '../support/processes.js';
import type { Body } from '../support/service.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('The command line', () => {
  let database: TestDatabase;
  let commands: CommandLine;

  beforeAll(async () => {
    database = await newDatabase();
    commands = new CommandLine(database.url);
  });
  afterAll(async () => {
    await database.drop();
  });

  it('migrate: brings the database up to date, and then has nothing to do', async () => {
    const { applied } = await commands.json('migrate');
    expect(applied.length).toBeGreaterThan(0);
    expect(await commands.json('migrate')).toEqual({ applied: [] });
  });

  it('regions create and list', async () => {
    const region = { id: 'reg_tavu-point', name: 'Tavu Point', bbox: [179.8, -17, -179.8, -16.6] };
    expect(
      await commands.json('regions', 'create', '--name', 'Tavu Point', '--bbox', '179.8,-17,-179.8,-16.6'),
    ).toEqual(region);
    expect(await commands.json('regions', 'list')).toEqual([region]);
    await commands.expectRefused(/already/, 'regions', 'create', '--name', 'Tavu Point', '--bbox', '1,1,2,2');
    for (const bbox of ['1,2,3', '1,2,3,x', '1,2,3,1', '0,0,181,1', '1,2,3,4,5', '']) {
      await commands.expectRefused(/box/, 'regions', 'create', '--name', 'Nowhere', '--bbox', bbox);
    }
  });

  it('accounts create, show, list, block and unblock', async () => {
    const made = await commands.json(...accountWords('mila'));
    expect(made).toEqual({ id: expect.stringMatching(/^usr_/), username: 'mila', role: 'member' });
    await commands.json(...accountWords('tevita', '--role', 'moderator', '--region', 'Tavu Point'));
    const unblocked = {
      email: 'mila@example.org',
      name: 'A Person',
      regions: [],
      blocked_at: null,
      blocked_reason: null,
    };
    expect(await commands.json('accounts', 'show', 'Mila')).toEqual({ ...made, ...unblocked });
    expect(
      (await commands.json('accounts', 'list')).map(({ username, regions }: Body) => ({ username, regions })),
    ).toEqual([
      { username: 'mila', regions: [] },
      { username: 'tevita', regions: ['reg_tavu-point'] },
    ]);
    const blocked = await commands.json('accounts', 'block', 'mila', '--reason', 'A test.');
    expect(blocked).toMatchObject({
      username: 'mila',
      blocked_at: expect.stringMatching(ISO),
      blocked_reason: 'A test.',
    });
    expect(await commands.json('accounts', 'unblock', 'mila')).toMatchObject({
      blocked_at: null,
      blocked_reason: null,
    });
  });

  it('accounts refuses what is taken, unknown or not well-formed', async () => {
    await commands.expectRefused(/taken/, ...accountWords('MILA'));
    await commands.expectRefused(/e-mail/, ...accountWords('other', '--email', 'mila@example.org'));
    await commands.expectRefused(/username/, ...accountWords('not a name'));
    for (const name of [' ', '\u200b', 'a\nb', '\u202eb', 'x'.repeat(101)]) {
      await commands.expectRefused(/name takes/, ...accountWords('other', '--name', name));
    }
    await commands.expectRefused(/region/, ...accountWords('other', '--region', 'Atlantis'));
    await commands.expectRefused(/role/, ...accountWords('other', '--role', 'king'));
    await commands.expectRefused(/no account nobody/, 'accounts', 'show', 'nobody');
    await commands.expectRefused(/no account nobody/, 'accounts', 'block', 'nobody', '--reason', 'x');
    await commands.expectRefused(/--reason/, 'accounts', 'block', 'mila');
    await commands.expectRefused(/reason/, 'accounts', 'block', 'mila', '--reason', ' ');
  });

  it('apps create, list, rotate-secret, disable and enable', async () => {
    const made = await commands.json(
      ...appWords('--owner', 'mila', '--required-scope', 'openid', '--id-token-alg', 'ES256', '--no-pkce'),
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
    expect(await commands.json('apps', 'list')).toEqual([listed]);
    const rotated = await commands.json('apps', 'rotate-secret', client_id);
    expect(rotated.client_id).toBe(client_id);
    expect(rotated.client_secret).not.toBe(made.client_secret);
    expect(await commands.json('apps', 'disable', client_id)).toEqual({
      ...listed,
      disabled_at: expect.stringMatching(ISO),
    });
    expect(await commands.json('apps', 'enable', client_id)).toEqual(listed);
  });

  it('apps refuses what is unknown or not well-formed', async () => {
    await commands.expectRefused(/no scope/, ...appWords('--scope', 'markers:read nonsense'));
    await commands.expectRefused(/required/, ...appWords('--required-scope', 'email'));
    await commands.expectRefused(/no account/, ...appWords('--owner', 'nobody'));
    for (const uri of ['nonsense', 'http://app.example.org/', 'https://app.example.org/#x', 'javascript:alert(1)']) {
      await commands.expectRefused(/address|http|fragment|scheme/, ...appWords('--redirect-uri', uri));
    }
    await commands.expectRefused(/no app/, 'apps', 'disable', 'app_x');
  });

  it('keys list', async () => {
    const keys = await commands.json('keys', 'list');
    expect(keys.map(({ algorithm }: { algorithm: string }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    expect(JSON.stringify(keys)).not.toMatch(/private/i);
  });

  it('demo: only into an empty database, and never in production', async () => {
    await commands.expectRefused(/not empty/, 'demo');
    const fresh = await newDatabase();
    const { json: demo } = (await new CommandLine(fresh.url).run('demo')) as {
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
    expect(stderr).not.toMatch(/^ +at /m);
    const other = await execute(['dist/src/cli.js', 'keys', 'list'], {
      DATABASE_URL: database.url,
      MASTER_SECRET: 'quite another secret',
    });
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/MASTER_SECRET does not open the signing keys/);
  });
});
