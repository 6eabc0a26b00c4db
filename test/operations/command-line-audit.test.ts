import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountWords, appWords, CommandLine } from '../support/command-line.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import type { Body } from '../support/service.js';

describe('The command audit', () => {
  let database: TestDatabase;
  let commands: CommandLine;
  let client: Body;

  beforeAll(async () => {
    database = await newDatabase();
    commands = new CommandLine(database.url);
    await commands.json(...accountWords('mila'));
    client = await commands.json(...appWords());
    await commands.json('tokens', 'issue', '--app', client.client_id, '--account', 'mila', '--scope', 'markers:read');
    await commands.json('accounts', 'block', 'mila', '--reason', 'A test.');
  });
  afterAll(() => database.drop());

  const typesOf = async (...words: string[]): Promise<string[]> =>
    (await commands.json('audit', ...words)).map(({ type }: Body) => type);

  it('tells who did what, the newest first, and nothing that is secret', async () => {
    const events: Body[] = await commands.json('audit');
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
    await commands.expectRefused(/no account nobody/, 'audit', '--account', 'nobody');
    await commands.expectRefused(/no app app_x/, 'audit', '--app', 'app_x');
    await commands.expectRefused(/--since takes a date/, 'audit', '--since', 'yesterday');
    await commands.expectRefused(/--limit takes/, 'audit', '--limit', '0');
  });
});
