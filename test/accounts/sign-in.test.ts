import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

const CORRECT_PASSWORD = 'correct horse';

/** Returns the cookies of a response that belong to a session or a known browser. */
function readSessionCookies(headers: Headers): string[] {
  return headers.getSetCookie().filter((line) => !line.startsWith('passkey_browser='));
}

describe('Sign-in', () => {
  let server: TestServer;
  let account: AccountWithEmail;
  let browser: BrowserClient;
  let address: string;
  let addressCount = 0;

  /** Opens a browser in the network of the test. */
  const openBrowser = (headers: Record<string, string> = {}): BrowserClient =>
    new BrowserClient(server, { 'X-Forwarded-For': address, ...headers });

  beforeAll(async () => {
    const settings = { BASE_URL: 'http://map.example.org', TRUST_PROXY: '1', RATE_LIMITS: 'on' };
    server = await TestServer.start(settings);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server);
    address = `192.0.2.${++addressCount}`;
    browser = openBrowser();
    advanceClock(0); // stops the clock
  });
  afterEach(restoreClock);

  const attempt = (username: string, password: string, client = browser): Promise<PageResponse> =>
    client.post('/sign-in', { username, password });
  const isSignedIn = async (client = browser): Promise<boolean> => (await client.get('/account/apps')).status === 200;

  it('accepts the username or the e-mail address in any case, and shows the connected apps', async () => {
    for (const name of [account.username, account.username.toUpperCase(), account.email, ` ${account.email} `]) {
      const own = openBrowser();
      const { status, location } = await attempt(name, CORRECT_PASSWORD, own);
      expect({ status, location }).toEqual({ status: 303, location: '/account/apps' });
      expect(await isSignedIn(own)).toBe(true);
    }
  });

  it('sets an opaque cookie with HttpOnly and SameSite=Lax, and stores its digest', async () => {
    const { headers } = await attempt(account.username, CORRECT_PASSWORD);
    const cookie = headers.getSetCookie().find((line) => line.startsWith('session='))!;
    expect(cookie).toMatch(/^session=sam_session_[\w-]{49};/);
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
    expect(cookie).not.toMatch(/Secure|Domain/);
    const rows = await server.entityManager.findBy(Session, { accountId: account.id });
    expect(rows.map((row) => row.digest)).toEqual([computeDigest(browser.getCookie('session')!)]);
  });

  it('sets Secure cookies with the __Host- prefix on HTTPS', async () => {
    const secure = await TestServer.start({ BASE_URL: 'https://map.example.org' });
    const { username } = await createAccount(secure);
    const { headers } = await attempt(username, CORRECT_PASSWORD, new BrowserClient(secure));
    for (const line of headers.getSetCookie()) expect(line).toMatch(/^__Host-.*; Secure/);
    await secure.stop();
  });

  it('creates a new session, and ends the previous one', async () => {
    await attempt(account.username, CORRECT_PASSWORD);
    const first = browser.getCookie('session');
    await attempt(account.username, CORRECT_PASSWORD);
    expect(browser.getCookie('session')).not.toBe(first);
    expect(await server.entityManager.countBy(Session, { digest: computeDigest(first!) })).toBe(0);
  });

  it('rejects a session id that the server did not issue', async () => {
    const planted = openBrowser({ cookie: 'session=sam_session_planted' });
    expect(await isSignedIn(planted)).toBe(false);
  });

  it.each(['', 'correct horsé', 'correct horse ', 'x'.repeat(2000), 'a\0b'])(
    'rejects the password %j',
    async (password) => {
      const { status, headers } = await attempt(account.username, password);
      expect({ status, cookies: readSessionCookies(headers) }).toEqual({ status: 422, cookies: [] });
    },
  );

  it('responds to a wrong password and to an unknown username alike', async () => {
    const responses = [
      await attempt(account.username, 'wrong'),
      await attempt('nobody-at-all', 'wrong'),
      await attempt('nobody@example.org', 'wrong'),
      await attempt('a\0b', 'wrong'),
      await attempt('', ''),
    ];
    const results = responses.map(({ status, html }) => [
      status,
      html.replace(/ value="[^"]*"| value(?= )| data-passkey-request="[^"]*"|\?login_hint=[^"]*/g, ''),
    ]);
    for (const one of results) expect(one).toEqual(results[0]);
    expect(responses[0]!.html).toContain('is wrong');
  });

  it.each([() => account.username, () => 'somebody-unknown'])(
    'delays guesses for a known and an unknown username alike, for a limited time',
    async (nameOf) => {
      for (let wrong = 0; wrong < 5; wrong++) expect((await attempt(nameOf(), 'wrong')).status).toBe(422);
      expect((await attempt(nameOf(), 'wrong')).status).toBe(429);
      const { status, headers } = await attempt(nameOf(), CORRECT_PASSWORD);
      expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 429, wait: '1' });
      advanceClock(SECOND_MS);
      expect((await attempt(nameOf(), 'wrong')).status).toBe(422);
      expect((await attempt(nameOf(), 'wrong')).headers.get('retry-after')).toBe('2');
    },
  );

  it('delays an attempt for one minute at most', async () => {
    await attempt(account.username, 'wrong');
    for (let wrong = 0; wrong < 15; wrong++) {
      await attempt(account.username, 'wrong');
      advanceClock(61 * SECOND_MS);
    }
    expect((await attempt(account.username, CORRECT_PASSWORD)).status).toBe(303);
    expect((await attempt(account.username, 'wrong')).status).toBe(422);
  });

  it('counts concurrent guesses one by one', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => attempt(account.username, 'wrong')));
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('does not reveal by its delays that a username and an e-mail address have the same account', async () => {
    for (let wrong = 0; wrong < 6; wrong++) await attempt(account.username, 'wrong');
    expect((await attempt(account.email, 'wrong')).status).toBe(422);
  });

  it('accepts many concurrent sign-ins with the right password', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => attempt(account.username, CORRECT_PASSWORD, openBrowser())),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(303));
  });

  it('counts guesses in a browser of another account like those of an unknown browser', async () => {
    const other = await createAccount(server);
    for (let wrong = 0; wrong < 5; wrong++) {
      const own = openBrowser();
      await attempt(other.username, CORRECT_PASSWORD, own);
      expect((await attempt(account.username, 'wrong', own)).status).toBe(422);
    }
    await attempt(other.username, CORRECT_PASSWORD);
    expect((await attempt(account.username, CORRECT_PASSWORD)).status).toBe(429);
  });

  it('resets the count after a sign-in, and after one hour', async () => {
    const failOften = async (): Promise<void> => {
      for (let wrong = 0; wrong < 4; wrong++) expect((await attempt(account.username, 'wrong')).status).toBe(422);
    };
    await failOften();
    expect((await attempt(account.username, CORRECT_PASSWORD, openBrowser())).status).toBe(303);
    await failOften();
    expect((await attempt(account.username, 'wrong')).status).toBe(422);
    advanceClock(3599 * SECOND_MS);
    expect((await attempt(account.username, 'wrong')).status).toBe(422);
    expect((await attempt(account.username, 'wrong')).status).toBe(429);
    advanceClock(3601 * SECOND_MS);
    await failOften();
  });

  it('accepts an account in a browser that it used before while others guess', async () => {
    await attempt(account.username, CORRECT_PASSWORD);
    await browser.submitForm(await browser.get('/sign-out'), '/sign-out');
    const otherBrowser = openBrowser();
    for (let wrong = 0; wrong < 6; wrong++) await attempt(account.username, 'wrong', otherBrowser);
    expect((await attempt(account.username, CORRECT_PASSWORD, otherBrowser)).status).toBe(429);
    expect((await attempt(account.username, CORRECT_PASSWORD)).status).toBe(303);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/.//evil.example/',
    '\\\\evil.example',
    'javascript:alert(1)',
    'http://map.example.org@evil.example/account/apps',
    '/account/apps/../../..//evil.example',
    '/sign-out',
    '/account/apps\r\nSet-Cookie: a=b',
    '%2f%2fevil.example',
    '',
  ])('redirects only to its own pages: %j', async (returnTo) => {
    const { location, headers } = await browser.signIn(
      account,
      CORRECT_PASSWORD,
      `/sign-in?${new URLSearchParams({ return_to: returnTo })}`,
    );
    expect(location).toBe('/account/apps');
    expect(headers.getSetCookie().join()).not.toContain('a=b');
  });

  it.each(['/account/apps', '/developer/apps/new?x=1', '/api/oauth/authorize?client_id=a&scope=b%20c', '/'])(
    'returns to %s',
    async (returnTo) => {
      const { location } = await browser.signIn(
        account,
        CORRECT_PASSWORD,
        `/sign-in?${new URLSearchParams({ return_to: returnTo })}`,
      );
      expect(location).toBe(returnTo);
    },
  );

  it('is required by protected pages, and returns to them', async () => {
    const { location } = await browser.get('/developer/apps/new');
    expect(location).toBe('/sign-in?return_to=%2Fdeveloper%2Fapps%2Fnew');
    expect((await browser.signIn(account, CORRECT_PASSWORD, location!)).location).toBe('/developer/apps/new');
  });

  it('ends after two weeks', async () => {
    await attempt(account.username, CORRECT_PASSWORD);
    advanceClock(14 * 24 * 3600 * SECOND_MS - SECOND_MS);
    expect(await isSignedIn()).toBe(true);
    advanceClock(2 * SECOND_MS);
    expect(await isSignedIn()).toBe(false);
  });

  it('ends with sign-out, which a link alone does not trigger', async () => {
    await attempt(account.username, CORRECT_PASSWORD);
    const secret = browser.getCookie('session')!;
    const page = await browser.get('/sign-out');
    expect(await isSignedIn()).toBe(true);
    const { status, headers } = await browser.submitForm(page, '/sign-out');
    expect(status).toBe(200);
    expect(headers.getSetCookie().join()).toMatch(/session=;.*Max-Age=0/);
    expect(await isSignedIn(openBrowser({ cookie: `session=${secret}` }))).toBe(false);
  });
});
