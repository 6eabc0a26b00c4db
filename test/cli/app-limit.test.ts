import { beforeAll, describe, expect, it } from '@jest/globals';
import { CliFixture, createAppArgs } from '../support/cli.js';

describe('apps limit', () => {
  const fixture = CliFixture.use();
  let appId: string;
  let otherAppId: string;

  beforeAll(async () => {
    appId = (await fixture.cli.runJson(...createAppArgs())).client_id as string;
    otherAppId = (await fixture.cli.runJson(...createAppArgs())).client_id as string;
  });

  const setLimit = async (limit: string): Promise<number | null> =>
    (await fixture.cli.runJson('apps', 'limit', appId, '--token-rate', limit)).token_rate_limit as number | null;
  const listLimits = async (): Promise<Record<string, number | null>> => {
    const apps = (await fixture.cli.runJson('apps', 'list')) as {
      client_id: string;
      token_rate_limit: number | null;
    }[];
    return Object.fromEntries(apps.map(({ client_id, token_rate_limit }) => [client_id, token_rate_limit]));
  };

  it('sets the token rate limit of one app, which apps list shows', async () => {
    expect(await listLimits()).toEqual({ [appId]: null, [otherAppId]: null });
    expect(await setLimit('150000')).toBe(150_000);
    expect(await listLimits()).toEqual({ [appId]: 150_000, [otherAppId]: null });
    expect(await setLimit('10000000')).toBe(10_000_000);
    expect(await setLimit('1')).toBe(1);
    expect(await setLimit('default')).toBeNull();
    expect(await listLimits()).toEqual({ [appId]: null, [otherAppId]: null });
  });

  it('is in the audit log with the new limit', async () => {
    await setLimit('200');
    await setLimit('default');
    const [reset, set] = await fixture.cli.runJson('audit', '--app', appId, '--limit', '2');
    const event = { type: 'app.changed', app: appId, by_operator: true };
    expect(set).toMatchObject({ ...event, detail: 'Token rate limit: 200 per minute' });
    expect(reset).toMatchObject({ ...event, detail: 'Token rate limit: default' });
  });

  it('rejects a malformed limit as wrong usage, for an unknown app too', async () => {
    await setLimit('5');
    const rule = /^--token-rate must be default or a whole number of token responses per minute from 1 to 10000000\.$/;
    for (const limit of ['0', '-1', '1.5', '1e3', '0x10', ' 5', '10000001', '9'.repeat(20), 'Default', 'null', '']) {
      await fixture.cli.expectFailure(2, rule, 'apps', 'limit', appId, `--token-rate=${limit}`);
    }
    await fixture.cli.expectFailure(2, rule, 'apps', 'limit', 'app_x', '--token-rate', 'many');
    expect(await listLimits()).toEqual({ [appId]: 5, [otherAppId]: null });
  });

  it('rejects a missing limit or id as wrong usage, and refuses an unknown app', async () => {
    await fixture.cli.expectFailure(2, /--token-rate <limit>/, 'apps', 'limit', appId);
    await fixture.cli.expectFailure(2, /argument 'id'/, 'apps', 'limit', '--token-rate', '5');
    const code = await fixture.cli.expectFailure(1, /no app app_x/, 'apps', 'limit', 'app_x', '--token-rate', '5');
    expect(code).toBe('app_not_found');
  });
});
