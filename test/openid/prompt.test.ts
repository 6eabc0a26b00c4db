import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import {
  createAuthorizationRequest,
  authorizeApp,
  parseRedirectParams,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { BrowserClient } from '../support/browser-client.js';

describe('What an app says of how to ask (OpenID Connect Core §3.1.2.1)', () => {
  let server: TestServer;
  let person: Account;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
    app = await registerApp(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    person = await createAccount(server);
    browser = await openSignedInBrowser(server, person);
  });
  afterEach(restoreClock);

  const errorOf = async (given: Record<string, string>, who = browser): Promise<string | undefined> =>
    parseRedirectParams(await who.get(createAuthorizationRequest(app, given).path)).error;

  it('prompt=none: login_required without a session, consent_required without a yes, and a code with both', async () => {
    expect(await errorOf({ prompt: 'none' }, new BrowserClient(server))).toBe('login_required');
    expect(await errorOf({ prompt: 'none' })).toBe('consent_required');
    await authorizeApp(server, app, browser);
    expect(
      parseRedirectParams(await browser.get(createAuthorizationRequest(app, { prompt: 'none' }).path)).code,
    ).toMatch(/^sam_code_/);
  });

  it.each(['login', 'select_account'])('prompt=%s asks for the password again, once', async (prompt) => {
    await authorizeApp(server, app, browser);
    const toSignIn = await browser.get(createAuthorizationRequest(app, { prompt }).path);
    expect(toSignIn.location).toMatch(/^\/sign-in\?/);
    const page = await browser.get(toSignIn.location!);
    expect(page.html).toContain('The app asks you to sign in again.');
    expect(page.html).not.toContain('Continue as');
    const back = await browser.signIn(person, 'correct horse', toSignIn.location!);
    expect(parseRedirectParams(await browser.get(back.location!)).code).toMatch(/^sam_code_/);
  });

  it('prompt=login is not got round by going back without signing in, nor by the way back of another request', async () => {
    await authorizeApp(server, app, browser);
    const toSignIn = await browser.get(createAuthorizationRequest(app, { prompt: 'login' }).path);
    const way = new URLSearchParams(toSignIn.location!.split('?')[1]).get('return_to')!;
    expect((await browser.get(way)).location).toMatch(/^\/sign-in\?/);
    const askedAt = new URL(way, server.url).searchParams.get('asked_at')!;
    advanceClock(30 * SECOND_MS);
    await browser.signIn(person);
    advanceClock(30 * SECOND_MS);
    const other = `${createAuthorizationRequest(app, { prompt: 'login' }).path}&asked_at=${askedAt}`;
    expect((await browser.get(other)).location).toMatch(/^\/sign-in\?/);
    advanceClock(3600 * SECOND_MS);
    expect((await browser.get(way)).location).toMatch(/^\/sign-in\?/);
  });

  it('max_age asks for the password again where the last time is longer ago, and else does not', async () => {
    await authorizeApp(server, app, browser);
    advanceClock(50 * SECOND_MS);
    expect(
      parseRedirectParams(await browser.get(createAuthorizationRequest(app, { max_age: '60' }).path)).code,
    ).toBeDefined();
    advanceClock(11 * SECOND_MS);
    expect(await errorOf({ max_age: '60', prompt: 'none' })).toBe('login_required');
    const toSignIn = await browser.get(createAuthorizationRequest(app, { max_age: '60' }).path);
    expect(toSignIn.location).toMatch(/^\/sign-in\?/);
    const back = await browser.signIn(person, 'correct horse', toSignIn.location!);
    expect(parseRedirectParams(await browser.get(back.location!)).code).toBeDefined();
  });

  it('max_age=0 always asks for the password, and does not ask for ever', async () => {
    await authorizeApp(server, app, browser);
    advanceClock(SECOND_MS);
    const toSignIn = await browser.get(createAuthorizationRequest(app, { max_age: '0' }).path);
    const back = await browser.signIn(person, 'correct horse', toSignIn.location!);
    advanceClock(SECOND_MS);
    expect(parseRedirectParams(await browser.get(back.location!)).code).toBeDefined();
  });

  it('max_age is not got round by going back much later', async () => {
    await authorizeApp(server, app, browser);
    advanceClock(61 * SECOND_MS);
    const toSignIn = await browser.get(createAuthorizationRequest(app, { max_age: '5' }).path);
    const back = await browser.signIn(person, 'correct horse', toSignIn.location!);
    advanceClock(120 * SECOND_MS);
    expect((await browser.get(back.location!)).location).toMatch(/^\/sign-in\?/);
  });

  it('auth_time tells when the person last proved who they are, and a refresh does not change it', async () => {
    const before = Math.floor(Date.now() / 1000);
    advanceClock(120 * SECOND_MS);
    const { body } = await authorizeApp(server, app, browser, { nonce: 'n-0S6' });
    const claims = JSON.parse(Buffer.from((body.id_token as string).split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({ iss: server.settings.BASE_URL, aud: app.app.id, sub: person.id, nonce: 'n-0S6' });
    expect(claims.auth_time).toBeGreaterThanOrEqual(before - 10);
    expect(claims.auth_time).toBeLessThan(before + 60);
    expect(claims.iat - claims.auth_time).toBeGreaterThanOrEqual(119);
    const refreshed = await server.request('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...app.credentials },
    });
    expect(refreshed.body.id_token).toBeUndefined();
    const [authorization] = await server.entityManager.findBy(Authorization, { accountId: person.id });
    expect(Math.floor(authorization!.authTime.getTime() / 1000)).toBe(claims.auth_time);
    const [, payload] = (refreshed.body.access_token as string).split('.');
    expect(JSON.parse(Buffer.from(payload!, 'base64url').toString()).sub).toBe(person.id);
  });
});
