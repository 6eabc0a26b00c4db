import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Account, type AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { EmailToken } from '../../src/identity/accounts/email-token.entity.js';
import { computeDigest, generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { PasswordResetService } from '../../src/identity/accounts/password/password-reset.service.js';
import { OutgoingEmail } from '../../src/platform/mail/outgoing-email.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { createAccount, TEST_PASSWORD } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS, stopDurationClock } from '../support/fake-clock.js';
import { findQueuedLink, findQueuedMail, readQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

const NEW_PASSWORD = 'harbor lantern eleven';
const MINUTE_MS = 60 * SECOND_MS;
/** The duration of each response, in which its work fits. */
const RESPONSE_DURATION_MS = 250;

describe('Password recovery', () => {
  let server: TestServer;
  let account: AccountWithEmail;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server);
    browser = new BrowserClient(server);
  });
  afterEach(restoreClock);

  const askForLink = async (username: string): Promise<PageResponse> =>
    browser.submitForm(await browser.get('/forgot-password'), '/forgot-password', { username });
  const receiveLink = async (): Promise<string> => {
    await askForLink(account.username);
    return findQueuedLink(server, 'resetPassword', account.email);
  };
  const toToken = (link: string): string => new URL(link, server.url).searchParams.get('token')!;
  const setPassword = (token: string, password = NEW_PASSWORD): Promise<PageResponse> =>
    new BrowserClient(server).post('/reset-password', { token, password });
  const signIn = (password: string): Promise<PageResponse> =>
    new BrowserClient(server).post('/sign-in', { username: account.username, password });
  const readHash = async (): Promise<string> =>
    (await server.entityManager.findOneByOrFail(Account, { id: account.id })).passwordHash;

  it('is linked from the sign-in page', async () => {
    expect((await browser.get('/sign-in')).html).toContain('<a href="/forgot-password">Forgot your password?</a>');
  });

  it('responds to a known, an unknown and a malformed login alike, after the same time', async () => {
    const logins = [account.username, account.email, 'unknown', 'unknown@example.org', '', 'a\0b', 'x'.repeat(5000)];
    const results: [status: number, html: string][] = [];
    stopDurationClock();
    for (const login of logins) {
      const timers = jest.spyOn(globalThis, 'setTimeout');
      const { status, html } = await browser.post('/forgot-password', { username: login });
      expect(timers.mock.calls.filter(([, delayMs]) => delayMs === RESPONSE_DURATION_MS)).toHaveLength(1);
      timers.mockRestore();
      results.push([status, html]);
    }
    for (const result of results) expect(result).toEqual([200, results[0]![1]]);
    const mails = (await readQueuedMail(server)).filter(({ email }) => /unknown/.test(email));
    expect(mails).toEqual([]);
  });

  it('sends the link to the address of the account, and stores only its digest', async () => {
    const link = await receiveLink();
    expect(link).toMatch(/^\/reset-password\?token=sam_link_[\w-]{49}$/);
    const rows = await server.entityManager.findBy(EmailToken, { accountId: account.id });
    expect(rows).toMatchObject([{ digest: computeDigest(toToken(link)), email: account.email, usedAt: null }]);
    expect(JSON.stringify(rows)).not.toContain(toToken(link));
  });

  it('queues the message until the link expires', async () => {
    await receiveLink();
    const { id: accountId } = account;
    const { expiresAt } = await server.entityManager.findOneByOrFail(EmailToken, { accountId });
    const rows = await server.entityManager.findBy(OutgoingEmail, { accountId, kind: 'resetPassword' });
    expect(rows).toMatchObject([{ linkExpiresAt: expiresAt }]);
  });

  it('limits the requests of a network', async () => {
    const limited = await TestServer.start({ RATE_LIMITS: 'on' });
    const client = new BrowserClient(limited);
    const ask = (): Promise<PageResponse> => client.post('/forgot-password', { username: 'unknown' });
    const responses = await Promise.all(Array.from({ length: 20 }, ask));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { status, headers } = await ask();
    expect({ status, wait: Number(headers.get('retry-after')) > 3000 }).toEqual({ status: 429, wait: true });
    await limited.stop();
  });

  it('changes nothing when the link is opened', async () => {
    const link = await receiveLink();
    for (let count = 0; count < 2; count++) {
      const { status, headers, html } = await browser.get(link);
      expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 200, cache: 'no-store' });
      expect(html).not.toMatch(/href="http|src="http/);
    }
    expect(await readHash()).toBe(account.passwordHash);
  });

  it.each([
    ['missing', '', 400],
    ['truncated', 'sam_link_abc', 400],
    ['unknown', generateSecret('sam_link'), 400],
    ['of another kind', generateSecret('sam_session'), 400],
  ])('rejects a link that is %s with a page that says how to get another', async (_, token, expected) => {
    for (const response of [await browser.get(`/reset-password?token=${token}`), await setPassword(token)]) {
      expect(response.status).toBe(expected);
      expect(response.html).toContain('<title>Error: This link does not work · Street art map</title>');
      expect(response.html).toContain('href="/forgot-password"');
    }
  });

  it('rejects a link that confirms an e-mail address', async () => {
    const other = await openSignedInBrowser(server, account);
    await other.post('/account/email/send-again', {});
    const token = toToken(await findQueuedLink(server, 'confirmEmail', account.email));
    expect((await setPassword(token)).status).toBe(400);
    expect(await readHash()).toBe(account.passwordHash);
  });

  it('rejects a link that was used, and one that is older than 30 minutes, with 410', async () => {
    const used = toToken(await receiveLink());
    expect((await setPassword(used)).status).toBe(200);
    advanceClock(0);
    const expired = toToken(await receiveLink());
    advanceClock(30 * MINUTE_MS - 1);
    expect((await browser.get(`/reset-password?token=${expired}`)).status).toBe(200);
    advanceClock(1);
    for (const token of [used, expired]) {
      expect((await browser.get(`/reset-password?token=${token}`)).status).toBe(410);
      expect((await setPassword(token, 'another good password')).status).toBe(410);
    }
    expect((await signIn(NEW_PASSWORD)).status).toBe(303);
  });

  it.each([
    ['', 'Enter a password.'],
    ['123456789', 'at least 10 characters'],
    ['password1234', 'easy to guess'],
    ['x'.repeat(201), 'at most 200 characters'],
  ])('rejects the new password %j, and keeps the link', async (password, message) => {
    const token = toToken(await receiveLink());
    const { status, html } = await setPassword(token, password);
    expect(status).toBe(422);
    expect(html).toContain('<title>Error: Set a new password');
    expect(html).toContain(message);
    expect((await setPassword(token)).status).toBe(200);
  });

  it('sets the password for one of many concurrent requests with a link', async () => {
    const token = toToken(await receiveLink());
    const passwords = Array.from({ length: 5 }, (_, at) => `harbor lantern number ${at}`);
    const responses = await Promise.all(passwords.map((password) => setPassword(token, password)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
    const winner = passwords[responses.findIndex(({ status }) => status === 200)]!;
    expect((await signIn(winner)).status).toBe(303);
  });

  it('ends all sessions, starts none, and tells the person', async () => {
    const session = await openSignedInBrowser(server, account);
    const { html } = await session.submitForm(await session.get(await receiveLink()), '/reset-password', {
      password: NEW_PASSWORD,
    });
    expect(html).toContain('Your password is set');
    expect(html).not.toContain('/sign-out');
    expect((await session.get('/account/apps')).status).toBe(303);
    expect((await signIn(TEST_PASSWORD)).status).toBe(422);
    await findQueuedMail(server, 'passwordChanged', account.email);
    const types = (await server.entityManager.findBy(AuditEvent, { accountId: account.id })).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['password.reset', 'session.ended', 'email.verified']));
  });

  it('ends the other links of the account, also a waiting change of the address', async () => {
    const other = toToken(await receiveLink());
    const session = await openSignedInBrowser(server, account);
    const email = `new-${account.email}`;
    expect((await session.post('/account/email', { email, password: TEST_PASSWORD })).status).toBe(303);
    const change = toToken(await findQueuedLink(server, 'confirmEmail', email));
    expect((await setPassword(toToken(await receiveLink()))).status).toBe(200);
    expect((await setPassword(other)).status).toBe(410);
    expect((await browser.post('/verify-email', { token: change })).status).toBe(410);
    expect(await server.entityManager.existsBy(Account, { email })).toBe(false);
  });

  it('keeps the links of other accounts', async () => {
    const token = toToken(await receiveLink());
    account = await createAccount(server);
    expect((await setPassword(toToken(await receiveLink()))).status).toBe(200);
    expect((await setPassword(token)).status).toBe(200);
  });

  it('verifies the address that the link was sent to, but not by a link of the operator', async () => {
    const isVerified = async (): Promise<boolean> =>
      (await server.entityManager.findOneByOrFail(Account, { id: account.id })).emailVerifiedAt !== null;
    const { url } = await server.get(PasswordResetService).createLinkForOperator(account.username);
    expect((await setPassword(toToken(url))).status).toBe(200);
    expect(await isVerified()).toBe(false);
    expect((await setPassword(toToken(await receiveLink()))).status).toBe(200);
    expect(await isVerified()).toBe(true);
  });

  it('leaves no session of a sign-in with the old password that runs at the same time', async () => {
    const token = toToken(await receiveLink());
    const old = new BrowserClient(server);
    const attempts = Array.from({ length: 3 }, () =>
      old.post('/sign-in', { username: account.username, password: TEST_PASSWORD }),
    );
    const [reset] = await Promise.all([setPassword(token), ...attempts]);
    expect(reset.status).toBe(200);
    expect((await old.get('/account/apps')).status).toBe(303);
  });

  it('succeeds for one request when the person changes the password at the same time', async () => {
    const session = await openSignedInBrowser(server, account);
    const token = toToken(await receiveLink());
    const change = { current_password: TEST_PASSWORD, new_password: 'winter market stories' };
    const [reset, changed] = await Promise.all([setPassword(token), session.post('/account/password', change)]);
    expect([
      [200, 422],
      [200, 303],
      [410, 303],
    ]).toContainEqual([reset.status, changed.status]);
    const valid = await Promise.all([signIn(NEW_PASSWORD), signIn('winter market stories')]);
    expect(valid.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it.each(['de', 'es', 'fr', 'pt'])('shows its pages in the language %s', async (language) => {
    const english = await browser.get('/forgot-password');
    const { html } = await browser.get(`/forgot-password?ui_locales=${language}`);
    expect(html).toContain(`<html lang="${language}">`);
    expect(/<h1>(.*?)<\/h1>/.exec(html)![1]).not.toBe(/<h1>(.*?)<\/h1>/.exec(english.html)![1]);
  });
});
