import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { Account, type AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { confirmEmail, submitNewEmail } from '../support/email-forms.js';
import { createAccount, TEST_PASSWORD } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { findQueuedLink, findQueuedMail, readQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

describe('E-mail address', () => {
  let server: TestServer;
  let account: AccountWithEmail;
  let browser: BrowserClient;
  let newEmail: string;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server);
    browser = await openSignedInBrowser(server, account);
    newEmail = `new-${account.email}`;
  });
  afterEach(restoreClock);

  const load = (id = account.id): Promise<Account> => server.entityManager.findOneByOrFail(Account, { id });
  const change = (email = newEmail, password = TEST_PASSWORD, client = browser): Promise<PageResponse> =>
    submitNewEmail(client, email, password);
  const confirm = (link: string, client = browser): Promise<PageResponse> => confirmEmail(client, link);
  const receiveLink = (email = newEmail): Promise<string> => findQueuedLink(server, 'confirmEmail', email);
  const readKinds = async (email: string): Promise<string[]> =>
    (await readQueuedMail(server)).filter((mail) => mail.email === email).map(({ kind }) => kind);

  it('is confirmed by the button of a link that sign-up sends, and not by opening the link', async () => {
    const own = new BrowserClient(server);
    const form = { username: `own-${account.username}`, name: 'Neo', email: newEmail, password: 'long enough' };
    expect((await own.submitForm(await own.get('/sign-up'), '/sign-up', form)).status).toBe(303);
    const link = await receiveLink();
    for (let count = 0; count < 2; count++) expect((await new BrowserClient(server).get(link)).status).toBe(200);
    const { id, emailVerifiedAt } = await server.entityManager.findOneByOrFail(Account, { email: newEmail });
    expect(emailVerifiedAt).toBeNull();
    expect((await confirm(link, own)).status).toBe(200);
    expect((await load(id)).emailVerifiedAt).not.toBeNull();
    expect((await confirm(link, own)).status).toBe(410);
  });

  it('is confirmed only with the session of the account that the page names', async () => {
    await change();
    const link = await receiveLink();
    const { search } = new URL(link, server.url);
    const stranger = new BrowserClient(server);
    const other = await openSignedInBrowser(server, await createAccount(server));
    for (const client of [stranger, other]) {
      const { html } = await client.get(link);
      expect(html).toContain(account.username);
      expect(html).not.toContain('>Confirm</button>');
      const token = new URLSearchParams(search).get('token')!;
      expect((await client.post('/verify-email', { token })).status).toBe(403);
    }
    expect((await load()).email).toBe(account.email);
    const [, signInPath] = /href="(\/sign-in\?return_to=[^"]*)"/.exec((await stranger.get(link)).html)!;
    const { location } = await stranger.signIn(account, TEST_PASSWORD, signInPath);
    expect(location).toBe(link);
    expect((await confirm(location!, stranger)).status).toBe(200);
    expect((await load()).email).toBe(newEmail);
  });

  it('is not confirmed while the account is blocked', async () => {
    await change();
    const page = await browser.get(await receiveLink());
    await server.get(AccountsService).block(account.username, 'Spam');
    expect((await browser.submitForm(page, '/verify-email')).status).toBe(403);
    expect((await load()).email).toBe(account.email);
  });

  it('is confirmed by a link that is sent again, which ends the earlier one', async () => {
    for (let count = 0; count < 2; count++) {
      const page = await browser.get('/account/email');
      expect(page.html).toContain('Send again');
      const { location } = await browser.submitForm(page, '/account/email/send-again');
      expect(location).toBe('/account/email?sent=confirmation');
    }
    const links = (await readQueuedMail(server)).filter(({ email }) => email === account.email);
    const paths = links.map(({ link }) => link!.slice(server.settings.BASE_URL.length));
    expect((await confirm(paths[1]!)).status).toBe(200);
    expect((await confirm(paths[0]!)).status).toBe(410);
    expect((await browser.get('/account/email')).html).not.toContain('Send again');
    await browser.post('/account/email/send-again', {});
    expect(await readKinds(account.email)).toEqual(['confirmEmail', 'confirmEmail']);
  });

  it.each<[name: string, email: () => string, password: string, field: string]>([
    ['a wrong password', () => newEmail, 'wrong horse', 'password'],
    ['no password', () => newEmail, '', 'password'],
    ['an invalid address', () => 'nonsense', TEST_PASSWORD, 'email'],
    ['the address of the account', () => account.email.toUpperCase(), TEST_PASSWORD, 'email'],
  ])('rejects a change with %s, and sends nothing', async (_, email, password, field) => {
    const { status, html } = await change(email(), password);
    expect(status).toBe(422);
    expect(html).toContain(`id="${field}-error"`);
    expect(html).toContain('<title>Error: E-mail address');
    expect(html).not.toContain(`value="${TEST_PASSWORD}"`);
    expect(await readKinds(email())).toEqual([]);
  });

  it('changes when the link in the new mailbox is confirmed, and the old address is told', async () => {
    expect((await change()).location).toBe('/account/email?sent=change');
    const link = await receiveLink();
    await new BrowserClient(server).get(link);
    expect(await load()).toMatchObject({ email: account.email, emailVerifiedAt: null });
    expect((await confirm(link)).status).toBe(200);
    expect(await load()).toMatchObject({
      email: newEmail,
      normalizedEmail: newEmail,
      emailVerifiedAt: expect.any(Date),
    });
    const { text } = await findQueuedMail(server, 'emailChanged', account.email);
    expect(text).toContain(`${newEmail[0]}…${newEmail.slice(newEmail.indexOf('@'))}`);
    const events = await server.entityManager.findBy(AuditEvent, { accountId: account.id, type: 'email.changed' });
    expect(events).toHaveLength(1);
    expect((await browser.get('/account/email')).status).toBe(200);
  });

  it('ends the links that the old mailbox received', async () => {
    await browser.post('/forgot-password', { username: account.username });
    const reset = await findQueuedLink(server, 'resetPassword', account.email);
    await change();
    expect((await confirm(await receiveLink())).status).toBe(200);
    expect((await browser.get(reset)).status).toBe(410);
  });

  it('changes only by the link of the last request', async () => {
    await change();
    await change(`other-${newEmail}`);
    expect((await confirm(await receiveLink())).status).toBe(410);
    expect((await confirm(await receiveLink(`other-${newEmail}`))).status).toBe(200);
    expect((await load()).email).toBe(`other-${newEmail}`);
  });

  it('changes once for concurrent confirmations, and not after 24 hours', async () => {
    await change();
    const token = new URL(await receiveLink(), server.url).searchParams.get('token')!;
    const responses = await Promise.all(Array.from({ length: 5 }, () => browser.post('/verify-email', { token })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
    advanceClock(0);
    await change(account.email);
    const link = await receiveLink(account.email);
    advanceClock(DAY_MS);
    const { status, html } = await new BrowserClient(server).get(link);
    expect({ status, help: html.includes('request a new link') }).toEqual({ status: 410, help: true });
    expect((await load()).email).toBe(newEmail);
  });

  it.each(['', 'nonsense'])('rejects the link %j with 400', async (token) => {
    expect((await browser.get(`/verify-email?token=${token}`)).status).toBe(400);
    for (const path of ['/verify-email', '/verify-email/reject']) {
      expect((await browser.post(path, { token })).status).toBe(400);
    }
  });

  it('rejects a link that sets a password', async () => {
    await browser.post('/forgot-password', { username: account.username });
    const reset = new URL(await findQueuedLink(server, 'resetPassword', account.email), server.url);
    expect((await browser.get(`/verify-email${reset.search}`)).status).toBe(400);
  });

  it('has the same answer for an address of another account, whose owner gets a notice without a link', async () => {
    const other = await createAccount(server);
    const taken = await change(other.email.toUpperCase());
    const free = await change();
    expect({ status: taken.status, location: taken.location }).toEqual({
      status: free.status,
      location: free.location,
    });
    expect(await findQueuedMail(server, 'emailTaken', other.email)).toMatchObject({ link: undefined });
    expect(await readKinds(other.email)).toEqual(['emailTaken']);
  });

  it('stays the same if another account gets the new address before the confirmation', async () => {
    await change();
    const other = await createAccount(server, { email: newEmail });
    const { status, html } = await confirm(await receiveLink());
    expect({ status, told: html.includes('Another account') }).toEqual({ status: 409, told: true });
    expect((await load()).email).toBe(account.email);
    expect((await load(other.id)).email).toBe(newEmail);
  });

  it('stays the same if an account with the new address was deleted less than 30 days ago', async () => {
    const former = await createAccount(server, { email: newEmail });
    await server.get(DeletionService).delete(former);
    await change();
    const link = await receiveLink();
    expect((await confirm(link)).status).toBe(409);
    expect((await load()).email).toBe(account.email);
    advanceClock(31 * DAY_MS);
    await browser.signIn(account);
    await change();
    expect((await confirm(await receiveLink())).status).toBe(200);
  });

  it('is confirmed by a message that names the account by its username only', async () => {
    await change();
    const { text } = await findQueuedMail(server, 'confirmEmail', newEmail);
    expect(text).toContain(account.username);
    expect(text).not.toContain(account.name);
  });

  it('goes to one of two accounts that confirm it at the same time', async () => {
    await change();
    const link = await receiveLink();
    const other = await createAccount(server);
    const client = await openSignedInBrowser(server, other);
    await change(newEmail, TEST_PASSWORD, client);
    const responses = await Promise.all([confirm(link), confirm(await receiveLink(), client)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await server.entityManager.countBy(Account, { normalizedEmail: newEmail })).toBe(1);
  });

  it('can be changed ten times an hour', async () => {
    const limited = await TestServer.start({ RATE_LIMITS: 'on' });
    const owner = await createAccount(limited);
    const client = await openSignedInBrowser(limited, owner);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      const form = { email: `${count}-${owner.email}`, password: TEST_PASSWORD };
      statuses.push((await client.post('/account/email', form)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(303), 429]);
    await limited.stop();
  });

  it('requires a session to change it', async () => {
    const stranger = new BrowserClient(server);
    for (const path of ['/account/email', '/account/email/send-again']) {
      const { status, location } = await stranger.post(path, { email: newEmail, password: TEST_PASSWORD });
      expect({ status, location }).toEqual({ status: 303, location: expect.stringMatching(/^\/sign-in\?/) });
    }
    expect(await readKinds(newEmail)).toEqual([]);
  });
});
