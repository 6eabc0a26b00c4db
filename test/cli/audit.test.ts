import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountArgs, createAppArgs, Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { ResponseBody } from '../support/test-server.js';

describe('The command audit', () => {
  let database: TestDatabase;
  let commands: Cli;
  let client: ResponseBody;

  beforeAll(async () => {
    database = await createDatabase();
    commands = new Cli(database.url);
    await commands.runJson(...createAccountArgs('mila'));
    client = await commands.runJson(...createAppArgs());
    await commands.runJson(
      'tokens',
      'issue',
      '--app',
      client.client_id,
      '--account',
      'mila',
      '--scope',
      'markers:read',
    );
    await commands.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
  });
  afterAll(() => database.drop());

  const typesOf = async (...words: string[]): Promise<string[]> =>
    (await commands.runJson('audit', ...words)).map(({ type }: ResponseBody) => type);

  it('tells who did what, the newest first, and nothing that is secret', async () => {
    const events: ResponseBody[] = await commands.runJson('audit');
    expect(events.map(({ type }) => type)).toEqual(['account.blocked', 'tokens.issued', 'app.registered']);
    expect(events[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      type: 'account.blocked',
      account: 'mila',
      app: null,
      authorization: null,
      detail: 'A test.',
      from: null,
    });
    expect(JSON.stringify(events)).not.toContain(client.client_secret);
  });

  it('tells of one person, of one app, since a moment, and as many as are asked for', async () => {
    expect(await typesOf('--account', 'mila')).toEqual(['account.blocked', 'tokens.issued']);
    expect(await typesOf('--app', client.client_id)).toEqual(['tokens.issued', 'app.registered']);
    expect(await typesOf('--account', 'mila', '--app', client.client_id)).toEqual(['tokens.issued']);
    expect(await typesOf('--since', '1h', '--limit', '1')).toEqual(['account.blocked']);
    expect(await typesOf('--since', '2099-01-01')).toEqual([]);
  });

  it('refuses what it does not know, in a sentence', async () => {
    await commands.expectFailure(/no account nobody/, 'audit', '--account', 'nobody');
    await commands.expectFailure(/no app app_x/, 'audit', '--app', 'app_x');
    await commands.expectFailure(/--since takes a date/, 'audit', '--since', 'yesterday');
    await commands.expectFailure(/--limit takes/, 'audit', '--limit', '0');
  });
});
