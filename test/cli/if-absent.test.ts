import { describe, expect, it } from '@jest/globals';
import { CliFixture, createAccountArgs, createAppArgs } from '../support/cli.js';
import { type CommandResult, runNode } from '../support/run-command.js';
import type { ResponseBody } from '../support/test-server.js';
import { TEST_SETTINGS } from '../support/test-settings.js';

/** Commands that run at the same time. */
const COMMAND_COUNT = 2;

describe('--if-absent', () => {
  const fixture = CliFixture.use();
  const createRegionArgs = (name: string, bbox: string): string[] => [
    ...['regions', 'create', '--name', name, '--bbox', bbox],
  ];
  const runJson = (args: string[]): Promise<ResponseBody> => fixture.cli.runJson(...args, '--if-absent');
  /** Runs a command in several processes. @returns the ids, one for each process */
  const runTogether = async (args: string[], idMember: string): Promise<string[]> => {
    const environment = { ...TEST_SETTINGS, DATABASE_URL: fixture.database.url };
    const words = ['dist/src/cli.js', ...args, '--if-absent', '--json'];
    const run = (): Promise<CommandResult> => runNode(words, environment);
    const results = await Promise.all(Array.from({ length: COMMAND_COUNT }, run));
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(COMMAND_COUNT).fill({ code: 0, stderr: '' }),
    );
    return results.map(({ json }) => (json as Record<string, string>)[idMember]!);
  };
  const snapshot = async (): Promise<ResponseBody[]> => [
    await fixture.cli.runJson('accounts', 'list'),
    await fixture.cli.runJson('apps', 'list'),
    await fixture.cli.runJson('regions', 'list'),
    await fixture.cli.runJson('audit'),
  ];

  it('creates what is absent, with the secret of a new app', async () => {
    expect(await runJson(createRegionArgs('Old Port', '1,1,2,2'))).toMatchObject({ name: 'Old Port' });
    const account = await runJson(createAccountArgs('mila', '--role', 'trusted', '--region', 'Old Port'));
    expect(account).toEqual({ id: expect.stringMatching(/^usr_/), username: 'mila', role: 'trusted' });
    const app = await runJson(createAppArgs('--name', 'Stair Walk', '--owner', 'mila'));
    expect(app).toEqual({ client_id: expect.any(String), client_secret: expect.stringMatching(/^sam_secret_/) });
  });

  it('prints the id of an existing account, app and region, no secret, and changes nothing', async () => {
    const [[account], [app], [region], events] = await snapshot();
    const existing = { id: account.id, username: 'mila', role: 'trusted' };
    for (const args of [
      createAccountArgs('mila'),
      createAccountArgs('MILA', '--email', 'new@example.org', '--name', 'Other', '--password', 'another horse'),
      createAccountArgs('mila', '--role', 'moderator', '--region', 'Atlantis'),
    ])
      expect(await runJson(args)).toEqual(existing);
    for (const args of [
      createAppArgs('--name', 'Stair Walk'),
      createAppArgs('--name', ' Stair Walk ', '--redirect-uri', 'https://other.example/cb', '--owner', 'nobody'),
      createAppArgs('--name', 'Stair Walk', '--public', '--first-party'),
    ])
      expect(await runJson(args)).toEqual({ client_id: app.client_id });
    for (const bbox of ['1,1,2,2', '5,5,6,6'])
      expect(await runJson(createRegionArgs('Old Port', bbox))).toEqual({
        id: region.id,
        name: 'Old Port',
        bbox: [1, 1, 2, 2],
      });
    expect(await snapshot()).toEqual([[account], [app], [region], events]);
  });

  it('is not the default', async () => {
    const { cli } = fixture;
    expect(await cli.expectFailure(1, /taken/, ...createAccountArgs('mila'))).toBe('username_taken');
    const appArgs = createAppArgs('--name', 'Stair Walk');
    expect(await cli.expectFailure(1, /look like/, ...appArgs)).toBe('name_taken');
    expect(await cli.expectFailure(1, /unique/, ...createRegionArgs('Old Port', '5,5,6,6'))).toBe('name_taken');
  });

  it('refuses a value that is taken by another name', async () => {
    const before = await snapshot();
    for (const [args, code] of [
      [createAccountArgs('other', '--email', 'mila@example.org'), 'email_taken'],
      [createAccountArgs('other', '--role', 'trusted', '--region', 'Atlantis'), 'region_not_found'],
      [createAppArgs('--name', 'STAIR WALK'), 'name_taken'],
      [createAppArgs('--owner', 'nobody'), 'account_not_found'],
    ] as const)
      expect(await fixture.cli.expectFailure(1, /./, ...args, '--if-absent')).toBe(code);
    await fixture.cli.expectFailure(2, /--name/, ...createAppArgs('--name', ''), '--if-absent');
    await fixture.cli.expectFailure(2, /--bbox/, ...createRegionArgs('Old Port', '1,2,3'), '--if-absent');
    await fixture.cli.expectFailure(2, /--username/, ...createAccountArgs('mi la'), '--if-absent');
    expect(await snapshot()).toEqual(before);
  });

  it('refuses the names of a deleted account and of a deleted app', async () => {
    const { client_id } = await runJson(createAppArgs('--name', 'Night Walk'));
    await runJson(createAccountArgs('leaver'));
    await fixture.cli.runJson('apps', 'delete', client_id);
    await fixture.cli.runJson('accounts', 'delete', 'leaver');
    for (const [args, code] of [
      [createAppArgs('--name', 'Night Walk'), 'name_taken'],
      [createAccountArgs('leaver'), 'username_taken'],
    ] as const)
      expect(await fixture.cli.expectFailure(1, /./, ...args, '--if-absent')).toBe(code);
  });

  it('creates one row when several commands run at the same time, and each prints its id', async () => {
    for (const [args, idMember] of [
      [createAccountArgs('together'), 'id'],
      [createAppArgs('--name', 'Together'), 'client_id'],
      [createRegionArgs('Together', '7,7,8,8'), 'id'],
    ] as const) {
      const ids = await runTogether(args, idMember);
      expect(new Set(ids).size).toBe(1);
    }
  });
});
