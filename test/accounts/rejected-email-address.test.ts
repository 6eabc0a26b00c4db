import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { Account, type AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { PasswordResetService } from '../../src/identity/accounts/password/password-reset.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { confirmEmail, submitNewEmail } from '../support/email-forms.js';
import { createAccount, TEST_PASSWORD } from '../support/factories.js';
import { findQueuedLink, readQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

describe('The e-mail address of a person who did not sign up', () => {
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

  const load = (): Promise<Account> => server.entityManager.findOneByOrFail(Account, { id: account.id });
  const reject = async (link: string, client = new BrowserClient(server)): Promise<PageResponse> =>
    client.submitForm(await client.get(link), '/verify-email/reject');
  const receiveLink = (email = newEmail): Promise<string> => findQueuedLink(server, 'confirmEmail', email);
  const readKinds = async (email: string): Promise<string[]> =>
    (await readQueuedMail(server)).filter((mail) => mail.email === email).map(({ kind }) => kind);

  it('is free again if its owner says that the account is not theirs', async () => {
    await browser.post('/forgot-password', { username: account.username });
    const reset = await findQueuedLink(server, 'resetPassword', account.email);
    await browser.post('/account/email/send-again', {});
    const link = await receiveLink(account.email);
    expect((await reject(link)).html).toContain('The address is no longer used');
    expect(await load()).toMatchObject({ email: null, normalizedEmail: null, emailVerifiedAt: null });
    for (const path of [link, reset]) expect((await browser.get(path)).status).toBe(410);
    for (const path of ['/account', '/account/email']) {
      expect((await browser.get(path)).html).toContain('Your account has no e‑mail address');
    }
    const events = await server.entityManager.findBy(AuditEvent, { accountId: account.id, type: 'email.rejected' });
    expect(events).toHaveLength(1);
    expect((await browser.get('/account/activity')).html).toContain('said that this account is not theirs');
    await createAccount(server, { email: account.email });
  });

  it('is not needed by an account, which gets no e-mail until it confirms another one', async () => {
    await browser.post('/account/email/send-again', {});
    await reject(await receiveLink(account.email));
    const { location } = await browser.post('/account/email/send-again', {});
    expect(location).toBe('/account/email');
    await browser.post('/forgot-password', { username: account.username });
    expect(await readKinds(account.email)).toEqual(['confirmEmail']);
    const { url } = await server.get(PasswordResetService).createLinkForOperator(account.username);
    const page = await browser.get(url.slice(server.settings.BASE_URL.length));
    expect((await browser.submitForm(page, '/reset-password', { password: TEST_PASSWORD })).status).toBe(200);
    expect(await load()).toMatchObject({ email: null, emailVerifiedAt: null });
    await browser.signIn(account);
    await submitNewEmail(browser, newEmail);
    expect((await confirmEmail(browser, await receiveLink())).status).toBe(200);
    expect(await load()).toMatchObject({ email: newEmail, emailVerifiedAt: expect.any(Date) });
  });

  it('can be deleted with an account that lost it', async () => {
    await browser.post('/account/email/send-again', {});
    await reject(await receiveLink(account.email));
    await server.get(DeletionService).delete(await load());
    expect((await load()).deletedAt).not.toBeNull();
  });

  it('stays the same if the owner of the new address says that the account is not theirs', async () => {
    await submitNewEmail(browser, newEmail);
    const link = await receiveLink();
    expect((await reject(link)).status).toBe(200);
    expect((await confirmEmail(browser, link)).status).toBe(410);
    expect((await load()).email).toBe(account.email);
  });
});
