import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { createAccount, registerApp, issueTokens } from '../support/factories.js';
import { authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, DAY_MS, SECOND_MS, advanceClock } from '../support/fake-clock.js';
import { type PageResponse } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const POST_LOGOUT_REDIRECT_URI = 'https://app.example.org/bye?from=map';

describe('RP-initiated logout', () => {
  const fixture = OAuthFixture.use({
    appPerFile: true,
    app: () => ({ postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] }),
  });
  let hint: string;
  let refreshToken: string;
  let accessToken: string;

  beforeEach(async () => {
    const { body } = await fixture.authorizeApp();
    [hint, refreshToken, accessToken] = [body.id_token, body.refresh_token, body.access_token];
  });
  afterEach(restoreClock);

  const logout = (parameters: Record<string, string>): Promise<PageResponse> =>
    fixture.browser.get(`/api/oauth/logout?${new URLSearchParams(parameters)}`);
  const foreignIdToken = async (): Promise<string> => {
    const other = await TestServer.start({
      DATABASE_URL: fixture.server.settings.DATABASE_URL,
      BASE_URL: 'https://other.example.org',
    });
    const tokens = await issueTokens(other, { app: fixture.app.app, account: fixture.account });
    await other.stop();
    return tokens.id_token!;
  };
  const expectQuestionWithoutRedirect = async (parameters: Record<string, string>): Promise<void> => {
    const page = await logout(parameters);
    expect({ status: page.status, location: page.location }).toEqual({ status: 200, location: null });
    expect(await isSignedIn()).toBe(true);
    const response = await fixture.browser.submitForm(page, '/sign-out');
    expect({ status: response.status, location: response.location }).toEqual({ status: 200, location: null });
    expect(await isSignedIn()).toBe(false);
  };
  const isSignedIn = async (): Promise<boolean> => (await fixture.browser.get('/account/apps')).status === 200;

  it('signs out with an ID token of this session, and redirects to the registered address with state', async () => {
    const response = await logout({
      id_token_hint: hint,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      state: 'a b',
    });
    expect({ status: response.status, location: response.location }).toEqual({
      status: 303,
      location: `${POST_LOGOUT_REDIRECT_URI}&state=a+b`,
    });
    expect(await isSignedIn()).toBe(false);
  });

  it('accepts an expired ID token', async () => {
    advanceClock(2 * DAY_MS);
    expect((await logout({ id_token_hint: hint })).status).toBe(200);
    expect(await isSignedIn()).toBe(false);
  });

  it('keeps the tokens of the apps valid', async () => {
    await logout({ id_token_hint: hint });
    expect((await fixture.refreshTokens(refreshToken)).status).toBe(200);
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['no parameters', () => Promise.resolve({})],
    ['a malformed ID token', () => Promise.resolve({ id_token_hint: 'a.b.c' })],
    ['an access token as ID token', () => Promise.resolve({ id_token_hint: accessToken })],
    ['an ID token of another issuer with the same keys', async () => ({ id_token_hint: await foreignIdToken() })],
    [
      'a client_id alone',
      () => Promise.resolve({ client_id: fixture.app.app.id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI }),
    ],
    [
      'an ID token of an earlier session in the same browser',
      async () => {
        const earlier = hint;
        advanceClock(2 * SECOND_MS);
        await fixture.browser.signIn(fixture.account);
        return { id_token_hint: earlier, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI };
      },
    ],
    [
      'an ID token of a later session in another browser',
      async () => {
        advanceClock(2 * SECOND_MS);
        const other = await openSignedInBrowser(fixture.server, fixture.account);
        const { body } = await authorizeApp(fixture.server, fixture.app, other, { prompt: 'consent' });
        return { id_token_hint: body.id_token as string, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI };
      },
    ],
    [
      'an ID token that the operator issued',
      async () => {
        advanceClock(2 * SECOND_MS);
        return { id_token_hint: (await fixture.issueTokens()).id_token! };
      },
    ],
    [
      'the ID token of another account',
      async () => ({
        id_token_hint: (
          await issueTokens(fixture.server, { app: fixture.app.app, account: await createAccount(fixture.server) })
        ).id_token!,
        post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      }),
    ],
  ])('asks for confirmation with %s', async (_, parameters) => {
    const page = await logout(await parameters());
    expect(page.status).toBe(200);
    expect(await isSignedIn()).toBe(true);
    const response = await fixture.browser.submitForm(page, '/sign-out');
    expect([null, POST_LOGOUT_REDIRECT_URI]).toContain(response.location);
    expect(await isSignedIn()).toBe(false);
  });

  it('redirects to the registered address after the confirmation, and ignores addresses in the form', async () => {
    const page = await logout({ client_id: fixture.app.app.id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI });
    expect(page.html).toContain(fixture.app.app.name);
    expect((await fixture.browser.submitForm(page, '/sign-out')).location).toBe(POST_LOGOUT_REDIRECT_URI);
    await fixture.browser.signIn(fixture.account);
    const { status, location } = await fixture.browser.post('/sign-out', { onward: 'https://evil.example/' });
    expect({ status, location }).toEqual({ status: 200, location: null });
  });

  it.each([
    'https://evil.example/',
    `${POST_LOGOUT_REDIRECT_URI}/`,
    'https://app.example.org/bye',
    'https://app.example.org/callback',
  ])('asks with the unregistered address %j, and signs out without a redirect', async (address) => {
    await expectQuestionWithoutRedirect({ id_token_hint: hint, post_logout_redirect_uri: address });
    const [call] = await fixture.server.get(FailedCallsService).list(fixture.app.app.id);
    expect(call).toMatchObject({ errorCode: 'invalid_post_logout_redirect_uri' });
  });

  const uri = { post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI };
  const registerOther = async (): Promise<string> =>
    (await registerApp(fixture.server, { postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] })).app.id;

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['an address without an app', () => Promise.resolve(uri)],
    ['an unknown app', () => Promise.resolve({ ...uri, client_id: 'nonsense' })],
    [
      'an ID token of another app than client_id',
      async () => ({ ...uri, id_token_hint: hint, client_id: await registerOther() }),
    ],
    [
      'a disabled app',
      async () => {
        const id = await registerOther();
        await fixture.server.get(AppsService).disable(id);
        return { ...uri, client_id: id };
      },
    ],
  ])('asks with %s, and signs out without a redirect', async (_, parameters) => {
    await expectQuestionWithoutRedirect(await parameters());
  });

  it('asks, without a redirect, after a form that is too long for an address', async () => {
    const form = { id_token_hint: hint, ...uri, state: 'x'.repeat(20_000) };
    const { status, location } = await fixture.browser.post('/api/oauth/logout', form);
    expect({ status, location }).toEqual({ status: 303, location: '/api/oauth/logout' });
    const page = await fixture.browser.get(location!);
    expect((await fixture.browser.submitForm(page, '/sign-out')).location).toBeNull();
  });

  it('puts no ID token into an address, neither after a form nor after a choice of the language', async () => {
    const form = { id_token_hint: hint, ...uri };
    const { location } = await fixture.browser.post('/api/oauth/logout', form);
    expect(location).not.toContain(hint.split('.')[1]);
    expect((await fixture.browser.get(location!)).location).toBe(POST_LOGOUT_REDIRECT_URI);
    await fixture.browser.signIn(fixture.account);
    const page = await logout({ id_token_hint: hint, client_id: 'nonsense' });
    const inGerman = await fixture.browser.submitForm(page, '/language', { language: 'de' });
    expect(inGerman.location).toMatch(/^\/api\/oauth\/logout\?client_id=nonsense&id_token_hint=[\w-]{50,400}$/);
    expect((await fixture.browser.get(inGerman.location!)).html).toContain('lang="de"');
  });

  it('accepts a form from the app', async () => {
    const foreign = { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'cross-site' };
    const form = { id_token_hint: hint, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI };
    const response = await fixture.browser.post('/api/oauth/logout', form, foreign);
    expect((await fixture.browser.get(response.location!)).location).toBe(POST_LOGOUT_REDIRECT_URI);
  });

  it('names the host of an app that no person allowed, instead of a redirect, without a session', async () => {
    const unknown = await registerApp(fixture.server, { postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] });
    const request = { client_id: unknown.app.id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI, state: 'a b' };
    fixture.browser.clearCookies();
    const { status, location, html } = await logout(request);
    expect({ status, location }).toEqual({ status: 200, location: null });
    expect(html).toContain('<h1>You are leaving for app.example.org</h1>');
    expect(html).toContain(`<a href="${POST_LOGOUT_REDIRECT_URI}&amp;state=a+b" rel="noreferrer">`);
    await fixture.browser.signIn(fixture.account);
    const signedOut = await fixture.browser.submitForm(await logout(request), '/sign-out');
    expect(signedOut.location).toBe(`${POST_LOGOUT_REDIRECT_URI}&state=a+b`);
  });

  it('redirects a browser without a session', async () => {
    fixture.browser.clearCookies();
    expect((await logout({ id_token_hint: hint, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI })).location).toBe(
      POST_LOGOUT_REDIRECT_URI,
    );
    expect((await logout({})).status).toBe(200);
  });
});
