import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createAccountArgs, createAppArgs, Cli, CliFixture } from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { runNode } from '../support/run-command.js';
import type { ResponseBody } from '../support/test-server.js';

const ISO_DATE_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Command line', () => {
  const fixture = CliFixture.use();

  it('migrate applies the migrations once', async () => {
    const { applied } = await fixture.cli.runJson('migrate');
    expect(applied.length).toBeGreaterThan(0);
    expect(await fixture.cli.runJson('migrate')).toEqual({ applied: [] });
  });

  it('--version prints the version of the service', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    const printed = { code: 0, stdout: `${version}\n`, stderr: '' };
    expect(await runNode(['dist/src/cli.js', '--version'], {})).toMatchObject(printed);
    expect(await fixture.cli.run('--version')).toMatchObject(printed);
  });

  it('regions create and list', async () => {
    const region = { id: 'reg_tavu-point', name: 'Tavu Point', bbox: [179.8, -17, -179.8, -16.6] };
    expect(
      await fixture.cli.runJson('regions', 'create', '--name', 'Tavu Point', '--bbox', '179.8,-17,-179.8,-16.6'),
    ).toEqual(region);
    expect(await fixture.cli.runJson('regions', 'list')).toEqual([region]);
    await fixture.cli.expectFailure(
      1,
      /^--name must be unique/,
      'regions',
      'create',
      '--name',
      'Tavu Point',
      '--bbox',
      '1,1,2,2',
    );
    for (const bbox of ['1,2,3', '1,2,3,x', '1,2,3,1', '0,0,181,1', '1,2,3,4,5', '']) {
      await fixture.cli.expectFailure(2, /box/, 'regions', 'create', '--name', 'Nowhere', '--bbox', bbox);
    }
  });

  it('accounts create, show, list, block and unblock', async () => {
    const created = await fixture.cli.runJson(...createAccountArgs('mila'));
    expect(created).toEqual({ id: expect.stringMatching(/^usr_/), username: 'mila', role: 'member' });
    await fixture.cli.runJson(...createAccountArgs('tevita', '--role', 'moderator', '--region', 'Tavu Point'));
    const unblocked = {
      email: 'mila@example.org',
      name: 'A Person',
      regions: [],
      blocked_at: null,
      blocked_reason: null,
      blocked_until: null,
    };
    expect(await fixture.cli.runJson('accounts', 'show', 'Mila')).toEqual({ ...created, ...unblocked });
    expect(
      (await fixture.cli.runJson('accounts', 'list')).map(({ username, regions }: ResponseBody) => ({
        username,
        regions,
      })),
    ).toEqual([
      { username: 'mila', regions: [] },
      { username: 'tevita', regions: ['reg_tavu-point'] },
    ]);
    const blocked = await fixture.cli.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
    expect(blocked).toMatchObject({
      username: 'mila',
      blocked_at: expect.stringMatching(ISO_DATE_PATTERN),
      blocked_reason: 'A test.',
      blocked_until: null,
    });
    expect(await fixture.cli.runJson('accounts', 'unblock', 'mila')).toMatchObject({
      blocked_at: null,
      blocked_reason: null,
      blocked_until: null,
    });
  });

  it('accounts block --until ends a block by itself, and rejects an end that is not in the future', async () => {
    const block = ['accounts', 'block', 'mila', '--reason', 'A test.', '--until'];
    const blocked = { blocked_reason: 'A test.', blocked_until: '2100-01-31T08:00:00.000Z' };
    expect(await fixture.cli.runJson(...block, '2100-01-31T08:00Z')).toMatchObject(blocked);
    expect(await fixture.cli.runJson('accounts', 'show', 'mila')).toMatchObject(blocked);
    for (const until of ['2026-01-31', '0d', 'tomorrow', ''])
      await fixture.cli.expectFailure(2, /^--until must be a date in the future/, ...block, until);
    const noBlock = { blocked_at: null, blocked_reason: null, blocked_until: null };
    expect(await fixture.cli.runJson('accounts', 'unblock', 'mila')).toMatchObject(noBlock);
  });

  it('apps create, list, rotate-secret, set-first-party, disable and enable', async () => {
    const created = await fixture.cli.runJson(
      ...createAppArgs(
        '--name',
        'An App',
        '--owner',
        'mila',
        '--required-scope',
        'openid',
        '--id-token-alg',
        'ES256',
        '--no-pkce',
      ),
    );
    expect(created).toEqual({
      client_id: expect.stringMatching(/^app_/),
      client_secret: expect.stringMatching(/^sam_secret_/),
    });
    const { client_id } = created as { client_id: string };
    const listed = {
      client_id,
      name: 'An App',
      description: null,
      home_page: null,
      redirect_uris: ['https://app.example.org/callback'],
      scopes: ['markers:read', 'openid'],
      first_party: false,
      listing: 'none',
      token_rate_limit: null,
      disabled_at: null,
    };
    expect(await fixture.cli.runJson('apps', 'list')).toEqual([listed]);
    const rotated = await fixture.cli.runJson('apps', 'rotate-secret', client_id);
    expect(rotated.client_id).toBe(client_id);
    expect(rotated.client_secret).not.toBe(created.client_secret);
    expect(await fixture.cli.runJson('apps', 'disable', client_id)).toEqual({
      ...listed,
      disabled_at: expect.stringMatching(ISO_DATE_PATTERN),
    });
    expect(await fixture.cli.runJson('apps', 'enable', client_id)).toEqual(listed);
    expect(await fixture.cli.runJson('apps', 'set-first-party', client_id)).toEqual({ ...listed, first_party: true });
    expect(await fixture.cli.runJson('apps', 'set-first-party', client_id, '--off')).toEqual(listed);
  });

  it('keys list', async () => {
    const keys = await fixture.cli.runJson('keys', 'list');
    expect(keys.map(({ algorithm }: { algorithm: string }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    expect(JSON.stringify(keys)).not.toMatch(/private/i);
  });

  it('demo requires an empty database, and is rejected in production', async () => {
    await fixture.cli.expectFailure(1, /not empty/, 'demo');
    const newSecret = await createDatabase();
    const { json: demo } = (await new Cli(newSecret.url).run('demo')) as {
      json: { people: object[]; apps: object[]; refresh_token: string };
    };
    expect(demo.people.length).toBeGreaterThan(3);
    expect(demo.apps[0]).toEqual({
      name: expect.any(String),
      client_id: expect.stringMatching(/^app_/),
      client_secret: expect.stringMatching(/^sam_secret_/),
      scope: expect.any(String),
    });
    await newSecret.drop();
    const production = {
      DATABASE_URL: fixture.database.url,
      NODE_ENV: 'production',
      MASTER_SECRET: TEST_SETTINGS.MASTER_SECRET,
    };
    const { code, stderr } = await runNode(['dist/src/cli.js', 'demo'], production);
    expect(code).toBe(1);
    expect(stderr).toMatch(/production/);
  });

  it('prints text without --json, also for an error', async () => {
    const environment = { ...TEST_SETTINGS, DATABASE_URL: fixture.database.url };
    const { stdout } = await runNode(['dist/src/cli.js', 'accounts', 'show', 'mila'], environment);
    expect(stdout).toMatch(/^username +mila$/m);
    expect(await runNode(['dist/src/cli.js', 'accounts', 'show', 'nobody'], environment)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no account nobody. The command accounts list shows all accounts.\n',
    });
  });

  it('ends with exit code 2 and names --help after wrong usage, without any setting', async () => {
    for (const args of [['nonsense'], ['apps', 'nonsense'], ['apps', 'enable'], ['apps', 'list', '--al']]) {
      const { code, stdout, stderr } = await runNode(['dist/src/cli.js', ...args], {});
      const sentence = expect.stringMatching(/^(Unknown|Missing) [^\n]+\. Run the command with --help [^\n]+\n$/);
      expect({ args, code, stdout, stderr }).toEqual({ args, code: 2, stdout: '', stderr: sentence });
    }
    const help = await runNode(['dist/src/cli.js', 'apps'], {});
    expect(help).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Usage:.*A command is missing\./s),
    });
    expect(await runNode(['dist/src/cli.js', 'apps', '--help'], {})).toMatchObject({ code: 0, stderr: '' });
  });

  it('names invalid settings, and a wrong MASTER_SECRET', async () => {
    const { code, stderr } = await runNode(['dist/src/cli.js', 'migrate'], {
      DATABASE_URL: 'mysql://x',
      PORT: 'x',
      NODE_ENV: 'prod',
      MASTER_SECRET: 'short',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DATABASE_URL must be/m);
    expect(stderr).toMatch(/^PORT must be/m);
    expect(stderr).toMatch(/^NODE_ENV must be/m);
    expect(stderr).not.toMatch(/^ +at /m);
    const other = await runNode(['dist/src/cli.js', 'keys', 'list'], {
      DATABASE_URL: fixture.database.url,
      NODE_ENV: 'test',
      MASTER_SECRET: 'quite another secret',
    });
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/MASTER_SECRET does not decrypt the signing keys/);
  });
});
