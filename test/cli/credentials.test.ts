import { beforeAll, describe, expect, it } from '@jest/globals';
import { CliFixture, createAccountArgs } from '../support/cli.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { TEST_PASSWORD } from '../support/factories.js';
import { type CommandResult, runCliWithInput, runNode } from '../support/run-command.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { TestServer } from '../support/test-server.js';

const NEW_PASSWORD = 'pw';

describe('Commands for passwords', () => {
  const fixture = CliFixture.use();

  beforeAll(async () => {
    await fixture.cli.runJson(...createAccountArgs('mila'));
  });

  const setPassword = (input: string, username = 'mila'): Promise<CommandResult> =>
    runCliWithInput(fixture.database.url, input, 'accounts', 'set-password', username);

  it.each([
    ['', 'mila', 2, 'The password must not be empty.'],
    ['two\nlines', 'mila', 2, 'The password on standard input must be one line.'],
    ['x'.repeat(201), 'mila', 2, 'The password must have at most 200 characters.'],
    ['good', 'unknown', 1, 'There is no account unknown.'],
  ])('set-password rejects the input %j for %s', async (input, username, exitCode, message) => {
    const { code, stdout, stderr } = await setPassword(input, username);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('reset-link rejects an unknown account', async () => {
    await fixture.cli.expectFailure(1, /^There is no account unknown/, 'accounts', 'reset-link', 'unknown');
  });

  it('set-password ends the sessions and the links, and reset-link makes a link for 24 hours', async () => {
    const server = await TestServer.start({ DATABASE_URL: fixture.database.url });
    const { id } = await fixture.cli.runJson('accounts', 'show', 'mila');
    const session = await openSignedInBrowser(server, { username: 'mila' } as never);
    const ended = (await fixture.cli.runJson('accounts', 'reset-link', 'MILA')) as { url: string };
    expect((await setPassword(`${NEW_PASSWORD}\n`)).json).toEqual({ id });
    expect((await session.get('/account/apps')).status).toBe(303);
    expect((await session.post('/sign-in', { username: 'mila', password: TEST_PASSWORD })).status).toBe(422);
    expect((await session.signIn({ username: 'mila' }, NEW_PASSWORD)).status).toBe(303);
    const { url, expires_at } = (await fixture.cli.runJson('accounts', 'reset-link', 'mila')) as Record<string, string>;
    const hours = (Date.parse(expires_at!) - Date.now()) / 3600_000;
    expect({ url, isADay: hours > 23.9 && hours <= 24 }).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:3000\/reset-password\?token=sam_link_[\w-]{49}$/),
      isADay: true,
    });
    const browser = new BrowserClient(server);
    expect((await browser.get(new URL(ended.url).pathname + new URL(ended.url).search)).status).toBe(410);
    const page = await browser.get(new URL(url!).pathname + new URL(url!).search);
    const password = 'harbor lantern eleven';
    expect((await browser.submitForm(page, '/reset-password', { password })).status).toBe(200);
    const audit = (await fixture.cli.runJson('audit', '--account', 'mila')) as {
      type: string;
      detail: string | null;
      by_operator: boolean;
    }[];
    const links = audit.filter(({ type }) => type === 'password.link_created');
    expect(links.map(({ by_operator }) => by_operator)).toEqual([true, true]);
    expect(audit.filter(({ type }) => type === 'password.reset').map(({ detail }) => detail)).toEqual([
      null,
      'The operator set the password.',
    ]);
    await server.stop();
  });

  it('create reads the password from standard input without --password', async () => {
    const args = ['--username', 'tevita', '--email', 'tevita@example.org', '--name', 'Tevita'];
    const empty = await runCliWithInput(fixture.database.url, '', 'accounts', 'create', ...args);
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('The password must not be empty.') });
    const environment = { ...TEST_SETTINGS, DATABASE_URL: fixture.database.url };
    const command = ['dist/src/cli.js', 'accounts', 'create', ...args, '--json'];
    const created = await runNode(command, environment, { input: 'pw\r\n' });
    expect(created.json).toMatchObject({ username: 'tevita' });
    const server = await TestServer.start({ DATABASE_URL: fixture.database.url });
    expect((await new BrowserClient(server).signIn({ username: 'tevita' }, 'pw')).status).toBe(303);
    await server.stop();
  });
});
