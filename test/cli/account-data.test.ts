import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountArgs, createAppArgs, CliFixture } from '../support/cli.js';
import type { ResponseBody } from '../support/test-server.js';

describe('The commands of an account', () => {
  const fixture = CliFixture.use();
  let id: string;

  beforeAll(async () => {
    ({ id } = await fixture.cli.runJson(...createAccountArgs('mila')));
    await fixture.cli.runJson('regions', 'create', '--name', 'Halvenstad', '--bbox', '4.8,52,5.2,52.3');
  });

  const setRole = (...args: string[]): Promise<ResponseBody> =>
    fixture.cli.runJson('accounts', 'set-role', 'mila', ...args);
  const list = (): Promise<ResponseBody> => fixture.cli.runJson('accounts', 'list');

  it.each([
    [2, /--region or --everywhere must be given/, ['--role', 'moderator']],
    [2, /--region or --everywhere must be given/, ['--role', 'trusted']],
    [1, /There is no region Atlantis/, ['--role', 'trusted', '--region', 'Atlantis']],
    [2, /cannot be used with option/, ['--role', 'trusted', '--region', 'Halvenstad', '--everywhere']],
    [2, /must not be given with --role member/, ['--role', 'member', '--everywhere']],
    [2, /Required option '--role <role>'/, []],
    [2, /Allowed choices are member, trusted, moderator/, ['--role', 'king', '--everywhere']],
  ] as const)('reject a role with exit code %d and %s', async (exitCode, sentence, args) => {
    await fixture.cli.expectFailure(exitCode, sentence, 'accounts', 'set-role', 'mila', ...args);
    expect(await list()).toEqual([expect.objectContaining({ role: 'member', regions: [] })]);
  });

  it('create no trusted account without a region', async () => {
    const args = createAccountArgs('tomas', '--role', 'trusted');
    await fixture.cli.expectFailure(2, /--region or --everywhere must be given/, ...args);
    const created = await fixture.cli.runJson(...args, '--everywhere');
    expect(created).toMatchObject({ username: 'tomas', role: 'trusted' });
    expect(await fixture.cli.runJson('accounts', 'delete', 'tomas')).toEqual({ id: created.id });
  });

  it('change the role, and record who did it', async () => {
    const account = { id, username: 'mila' };
    const regional = { ...account, role: 'trusted', regions: ['reg_halvenstad'] };
    expect(await setRole('--role', 'trusted', '--region', 'Halvenstad')).toEqual(regional);
    const everywhere = { ...account, role: 'moderator', regions: ['*'] };
    expect(await setRole('--role', 'moderator', '--everywhere')).toEqual(everywhere);
    expect(await setRole('--role', 'member')).toEqual({ ...account, role: 'member', regions: [] });
    const [, event] = await fixture.cli.runJson('audit', '--account', 'mila');
    expect(event).toMatchObject({ type: 'account.role_changed', detail: 'moderator (*)', by_operator: true });
  });

  it('list no sessions of a person who never signed in', async () => {
    await fixture.cli.expectFailure(1, /no account unknown/, 'accounts', 'sessions', 'unknown');
    expect(await fixture.cli.runJson('accounts', 'sessions', 'mila', '--end')).toEqual([]);
  });

  it('export the data of one account', async () => {
    await fixture.cli.expectFailure(1, /no account unknown/, 'accounts', 'export', 'unknown');
    const exported = await fixture.cli.runJson('accounts', 'export', 'mila');
    expect(exported).toMatchObject({ account: { id, username: 'mila' }, collections: [], edits: { suggested: [] } });
  });

  it('delete an account and its apps', async () => {
    const app = await fixture.cli.runJson(...createAppArgs('--owner', 'mila'));
    await fixture.cli.expectFailure(1, /no account unknown/, 'accounts', 'delete', 'unknown');
    expect(await fixture.cli.runJson('accounts', 'delete', 'mila')).toEqual({ id });
    for (const command of ['show', 'delete', 'export', 'unblock'])
      await fixture.cli.expectFailure(1, /no account mila/, 'accounts', command, 'mila');
    expect(await list()).toEqual([]);
    expect(await fixture.cli.runJson('apps', 'list')).toEqual([]);
    await fixture.cli.expectFailure(1, /was deleted/, 'apps', 'enable', app.client_id);
    await fixture.cli.expectFailure(1, /username is taken/, ...createAccountArgs('Mila'));
    const events: ResponseBody[] = await fixture.cli.runJson('audit');
    expect(events.find(({ type }) => type === 'account.deleted')).toMatchObject({
      account: `deleted:${id}`,
      detail: null,
      by_operator: true,
    });
  });
});
