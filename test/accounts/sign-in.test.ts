import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { Session } from '../../src/identity/accounts/session.entity.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

const CORRECT_PASSWORD = 'correct horse';

describe('Signing in', () => {
  let server: TestServer;
  let person: Account;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start({ BASE_URL: 'http://map.example.org' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    person = await createAccount(server);
    browser = new BrowserClient(server);
    advanceClock(0); // the clock stands still, unless a test moves it
  });
  afterEach(restoreClock);

  const attempt = (username: string, password: string, who = browser): Promise<PageResponse> =>
    who.post('/sign-in', { username, password });
  const isSignedIn = async (who = browser): Promise<boolean> => (await who.get('/account/apps')).status === 200;

  it('by username or e-mail address, in any case, leads to the person’s apps', async () => {
    for (const name of [person.username, person.username.toUpperCase(), person.email, ` ${person.email} `]) {
      const own = new BrowserClient(server);
      const { status, location } = await attempt(name, CORRECT_PASSWORD, own);
      expect({ status, location }).toEqual({ status: 303, location: '/account/apps' });
      expect(await isSignedIn(own)).toBe(true);
    }
  });

  it('gives an opaque cookie: HttpOnly, SameSite=Lax, and only its digest is stored', async () => {
    const { headers } = await attempt(person.username, CORRECT_PASSWORD);
    const cookie = headers.getSetCookie().find((line) => line.startsWith('session='))!;
    expect(cookie).toMatch(/^session=sam_session_[\w-]{49};/);
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
    expect(cookie).not.toMatch(/Secure|Domain/);
    const rows = await server.entityManager.findBy(Session, { accountId: person.id });
    expect(rows.map((row) => row.digest)).toEqual([computeDigest(browser.getCookie('session')!)]);
  });

  it('on https its cookies are Secure, and no other host can plant them', async () => {
    const secure = await TestServer.start({ BASE_URL: 'https://map.example.org' });
    const { username } = await createAccount(secure);
    const { headers } = await attempt(username, CORRECT_PASSWORD, new BrowserClient(secure));
    for (const line of headers.getSetCookie()) expect(line).toMatch(/^__Host-.*; Secure/);
    await secure.stop();
  });

  it('gives a new id each time, and the one before ends', async () => {
    await attempt(person.username, CORRECT_PASSWORD);
    const first = browser.getCookie('session');
    await attempt(person.username, CORRECT_PASSWORD);
    expect(browser.getCookie('session')).not.toBe(first);
    expect(await server.entityManager.countBy(Session, { digest: computeDigest(first!) })).toBe(0);
  });

  it('takes no session that a browser brings along', async () => {
    const planted = new BrowserClient(server, { cookie: 'session=sam_session_planted' });
    expect(await isSignedIn(planted)).toBe(false);
  });

  it.each(['', 'correct horsé', 'correct horse ', 'x'.repeat(2000), 'a\0b'])(
    'refuses the password %j',
    async (password) => {
      const { status, headers } = await attempt(person.username, password);
      expect({ status, cookies: headers.getSetCookie() }).toEqual({ status: 422, cookies: [] });
    },
  );

  it('answers a wrong password and a name that nobody has alike', async () => {
    const answers = [
      await attempt(person.username, 'wrong'),
      await attempt('nobody-at-all', 'wrong'),
      await attempt('nobody@example.org', 'wrong'),
      await attempt('a\0b', 'wrong'),
      await attempt('', ''),
    ];
    const seen = answers.map(({ status, html }) => [status, html.replace(/ value="[^"]*"| value(?= )/, '')]);
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(answers[0]!.html).toContain('is wrong');
  });

  it.each([() => person.username, () => 'somebody-unknown'])(
    'slows guessing down, the same for a name that nobody has, and not for good',
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

  it('never makes anybody wait for more than a minute, however often it was wrong', async () => {
    await attempt(person.username, 'wrong');
    for (let wrong = 0; wrong < 15; wrong++) {
      await attempt(person.username, 'wrong');
      advanceClock(61 * SECOND_MS);
    }
    expect((await attempt(person.username, CORRECT_PASSWORD)).status).toBe(303);
    expect((await attempt(person.username, 'wrong')).status).toBe(422);
  });

  it('counts guesses that come at once one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(person.username, 'wrong')));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('does not tell by its waits that a username and an e-mail address are of one person', async () => {
    for (let wrong = 0; wrong < 6; wrong++) await attempt(person.username, 'wrong');
    expect((await attempt(person.email, 'wrong')).status).toBe(422);
  });

  it('takes the right password many times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => attempt(person.username, CORRECT_PASSWORD, new BrowserClient(server))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(303));
  });

  it('counts guesses in a browser of somebody else like those of a stranger', async () => {
    const other = await createAccount(server);
    for (let wrong = 0; wrong < 5; wrong++) {
      const own = new BrowserClient(server);
      await attempt(other.username, CORRECT_PASSWORD, own);
      expect((await attempt(person.username, 'wrong', own)).status).toBe(422);
    }
    await attempt(other.username, CORRECT_PASSWORD);
    expect((await attempt(person.username, CORRECT_PASSWORD)).status).toBe(429);
  });

  it('forgets what went wrong once it went well, and after an hour', async () => {
    const wrongOften = async (): Promise<void> => {
      for (let wrong = 0; wrong < 4; wrong++) expect((await attempt(person.username, 'wrong')).status).toBe(422);
    };
    await wrongOften();
    expect((await attempt(person.username, CORRECT_PASSWORD, new BrowserClient(server))).status).toBe(303);
    await wrongOften();
    expect((await attempt(person.username, 'wrong')).status).toBe(422);
    advanceClock(3599 * SECOND_MS);
    expect((await attempt(person.username, 'wrong')).status).toBe(422);
    expect((await attempt(person.username, 'wrong')).status).toBe(429);
    advanceClock(3601 * SECOND_MS);
    await wrongOften();
  });

  it('keeps nobody out because somebody guesses elsewhere, from one place or from many', async () => {
    const behindProxy = await TestServer.start({ TRUST_PROXY: '1' });
    const { username } = await createAccount(behindProxy);
    const at = (address: string): BrowserClient => new BrowserClient(behindProxy, { 'X-Forwarded-For': address });
    for (let wrong = 0; wrong < 6; wrong++) await attempt(username, 'wrong', at('192.0.2.1'));
    expect((await attempt(username, CORRECT_PASSWORD, at('192.0.2.1'))).status).toBe(429);
    expect((await attempt(username, CORRECT_PASSWORD, at('192.0.2.2'))).status).toBe(303);
    for (let wrong = 0; wrong < 60; wrong++) await attempt(username, 'wrong', at(`2001:db8:0:${wrong}::1`));
    const slowed = await attempt(username, CORRECT_PASSWORD, at('192.0.2.3'));
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get('retry-after'))).toBeLessThanOrEqual(2);
    advanceClock(2 * SECOND_MS);
    expect((await attempt(username, CORRECT_PASSWORD, at('192.0.2.3'))).status).toBe(303);
    await behindProxy.stop();
  });

  it('stays open to a person in a browser of theirs while somebody else guesses', async () => {
    await attempt(person.username, CORRECT_PASSWORD);
    await browser.submitForm(await browser.get('/sign-out'), '/sign-out');
    const stranger = new BrowserClient(server);
    for (let wrong = 0; wrong < 6; wrong++) await attempt(person.username, 'wrong', stranger);
    expect((await attempt(person.username, CORRECT_PASSWORD, stranger)).status).toBe(429);
    expect((await attempt(person.username, CORRECT_PASSWORD)).status).toBe(303);
  });

  it('tells a blocked person so and why, once their password is right, and does not sign them in', async () => {
    await server.get(AccountsService).block(person.username, 'Posted advertisements.');
    const wrong = await attempt(person.username, 'wrong');
    expect(wrong.html).not.toContain('advertisements');
    const { status, html, headers } = await attempt(person.username, CORRECT_PASSWORD);
    expect({ status, cookies: headers.getSetCookie() }).toEqual({ status: 403, cookies: [] });
    expect(html).toContain('Posted advertisements.');
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
  ])('goes on to no address but ours, whatever a link says: %j', async (returnTo) => {
    const { location, headers } = await browser.signIn(
      person,
      CORRECT_PASSWORD,
      `/sign-in?${new URLSearchParams({ return_to: returnTo })}`,
    );
    expect(location).toBe('/account/apps');
    expect(headers.getSetCookie().join()).not.toContain('a=b');
  });

  it.each(['/account/apps', '/developer/apps/new?x=1', '/api/oauth/authorize?client_id=a&scope=b%20c', '/'])(
    'goes back to %s',
    async (returnTo) => {
      const { location } = await browser.signIn(
        person,
        CORRECT_PASSWORD,
        `/sign-in?${new URLSearchParams({ return_to: returnTo })}`,
      );
      expect(location).toBe(returnTo);
    },
  );

  it('is asked of who opens a page that needs it, and leads back there', async () => {
    const { location } = await browser.get('/developer/apps/new');
    expect(location).toBe('/sign-in?return_to=%2Fdeveloper%2Fapps%2Fnew');
    expect((await browser.signIn(person, CORRECT_PASSWORD, location!)).location).toBe('/developer/apps/new');
  });

  it('lasts for two weeks', async () => {
    await attempt(person.username, CORRECT_PASSWORD);
    advanceClock(14 * 24 * 3600 * SECOND_MS - SECOND_MS);
    expect(await isSignedIn()).toBe(true);
    advanceClock(2 * SECOND_MS);
    expect(await isSignedIn()).toBe(false);
  });

  it('ends by signing out, which a link alone does not do', async () => {
    await attempt(person.username, CORRECT_PASSWORD);
    const secret = browser.getCookie('session')!;
    const page = await browser.get('/sign-out');
    expect(await isSignedIn()).toBe(true);
    const { status, headers } = await browser.submitForm(page, '/sign-out');
    expect(status).toBe(200);
    expect(headers.getSetCookie().join()).toMatch(/session=;.*Max-Age=0/);
    expect(await isSignedIn(new BrowserClient(server, { cookie: `session=${secret}` }))).toBe(false);
  });
});
