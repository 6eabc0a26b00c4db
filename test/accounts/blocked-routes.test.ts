import { describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AuthorizationCode } from '../../src/identity/oauth/authorize/authorization-code.entity.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { registerApp, TEST_PASSWORD } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock, setClock } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { listPagePaths } from '../support/page-paths.js';

/** The pages of the account that a blocked person keeps. */
const AVAILABLE_PATHS = ['/account', '/account/apps', '/account/delete', '/account/export'];

/** The page of an app, which this person did not connect. */
const isAppPage = (path: string): boolean => path.startsWith('/account/apps/');

const REASON = 'Posted advertisements.';

describe('A blocked person', () => {
  const fixture = OAuthFixture.use({ environment: { CONTACT: 'mailto:team@map.example.org' } });
  const block = (until?: Date): Promise<unknown> =>
    fixture.server.get(AccountsService).block(fixture.account.username, REASON, until);
  const findAccount = (): Promise<Account> =>
    fixture.server.entityManager.findOneByOrFail(Account, { id: fixture.account.id });

  /** Returns the pages of a method that redirect a visitor to the sign-in page. */
  const listAccountPages = async (method: 'GET' | 'POST'): Promise<string[]> => {
    const { app } = await registerApp(fixture.server, { ownerId: fixture.account.id });
    const visitor = new BrowserClient(fixture.server);
    const paths: string[] = [];
    for (const path of new Set(listPagePaths(fixture.server, method, app.id))) {
      const { location } = await (method === 'GET' ? visitor.get(path) : visitor.post(path, {}));
      if (location?.startsWith('/sign-in')) paths.push(path);
    }
    return paths;
  };

  const expectBlockedPage = ({ status, html }: PageResponse, path: string): void =>
    expect({
      path,
      status,
      title: html.includes('<h1>Your account is blocked</h1>'),
      reason: html.includes(`Reason: ${REASON}`),
    }).toEqual({ path, status: 403, title: true, reason: true });

  it('sees the block on every page of the account, except those to leave', async () => {
    const paths = await listAccountPages('GET');
    await block();
    for (const path of paths) {
      const response = await fixture.browser.get(path);
      if (AVAILABLE_PATHS.includes(path)) expect({ path, status: response.status }).toEqual({ path, status: 200 });
      else if (isAppPage(path)) expect(response.status).toBe(404);
      else expectBlockedPage(response, path);
    }
    expect(paths.length).toBeGreaterThan(AVAILABLE_PATHS.length + 5);
    expect(paths).toEqual(expect.arrayContaining(AVAILABLE_PATHS));
  });

  it('sends no form of the account, except those to leave', async () => {
    const paths = await listAccountPages('POST');
    const before = await findAccount();
    await block();
    for (const path of paths.filter((other) => !AVAILABLE_PATHS.includes(other) && !isAppPage(other))) {
      // The forms with a picture take only multipart forms.
      const isMultipart = path === '/account/profile' || path.endsWith('/icon');
      const { browser } = fixture;
      expectBlockedPage(
        await (isMultipart ? browser.postMultipart(path, { name: 'X' }) : browser.post(path, {})),
        path,
      );
    }
    expect(paths.length).toBeGreaterThan(AVAILABLE_PATHS.length + 10);
    const { blockedAt, blockedReason, updatedAt, ...after } = await findAccount();
    expect(before).toMatchObject(after);
  });

  it('signs in, and sees the reason, the end, the contact and the pages to leave', async () => {
    await block(new Date('2100-01-31T08:00:00Z'));
    const browser = new BrowserClient(fixture.server);
    const { location } = await browser.signIn(fixture.account);
    for (const path of [location!, '/account']) {
      const { status, html } = await browser.get(path);
      expect(status).toBe(200);
      for (const text of ['Your account is blocked', `Reason: ${REASON}`, 'January 31, 2100', 'team@map.example.org'])
        expect(html).toContain(text);
      for (const page of ['export', 'apps', 'delete']) expect(html).toContain(`<a href="/account/${page}">`);
    }
  });

  it('learns nothing of the block with a wrong password', async () => {
    await block();
    const form = { username: fixture.account.username, password: 'wrong horse' };
    const { status, html } = await new BrowserClient(fixture.server).post('/sign-in', form);
    expect(status).toBe(422);
    expect(html).not.toContain(REASON);
  });

  it('exports the data, removes the access of an app, and signs out', async () => {
    await fixture.authorizeApp();
    await block();
    const { browser } = fixture;
    const exported = await browser.post('/account/export', {});
    expect(JSON.parse(exported.html)).toMatchObject({ account: { blocked_reason: REASON, blocked_until: null } });
    const removed = await browser.submitForm(await browser.get('/account/apps'), '/account/apps');
    expect(removed.location).toMatch(/\?done=/);
    await browser.submitForm(await browser.get('/sign-out'), '/sign-out');
    expect((await browser.get('/account')).location).toMatch(/^\/sign-in/);
  });

  it('deletes the account', async () => {
    await block();
    const page = await fixture.browser.get('/account/delete');
    const { location } = await fixture.browser.submitForm(page, '/account/delete', { password: TEST_PASSWORD });
    expect(location).toBe('/account/deleted');
    expect((await findAccount()).deletedAt).not.toBeNull();
  });

  it('allows no app anything until the block ends', async () => {
    const page = await fixture.authorize();
    setClock(Date.now());
    await block(new Date(Date.now() + DAY_MS));
    for (const response of [
      await fixture.authorize(),
      await fixture.authorize({ prompt: 'consent' }),
      await fixture.browser.submitForm(page, '/consent', { decision: 'allow' }),
    ])
      expectBlockedPage(response, '/api/oauth/authorize');
    expect(await fixture.server.entityManager.countBy(AuthorizationCode, { accountId: fixture.account.id })).toBe(0);
    advanceClock(DAY_MS);
    expect((await fixture.authorize()).status).toBe(200);
    expect((await fixture.browser.get('/account/profile')).status).toBe(200);
    restoreClock();
  });
});
