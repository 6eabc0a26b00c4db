import { beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountArgs, createAppArgs, CliFixture } from '../support/cli.js';
import type { ResponseBody } from '../support/test-server.js';

describe('audit', () => {
  const fixture = CliFixture.use();
  let client: ResponseBody;

  beforeAll(async () => {
    await fixture.cli.runJson(...createAccountArgs('mila'));
    client = await fixture.cli.runJson(...createAppArgs());
    await fixture.cli.runJson(
      'tokens',
      'issue',
      '--app',
      client.client_id,
      '--account',
      'mila',
      '--scope',
      'markers:read',
    );
    await fixture.cli.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
  });

  const listEventTypes = async (...args: string[]): Promise<string[]> =>
    (await fixture.cli.runJson('audit', ...args)).map(({ type }: ResponseBody) => type);

  it('prints the events, the newest first, without secrets', async () => {
    const events: ResponseBody[] = await fixture.cli.runJson('audit');
    expect(events.map(({ type }) => type)).toEqual(['account.blocked', 'tokens.issued', 'app.registered']);
    expect(events[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      type: 'account.blocked',
      account: 'mila',
      app: null,
      authorization: null,
      detail: 'A test.',
      from: null,
      by_operator: true,
    });
    expect(JSON.stringify(events)).not.toContain(client.client_secret);
  });

  it('filters by account, app and time, and limits the number of events', async () => {
    expect(await listEventTypes('--account', 'mila')).toEqual(['account.blocked', 'tokens.issued']);
    expect(await listEventTypes('--app', client.client_id)).toEqual(['tokens.issued', 'app.registered']);
    expect(await listEventTypes('--account', 'mila', '--app', client.client_id)).toEqual(['tokens.issued']);
    expect(await listEventTypes('--since', '1h', '--limit', '1')).toEqual(['account.blocked']);
    expect(await listEventTypes('--since', '2099-01-01')).toEqual([]);
  });

  it('rejects unknown and malformed options with one sentence', async () => {
    await fixture.cli.expectFailure(1, /no account nobody/, 'audit', '--account', 'nobody');
    await fixture.cli.expectFailure(1, /no app app_x/, 'audit', '--app', 'app_x');
    await fixture.cli.expectFailure(2, /--since must be a date/, 'audit', '--since', 'yesterday');
    await fixture.cli.expectFailure(2, /--limit must be/, 'audit', '--limit', '0');
  });
});
