import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account, type AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { ReservedIdentity } from '../../src/identity/accounts/deletion/reserved-identity.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { changeEmail, confirmEmail, submitNewEmail, takeBackEmail } from '../support/email-forms.js';
import { createAccount, TEST_PASSWORD } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { findQueuedLink, findQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

const NEW_PASSWORD = 'harbor lantern eleven';

describe('The owner of an account whose password was stolen', () => {
  let server: TestServer;
  let account: AccountWithEmail;
  let thief: BrowserClient;
  let owner: BrowserClient;
  /** The addresses of the thief. */
  let emails: [first: string, second: string];

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server, { emailVerified: true });
    thief = await openSignedInBrowser(server, account);
    owner = new BrowserClient(server);
    emails = [`thief1-${account.email}`, `thief2-${account.email}`];
  });
  afterEach(restoreClock);

  const load = (id = account.id): Promise<Account> => server.entityManager.findOneByOrFail(Account, { id });
  const receive = (email = account.email): Promise<string> => findQueuedLink(server, 'emailChanged', email);
  const signUp = (email: string): Promise<PageResponse> =>
    new BrowserClient(server).post('/sign-up', {
      username: `x${account.username}`,
      name: 'Eve',
      email,
      password: NEW_PASSWORD,
    });

  it('takes the address back after two changes of it, and the thief cannot', async () => {
    for (const email of emails) await changeEmail(server, thief, email);
    const linkOfThief = await receive(emails[0]);
    expect((await thief.get(linkOfThief)).status).toBe(200);
    expect((await takeBackEmail(owner, await receive())).status).toBe(303);
    expect((await load()).email).toBe(account.email);
    expect((await takeBackEmail(thief, linkOfThief)).status).toBe(410);
    expect((await load()).email).toBe(account.email);
  });

  it('takes the address back after a change of the password, by which the thief loses the account', async () => {
    await changeEmail(server, thief, emails[0]);
    const form = { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD };
    expect((await thief.post('/account/password', form)).status).toBe(303);
    await thief.post('/forgot-password', { username: account.username });
    const resetOfThief = await findQueuedLink(server, 'resetPassword', emails[0]);
    const { location } = await takeBackEmail(owner, await receive());
    const password = 'copper violin seven';
    await owner.submitForm(await owner.get(location!), '/reset-password', { password });
    expect((await load()).email).toBe(account.email);
    expect((await thief.get('/account')).status).toBe(303);
    expect((await thief.get(resetOfThief)).status).toBe(410);
    const signIn = { username: account.username, password: NEW_PASSWORD };
    expect((await thief.post('/sign-in', signIn)).status).toBe(422);
    expect((await owner.signIn(account, password)).status).toBe(303);
  });

  it('takes the address back after the thief set a password by a link', async () => {
    await changeEmail(server, thief, emails[0]);
    await thief.post('/forgot-password', { username: account.username });
    const page = await thief.get(await findQueuedLink(server, 'resetPassword', emails[0]));
    expect((await thief.submitForm(page, '/reset-password', { password: NEW_PASSWORD })).status).toBe(200);
    expect((await takeBackEmail(owner, await receive())).status).toBe(303);
    expect((await load()).email).toBe(account.email);
  });

  it('keeps the link after a press of “This is not my account”', async () => {
    await changeEmail(server, thief, emails[0]);
    await submitNewEmail(thief, account.email);
    const page = await thief.get(await findQueuedLink(server, 'confirmEmail', account.email));
    expect((await thief.submitForm(page, '/verify-email/reject')).status).toBe(200);
    expect((await takeBackEmail(owner, await receive())).status).toBe(303);
  });

  it('gets one new link for two browsers that press the button at once', async () => {
    await changeEmail(server, thief, emails[0]);
    const link = await receive();
    const responses = await Promise.all([takeBackEmail(owner, link), takeBackEmail(new BrowserClient(server), link)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  it('gets one new link for both messages at once', async () => {
    await changeEmail(server, thief, emails[0]);
    const links = [await receive(), await findQueuedLink(server, 'emailChangeRequested', account.email)];
    const responses = await Promise.all(links.map((link) => takeBackEmail(new BrowserClient(server), link)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  it('cannot take back a deleted account', async () => {
    await changeEmail(server, thief, emails[0]);
    const link = await receive();
    const page = await owner.get(link);
    await server.get(DeletionService).delete(await load());
    expect((await owner.submitForm(page, '/take-back-email')).status).toBe(400);
    expect((await owner.get(link)).status).toBe(400);
    expect((await load()).deletedAt).not.toBeNull();
  });

  it('takes back a blocked account, which stays blocked', async () => {
    await changeEmail(server, thief, emails[0]);
    await server.get(AccountsService).block(account.username, 'Spam');
    const { location } = await takeBackEmail(owner, await receive());
    await owner.submitForm(await owner.get(location!), '/reset-password', { password: NEW_PASSWORD });
    expect(await load()).toMatchObject({ email: account.email, blockedReason: 'Spam' });
    await owner.signIn(account, NEW_PASSWORD);
    expect((await owner.get('/account/email')).status).toBe(403);
  });

  it('can be sure that no other account gets the address for 7 days', async () => {
    advanceClock(0);
    await changeEmail(server, thief, emails[0]);
    const other = await createAccount(server);
    const client = await openSignedInBrowser(server, other);
    await submitNewEmail(client, account.email.toUpperCase());
    const confirmation = await findQueuedLink(server, 'confirmEmail', account.email.toUpperCase());
    expect((await confirmEmail(client, confirmation)).status).toBe(409);
    expect((await load(other.id)).email).toBe(other.email);
    advanceClock(7 * DAY_MS - 1000);
    expect((await signUp(account.email)).status).toBe(422);
    advanceClock(7 * DAY_MS);
    expect((await signUp(account.email)).status).toBe(303);
  });

  it('learns that another account has the address, if it is no longer reserved', async () => {
    await changeEmail(server, thief, emails[0]);
    await server.get(TransactionService).run((tx) => tx.deleteAll(ReservedIdentity));
    const other = await createAccount(server, { email: account.email });
    const { status, html } = await takeBackEmail(owner, await receive());
    expect({ status, told: html.includes('Another account') }).toEqual({ status: 409, told: true });
    expect(html).toContain('contact the people who run this map');
    expect((await load()).email).toBe(emails[0]);
    expect((await load(other.id)).email).toBe(account.email);
    expect((await thief.get('/account')).status).toBe(200);
  });

  it('can change back to the address, which ends the links of the thief', async () => {
    for (const email of emails) await changeEmail(server, thief, email);
    const linkOfThief = await receive(emails[0]);
    await owner.signIn(account);
    await changeEmail(server, owner, account.email.toUpperCase());
    expect((await load()).normalizedEmail).toBe(account.email);
    expect((await takeBackEmail(thief, linkOfThief)).status).toBe(410);
    expect((await findQueuedMail(server, 'emailChanged', emails[1])).link).toBeUndefined();
    const requested = await findQueuedLink(server, 'emailChangeRequested', emails[1]);
    expect((await takeBackEmail(thief, requested)).status).toBe(410);
    expect((await load()).normalizedEmail).toBe(account.email);
  });

  it('keeps the link while the thief changes back and forth between two addresses', async () => {
    for (const email of [...emails, emails[0]]) await changeEmail(server, thief, email);
    expect((await takeBackEmail(owner, await receive())).status).toBe(303);
    expect((await load()).email).toBe(account.email);
  });
});
