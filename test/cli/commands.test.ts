import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountArgs, createAppArgs, Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { runNode } from '../support/server-process.js';
import type { ResponseBody } from '../support/test-server.js';

const ISO_DATE_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('The command line', () => {
  let database: TestDatabase;
  let commands: Cli;

  beforeAll(async () => {
    database = await createDatabase();
    commands = new Cli(database.url);
  });
  afterAll(async () => {
    await database.drop();
  });

  it('migrate: brings the database up to date, and then has nothing to do', async () => {
    const { applied } = await commands.runJson('migrate');
    expect(applied.length).toBeGreaterThan(0);
    expect(await commands.runJson('migrate')).toEqual({ applied: [] });
  });

  it('regions create and list', async () => {
    const region = { id: 'reg_tavu-point', name: 'Tavu Point', bbox: [179.8, -17, -179.8, -16.6] };
    expect(
      await commands.runJson('regions', 'create', '--name', 'Tavu Point', '--bbox', '179.8,-17,-179.8,-16.6'),
    ).toEqual(region);
    expect(await commands.runJson('regions', 'list')).toEqual([region]);
    await commands.expectFailure(/already/, 'regions', 'create', '--name', 'Tavu Point', '--bbox', '1,1,2,2');
    for (const bbox of ['1,2,3', '1,2,3,x', '1,2,3,1', '0,0,181,1', '1,2,3,4,5', '']) {
      await commands.expectFailure(/box/, 'regions', 'create', '--name', 'Nowhere', '--bbox', bbox);
    }
  });

  it('accounts create, show, list, block and unblock', async () => {
    const made = await commands.runJson(...createAccountArgs('mila'));
    expect(made).toEqual({ id: expect.stringMatching(/^usr_/), username: 'mila', role: 'member' });
    await commands.runJson(...createAccountArgs('tevita', '--role', 'moderator', '--region', 'Tavu Point'));
    const unblocked = {
      email: 'mila@example.org',
      name: 'A Person',
      regions: [],
      blocked_at: null,
      blocked_reason: null,
    };
    expect(await commands.runJson('accounts', 'show', 'Mila')).toEqual({ ...made, ...unblocked });
    expect(
      (await commands.runJson('accounts', 'list')).map(({ username, regions }: ResponseBody) => ({
        username,
        regions,
      })),
    ).toEqual([
      { username: 'mila', regions: [] },
      { username: 'tevita', regions: ['reg_tavu-point'] },
    ]);
    const blocked = await commands.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
    expect(blocked).toMatchObject({
      username: 'mila',
      blocked_at: expect.stringMatching(ISO_DATE_PATTERN),
      blocked_reason: 'A test.',
    });
    expect(await commands.runJson('accounts', 'unblock', 'mila')).toMatchObject({
      blocked_at: null,
      blocked_reason: null,
    });
  });

  it('accounts refuses what is taken, unknown or not well-formed', async () => {
    await commands.expectFailure(/taken/, ...createAccountArgs('MILA'));
    await commands.expectFailure(/e-mail/, ...createAccountArgs('other', '--email', 'mila@example.org'));
    await commands.expectFailure(/username/, ...createAccountArgs('not a name'));
    for (const name of [' ', '\u200b', 'a\nb', '\u202eb', 'x'.repeat(101)]) {
      await commands.expectFailure(/name takes/, ...createAccountArgs('other', '--name', name));
    }
    await commands.expectFailure(/region/, ...createAccountArgs('other', '--region', 'Atlantis'));
    await commands.expectFailure(/role/, ...createAccountArgs('other', '--role', 'king'));
    await commands.expectFailure(/no account nobody/, 'accounts', 'show', 'nobody');
    await commands.expectFailure(/no account nobody/, 'accounts', 'block', 'nobody', '--reason', 'x');
    await commands.expectFailure(/--reason/, 'accounts', 'block', 'mila');
    await commands.expectFailure(/reason/, 'accounts', 'block', 'mila', '--reason', ' ');
  });

  it('apps create, list, rotate-secret, disable and enable', async () => {
    const made = await commands.runJson(
      ...createAppArgs('--owner', 'mila', '--required-scope', 'openid', '--id-token-alg', 'ES256', '--no-pkce'),
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
    expect(await commands.runJson('apps', 'list')).toEqual([listed]);
    const rotated = await commands.runJson('apps', 'rotate-secret', client_id);
    expect(rotated.client_id).toBe(client_id);
    expect(rotated.client_secret).not.toBe(made.client_secret);
    expect(await commands.runJson('apps', 'disable', client_id)).toEqual({
      ...listed,
      disabled_at: expect.stringMatching(ISO_DATE_PATTERN),
    });
    expect(await commands.runJson('apps', 'enable', client_id)).toEqual(listed);
  });

  it('apps refuses what is unknown or not well-formed', async () => {
    await commands.expectFailure(/no scope/, ...createAppArgs('--scope', 'markers:read nonsense'));
    await commands.expectFailure(/required/, ...createAppArgs('--required-scope', 'email'));
    await commands.expectFailure(/no account/, ...createAppArgs('--owner', 'nobody'));
    for (const uri of ['nonsense', 'http://app.example.org/', 'https://app.example.org/#x', 'javascript:alert(1)']) {
      await commands.expectFailure(/address|http|fragment|scheme/, ...createAppArgs('--redirect-uri', uri));
    }
    await commands.expectFailure(/no app/, 'apps', 'disable', 'app_x');
  });

  it('keys list', async () => {
    const keys = await commands.runJson('keys', 'list');
    expect(keys.map(({ algorithm }: { algorithm: string }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    expect(JSON.stringify(keys)).not.toMatch(/private/i);
  });

  it('demo: only into an empty database, and never in production', async () => {
    await commands.expectFailure(/not empty/, 'demo');
    const fresh = await createDatabase();
    const { json: demo } = (await new Cli(fresh.url).run('demo')) as {
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
    const { code, stderr } = await runNode(['dist/src/cli.js', 'demo'], production);
    expect(code).toBe(1);
    expect(stderr).toMatch(/production/);
  });

  it('prints for people without --json, and helps where a word is wrong', async () => {
    const environment = { DATABASE_URL: database.url, MASTER_SECRET: 'a secret of the tests, and of them alone' };
    const { stdout } = await runNode(['dist/src/cli.js', 'accounts', 'show', 'mila'], environment);
    expect(stdout).toMatch(/^username +mila$/m);
    expect((await runNode(['dist/src/cli.js', 'nonsense'], environment)).stderr).toMatch(/unknown command/);
  });

  it('says what is wrong with a setting, and with another MASTER_SECRET', async () => {
    const { code, stderr } = await runNode(['dist/src/cli.js', 'migrate'], {
      DATABASE_URL: 'mysql://x',
      PORT: 'x',
      MASTER_SECRET: 'short',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/DATABASE_URL takes/);
    expect(stderr).toMatch(/PORT takes/);
    expect(stderr).not.toMatch(/^ +at /m);
    const other = await runNode(['dist/src/cli.js', 'keys', 'list'], {
      DATABASE_URL: database.url,
      MASTER_SECRET: 'quite another secret',
    });
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/MASTER_SECRET does not open the signing keys/);
  });
});
