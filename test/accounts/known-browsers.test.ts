import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { KnownBrowser } from '../../src/identity/accounts/sign-in/known-browser.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { AesGcmCipher } from '../../src/platform/crypto/aes-gcm-cipher.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, TEST_PASSWORD } from '../support/factories.js';
import { readQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

describe('Known browsers', () => {
  let server: TestServer;
  let account: Account;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start({ BASE_URL: 'http://map.example.org', TRUST_PROXY: '1', RATE_LIMITS: 'on' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server);
    browser = new BrowserClient(server);
  });

  /** Signs in with a cookie. @returns the status, and the cookie of the browser if there is one */
  const signIn = async (cookie = '', password = TEST_PASSWORD): Promise<{ status: number; cookie?: string }> => {
    const response = await new BrowserClient(server, { cookie }).post('/sign-in', {
      username: account.username,
      password,
    });
    const [line] = response.headers.getSetCookie().filter((text) => text.startsWith('browser='));
    return { status: response.status, ...(line && { cookie: line.split(';')[0]! }) };
  };
  const countNotices = async (): Promise<number> =>
    (await readQueuedMail(server)).filter(({ kind, email }) => kind === 'newSignIn' && email === account.email).length;

  it('get a random secret of 256 bits, of which the database has only digests', async () => {
    const secrets = [];
    for (const one of [browser, new BrowserClient(server)]) {
      await one.signIn(account);
      secrets.push(one.getCookie('browser')!);
    }
    for (const secret of secrets) expect(secret).toMatch(/^sam_browser_[\w-]{49}$/);
    expect(secrets[0]).not.toBe(secrets[1]);
    const rows = await server.entityManager.findBy(KnownBrowser, { accountId: account.id });
    expect(rows).toHaveLength(2);
    for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret.slice('sam_browser_'.length));
  });

  it('keep their secret for a year at each sign-in, also of another account', async () => {
    const other = await createAccount(server);
    await browser.signIn(account);
    const secret = browser.getCookie('browser');
    const { headers } = await browser.signIn(other);
    expect(browser.getCookie('browser')).toBe(secret);
    expect(headers.getSetCookie().find((line) => line.startsWith('browser='))).toContain('Max-Age=31536000');
    const rows = await server.entityManager.find(KnownBrowser);
    const digests = rows.filter(({ accountId }) => [account.id, other.id].includes(accountId));
    expect(new Set(digests.map(({ digest }) => digest)).size).toBe(2);
  });

  it('are stored once for concurrent sign-ins with one cookie', async () => {
    const { cookie } = await signIn();
    await Promise.all(Array.from({ length: 5 }, () => signIn(cookie)));
    expect(await server.entityManager.countBy(KnownBrowser, { accountId: account.id })).toBe(1);
  });

  it('are unknown with a cookie of the former format, of another account or of another server', async () => {
    await signIn();
    const cipher = new AesGcmCipher(server.settings.MASTER_SECRET, 'known-browsers');
    const former = `browser=${cipher.encrypt(`${account.id} AAAAAAAAAAAAAAAAAAAAAA`)}`;
    const other = new BrowserClient(server);
    await other.signIn(await createAccount(server));
    const planted = 'browser=sam_browser_planted';
    let notices = 0;
    for (const cookie of [former, `browser=${other.getCookie('browser')}`, planted]) {
      expect((await signIn(cookie)).status).toBe(303);
      expect(await countNotices()).toBe(++notices);
    }
    expect((await signIn(former)).cookie).not.toBe(former);
  });

  it('are at most 50 for an account, and replace those used longest ago', async () => {
    const { cookie } = await signIn();
    const known = await server.entityManager.findOneByOrFail(KnownBrowser, { accountId: account.id });
    const other = await createAccount(server);
    const rows = Array.from({ length: 60 }, (_, index) => ({
      digest: `${account.id} ${index}`,
      accountId: account.id,
      createdAt: new Date(0),
      lastUsedAt: new Date(1000 * index),
    }));
    await server.get(TransactionService).run(async (tx) => {
      await tx.insert(KnownBrowser, rows);
      await tx.insert(KnownBrowser, { ...known, digest: other.id, accountId: other.id });
    });
    await Promise.all([signIn(), signIn()]);
    const kept = await server.entityManager.findBy(KnownBrowser, { accountId: account.id });
    const digests = kept.map(({ digest }) => digest);
    expect(digests).toHaveLength(50);
    expect(digests).toContain(`${account.id} 59`);
    expect(digests).not.toContain(`${account.id} 10`);
    expect(digests).toContain(known.digest);
    expect(await server.entityManager.countBy(KnownBrowser, { accountId: other.id })).toBe(1);
    expect((await signIn(cookie)).cookie).toBe(cookie);
  });

  it('are not stored after a wrong password', async () => {
    expect(await signIn('', 'wrong')).toEqual({ status: 422 });
    expect(await server.entityManager.countBy(KnownBrowser, { accountId: account.id })).toBe(0);
  });
});
