import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { registerApp, createMarker, type TestApp } from '../support/factories.js';
import type { TestServer } from '../support/test-server.js';
import { MapStrategy, type CallbackResult, PassportApp, type User } from './passport-app.js';

describe('passport-oauth2', () => {
  let server: TestServer;
  let app: TestApp;
  let owner: ResourceOwner;
  let strategy: MapStrategy;
  let site: PassportApp;

  beforeAll(async () => {
    server = await startIssuer();
    // The port of a loopback redirect URI may vary (RFC 8252 §7.3).
    app = await registerApp(server, { redirectUris: ['http://127.0.0.1/callback'] });
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    owner = await ResourceOwner.create(server);
    strategy = new MapStrategy(server, app);
    site = await PassportApp.start(strategy);
  });
  afterEach(() => site.stop());

  async function connect(): Promise<User> {
    const { user, ...rejection } = await site.handleCallback(
      await owner.signInAndGrantConsent(await site.startLogin()),
    );
    expect(rejection).toEqual({});
    return user!;
  }

  function revoke(token: string): Promise<unknown> {
    // The library has no function for revocation, so the app sends the form itself.
    const body = new URLSearchParams({ token, ...app.credentials });
    return fetch(`${server.url}/api/oauth/revoke`, { method: 'POST', body });
  }

  it('completes sign-in, refresh and revocation with its secret in the form', async () => {
    const marker = await createMarker(server);
    const callback = await owner.signInAndGrantConsent(await site.startLogin());
    expect(callback.searchParams.get('iss')).toBe(server.url);
    const { user } = await site.handleCallback(callback);
    const { id: sub, username, name } = owner.account;
    expect(user!.profile).toMatchObject({ sub, preferred_username: username, name });
    expect(user!.results).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(user!.results['scope']).toBe('openid profile markers:read');
    expect(JSON.stringify(await strategy.get('/api/markers', user!.accessToken))).toContain(marker.id);

    const refreshed = await strategy.refreshTokens(user!.refreshToken);
    expect(refreshed.refreshToken).not.toBe(user!.refreshToken);
    expect(await strategy.get('/api/oauth/userinfo', refreshed.accessToken)).toMatchObject({ sub });
    const rejection = { name: 'TokenError', code: 'invalid_grant' };
    await expect(strategy.refreshTokens(user!.refreshToken)).rejects.toMatchObject(rejection);

    expect(await revoke(refreshed.refreshToken)).toMatchObject({ status: 200 });
    await expect(strategy.refreshTokens(refreshed.refreshToken)).rejects.toMatchObject(rejection);
  });

  it('receives tokens with its secret in HTTP Basic and an empty one in the form', async () => {
    await site.stop();
    site = await PassportApp.start(new MapStrategy(server, app, true));
    expect((await connect()).profile).toMatchObject({ sub: owner.account.id });
  });

  it('receives login_required, then consent_required, then a sign-in, with prompt=none', async () => {
    const send = async (): Promise<CallbackResult> =>
      site.handleCallback(await owner.followToApp(await site.startLogin('none')));
    expect((await send()).error).toMatchObject({ name: 'AuthorizationError', code: 'login_required' });
    const consent = await owner.signIn(await site.startLogin());
    expect((await send()).error).toMatchObject({ name: 'AuthorizationError', code: 'consent_required' });
    await owner.grantConsent(consent);
    expect((await send()).user!.profile).toMatchObject({ sub: owner.account.id });
  });

  it('signs no account in after a denial', async () => {
    const callback = await owner.signInAndDenyConsent(await site.startLogin());
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(await site.handleCallback(callback)).toEqual({ failure: { message: 'The person denied the request.' } });
  });

  it('rejects a response with another state than that of the request', async () => {
    const callback = await owner.signInAndGrantConsent(await site.startLogin());
    callback.searchParams.set('state', 'another');
    expect(await site.handleCallback(callback)).toEqual({
      failure: { message: 'Invalid authorization request state.' },
    });
  });

  it('receives no tokens for a code of another request', async () => {
    const injected = await owner.signInAndGrantConsent(await site.startLogin());
    const callback = await owner.followToApp(await site.startLogin());
    callback.searchParams.set('code', injected.searchParams.get('code')!);
    expect((await site.handleCallback(callback)).error).toMatchObject({ name: 'TokenError', code: 'invalid_grant' });
  });

  it('refreshes its tokens as a public client, for which the library sends an empty secret', async () => {
    await site.stop();
    const publicApp = await registerApp(server, { clientType: 'public', redirectUris: ['http://127.0.0.1/callback'] });
    strategy = new MapStrategy(server, publicApp);
    site = await PassportApp.start(strategy);
    const { refreshToken, profile } = await connect();
    expect(profile).toMatchObject({ sub: owner.account.id });
    expect((await strategy.refreshTokens(refreshToken)).refreshToken).not.toBe(refreshToken);
  });

  it('receives no tokens with a wrong secret', async () => {
    await site.stop();
    const credentials = { ...app.credentials, client_secret: 'wrong' };
    site = await PassportApp.start(new MapStrategy(server, { ...app, credentials }));
    const callback = await owner.signInAndGrantConsent(await site.startLogin());
    expect((await site.handleCallback(callback)).error).toMatchObject({ name: 'TokenError', code: 'invalid_client' });
  });
});
