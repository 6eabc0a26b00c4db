import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account, type AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { EmailToken } from '../../src/identity/accounts/email-token.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { changeEmail, confirmEmail, submitNewEmail, takeBackEmail } from '../support/email-forms.js';
import { createAccount } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { findQueuedLink, findQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

const NEW_PASSWORD = 'harbor lantern eleven';

describe('A link that takes an e-mail address back', () => {
  let server: TestServer;
  let account: AccountWithEmail;
  let browser: BrowserClient;
  let newEmail: string;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server, { emailVerified: true });
    browser = await openSignedInBrowser(server, account);
    newEmail = `new-${account.email}`;
  });
  afterEach(restoreClock);

  const load = (): Promise<Account> => server.entityManager.findOneByOrFail(Account, { id: account.id });
  const receive = (kind: 'emailChangeRequested' | 'emailChanged'): Promise<string> =>
    findQueuedLink(server, kind, account.email);
  const getToken = (link: string): string => new URL(link, server.url).searchParams.get('token')!;

  it.each(['emailChangeRequested', 'emailChanged'] as const)(
    'in the message %s makes the old address the one of the account, and leads to a new password',
    async (kind) => {
      await changeEmail(server, browser, newEmail);
      const link = await receive(kind);
      expect(link).toMatch(/^\/take-back-email\?token=sam_link_/);
      const owner = new BrowserClient(server);
      const { status, location } = await takeBackEmail(owner, link);
      expect({ status, location }).toEqual({
        status: 303,
        location: expect.stringMatching(/^\/reset-password\?token=/),
      });
      expect(await load()).toMatchObject({
        email: account.email,
        normalizedEmail: account.email,
        emailVerifiedAt: expect.any(Date),
      });
      expect((await browser.get('/account')).status).toBe(303);
      for (const used of ['emailChangeRequested', 'emailChanged'] as const) {
        expect((await owner.get(await receive(used))).status).toBe(410);
        expect((await owner.post('/take-back-email', { token: getToken(await receive(used)) })).status).toBe(410);
      }
      const page = await owner.get(location!);
      for (const name of ['disconnect_apps', 'remove_passkeys']) {
        expect(page.html).toContain(`name="${name}" value="on" checked`);
      }
      expect((await owner.submitForm(page, '/reset-password', { password: NEW_PASSWORD })).status).toBe(200);
      expect((await owner.signIn(account, NEW_PASSWORD)).status).toBe(303);
      expect((await owner.get('/account/activity')).html).toContain('Your earlier e-mail address was taken back');
      const events = await server.entityManager.findBy(AuditEvent, { accountId: account.id, type: 'email.taken_back' });
      expect(events).toHaveLength(1);
    },
  );

  it('tells the replaced address, without a link', async () => {
    await changeEmail(server, browser, newEmail);
    await takeBackEmail(new BrowserClient(server), await receive('emailChanged'));
    const { text, link } = await findQueuedMail(server, 'emailChanged', newEmail);
    expect(text).toContain(`is now ${account.email[0]}…`);
    expect(link).toBeUndefined();
  });

  it('ends a change that is not confirmed yet', async () => {
    await submitNewEmail(browser, newEmail);
    const confirmation = await findQueuedLink(server, 'confirmEmail', newEmail);
    const { location } = await takeBackEmail(new BrowserClient(server), await receive('emailChangeRequested'));
    expect(location).toMatch(/^\/reset-password/);
    await browser.signIn(account);
    expect((await confirmEmail(browser, confirmation)).status).toBe(410);
    expect((await load()).email).toBe(account.email);
  });

  it('ends the other links of the account', async () => {
    await changeEmail(server, browser, newEmail);
    await browser.post('/forgot-password', { username: account.username });
    await submitNewEmail(browser, `other-${newEmail}`);
    const links = [
      await findQueuedLink(server, 'resetPassword', newEmail),
      await findQueuedLink(server, 'confirmEmail', `other-${newEmail}`),
      await findQueuedLink(server, 'emailChangeRequested', newEmail),
    ];
    for (const link of links) expect((await browser.get(link)).status).toBe(200);
    await takeBackEmail(new BrowserClient(server), await receive('emailChanged'));
    for (const link of links) expect((await browser.get(link)).status).toBe(410);
  });

  it('changes nothing when it is opened, and names the account and the address', async () => {
    await changeEmail(server, browser, newEmail);
    const link = await receive('emailChanged');
    for (let count = 0; count < 2; count++) {
      const { status, html } = await new BrowserClient(server).get(link);
      expect(status).toBe(200);
      for (const text of [account.username, account.email]) expect(html).toContain(`<strong>${text}</strong>`);
      expect(html.match(/<button[^>]*>Take my address back</g)).toHaveLength(1);
      expect(html).not.toContain(newEmail);
    }
    expect((await load()).email).toBe(newEmail);
    expect((await browser.get('/account')).status).toBe(200);
  });

  it('works for 7 days, and its page then says what to do', async () => {
    advanceClock(0);
    await changeEmail(server, browser, newEmail);
    const link = await receive('emailChanged');
    advanceClock(7 * DAY_MS - 1000);
    const stranger = new BrowserClient(server);
    expect((await stranger.get(link)).status).toBe(200);
    advanceClock(7 * DAY_MS);
    const { status, html } = await takeBackEmail(stranger, link);
    expect(status).toBe(410);
    expect(html).toContain('contact the people who run this map');
    expect(html).toContain('href="/forgot-password"');
    expect((await stranger.post('/take-back-email', { token: getToken(link) })).status).toBe(410);
    expect((await load()).email).toBe(newEmail);
  });

  it('is deleted 7 days after it expired', async () => {
    advanceClock(0);
    await changeEmail(server, browser, newEmail);
    const where = { accountId: account.id, purpose: 'take-back-email' } as const;
    advanceClock(14 * DAY_MS - 1000);
    await server.get(RetentionService).deleteExpired(Date.now());
    expect(await server.entityManager.countBy(EmailToken, where)).toBe(2);
    advanceClock(14 * DAY_MS + 1000);
    await server.get(RetentionService).deleteExpired(Date.now());
    expect(await server.entityManager.countBy(EmailToken, where)).toBe(0);
  });

  it.each(['', 'nonsense', `sam_link_${'A'.repeat(49)}`])('is rejected with 400 if it is %j', async (token) => {
    expect((await browser.get(`/take-back-email?token=${token}`)).status).toBe(400);
    const { status, html } = await browser.post('/take-back-email', { token });
    expect({ status, help: html.includes('incomplete or wrong') }).toEqual({ status: 400, help: true });
  });

  it('is of no use on the pages of other links, whose links do not take an address back', async () => {
    await changeEmail(server, browser, newEmail);
    const { search } = new URL(await receive('emailChanged'), server.url);
    for (const path of ['/verify-email', '/reset-password']) {
      expect((await browser.get(path + search)).status).toBe(400);
    }
    await browser.post('/forgot-password', { username: account.username });
    const token = getToken(await findQueuedLink(server, 'resetPassword', newEmail));
    expect((await browser.post('/take-back-email', { token })).status).toBe(400);
  });

  it('is not sent to an address that was never confirmed', async () => {
    const unconfirmed = await createAccount(server);
    const client = await openSignedInBrowser(server, unconfirmed);
    await changeEmail(server, client, `new-${unconfirmed.email}`);
    for (const kind of ['emailChangeRequested', 'emailChanged'] as const) {
      const { link, text } = await findQueuedMail(server, kind, unconfirmed.email);
      expect(link).toBeUndefined();
      expect(text).toContain('If this was not you');
      expect(text).not.toMatch(/take|7 days/);
    }
    const where = { accountId: unconfirmed.id, purpose: 'take-back-email' } as const;
    expect(await server.entityManager.countBy(EmailToken, where)).toBe(0);
    await createAccount(server, { email: unconfirmed.email });
  });

  it('is sent for a taken address as for a free one', async () => {
    const other = await createAccount(server);
    await submitNewEmail(browser, other.email);
    expect(await receive('emailChangeRequested')).toMatch(/^\/take-back-email/);
  });

  it('is stored as a digest, and the export contains it without its secret', async () => {
    await changeEmail(server, browser, newEmail);
    const token = getToken(await receive('emailChanged'));
    const links = await server.entityManager.findBy(EmailToken, { accountId: account.id });
    expect(JSON.stringify(links)).not.toContain(token.slice('sam_link_'.length));
    await browser.signIn(account);
    const { html } = await browser.post('/account/export', {});
    const exported = (JSON.parse(html) as { links: Record<string, unknown>[] }).links;
    expect(exported).toContainEqual(expect.objectContaining({ purpose: 'take-back-email', email: account.email }));
    expect(html).not.toContain(token);
  });
});
