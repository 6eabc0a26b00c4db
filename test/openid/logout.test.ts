import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, DAY_MS, advanceClock } from '../support/fake-clock.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

const POST_LOGOUT_REDIRECT_URI = 'https://app.example.org/bye?from=map';

describe('RP-initiated logout', () => {
  let server: TestServer;
  let person: Account;
  let browser: BrowserClient;
  let app: TestApp;
  let hint: string;
  let refreshToken: string;
  let accessToken: string;

  beforeAll(async () => {
    server = await TestServer.start();
    app = await registerApp(server, { postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    person = await createAccount(server);
    browser = new BrowserClient(server);
    await browser.signIn(person);
    const tokens = await issueTokens(server, { app: app.app, account: person });
    [hint, refreshToken, accessToken] = [tokens.id_token!, tokens.refresh_token, tokens.access_token];
  });

  const logout = (given: Record<string, string>): Promise<PageResponse> =>
    browser.get(`/api/oauth/logout?${new URLSearchParams(given)}`);
  const foreignIdToken = async (): Promise<string> => {
    const other = await TestServer.start({
      DATABASE_URL: server.settings.DATABASE_URL,
      BASE_URL: 'https://other.example.org',
    });
    const tokens = await issueTokens(other, { app: app.app, account: person });
    await other.stop();
    return tokens.id_token!;
  };
  const isSignedIn = async (): Promise<boolean> => (await browser.get('/account/apps')).status === 200;

  it('with the id token of who is signed in signs them out, and sends them to the registered address with state', async () => {
    const answer = await logout({
      id_token_hint: hint,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      state: 'a b',
    });
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 303,
      location: `${POST_LOGOUT_REDIRECT_URI}&state=a+b`,
    });
    expect(await isSignedIn()).toBe(false);
  });

  it('takes an id token that has run out', async () => {
    advanceClock(2 * DAY_MS);
    expect((await logout({ id_token_hint: hint })).status).toBe(200);
    expect(await isSignedIn()).toBe(false);
    restoreClock();
  });

  it('leaves what apps were given', async () => {
    await logout({ id_token_hint: hint });
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken, ...app.credentials };
    expect((await server.request('POST', '/api/oauth/token', { body })).status).toBe(200);
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['nothing', () => Promise.resolve({})],
    ['an id token that is none', () => Promise.resolve({ id_token_hint: 'a.b.c' })],
    ['an access token for an id token', () => Promise.resolve({ id_token_hint: accessToken })],
    ['an id token of another issuer with the same keys', async () => ({ id_token_hint: await foreignIdToken() })],
    [
      'a client_id alone',
      () => Promise.resolve({ client_id: app.app.id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI }),
    ],
    [
      'the id token of another person',
      async () => ({
        id_token_hint: (await issueTokens(server, { app: app.app, account: await createAccount(server) })).id_token!,
        post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      }),
    ],
  ])('with %s asks first', async (_, given) => {
    const page = await logout(await given());
    expect(page.status).toBe(200);
    expect(await isSignedIn()).toBe(true);
    const answer = await browser.submitForm(page, '/sign-out');
    expect([null, POST_LOGOUT_REDIRECT_URI]).toContain(answer.location);
    expect(await isSignedIn()).toBe(false);
  });

  it('asked with an address goes on there after the yes, and to no other that the form may hold', async () => {
    const page = await logout({ client_id: app.app.id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI });
    expect(page.html).toContain(app.app.name);
    expect((await browser.submitForm(page, '/sign-out')).location).toBe(POST_LOGOUT_REDIRECT_URI);
    await browser.signIn(person);
    const { status, location } = await browser.post('/sign-out', { onward: 'https://evil.example/' });
    expect({ status, location }).toEqual({ status: 200, location: null });
  });

  it.each([
    'https://evil.example/',
    `${POST_LOGOUT_REDIRECT_URI}/`,
    'https://app.example.org/bye',
    'https://app.example.org/callback',
  ])('sends nobody to %j, which is not registered for it, and signs nobody out', async (address) => {
    const { status, location } = await logout({ id_token_hint: hint, post_logout_redirect_uri: address });
    expect({ status, location }).toEqual({ status: 400, location: null });
    expect(await isSignedIn()).toBe(true);
  });

  it('sends nobody anywhere without knowing the app, or where client_id and id token differ', async () => {
    expect((await logout({ post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI })).status).toBe(400);
    const other = await registerApp(server);
    expect((await logout({ id_token_hint: hint, client_id: other.app.id })).status).toBe(400);
    expect((await logout({ client_id: 'nonsense' })).status).toBe(400);
    const disabled = await registerApp(server, { postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] });
    await server.get(AppsService).disable(disabled.app.id);
    const asked = { client_id: disabled.app.id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI };
    expect((await logout(asked)).status).toBe(400);
    expect(await isSignedIn()).toBe(true);
  });

  it('takes a form from the app as well', async () => {
    const foreign = { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'cross-site' };
    const form = { id_token_hint: hint, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI };
    const answer = await browser.post('/api/oauth/logout', form, foreign);
    expect((await browser.get(answer.location!)).location).toBe(POST_LOGOUT_REDIRECT_URI);
  });

  it('of who is not signed in goes on all the same', async () => {
    browser.clearCookies();
    expect((await logout({ id_token_hint: hint, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI })).location).toBe(
      POST_LOGOUT_REDIRECT_URI,
    );
    expect((await logout({})).status).toBe(200);
  });
});
