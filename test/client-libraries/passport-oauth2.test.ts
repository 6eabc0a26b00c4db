import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { registerApp, createMarker, type TestApp } from '../support/factories.js';
import type { TestServer } from '../support/test-server.js';
import { MapStrategy, type CallbackResult, PassportApp, type User } from './passport-app.js';

describe('passport-oauth2:', () => {
  let server: TestServer;
  let app: TestApp;
  let person: ResourceOwner;
  let strategy: MapStrategy;
  let site: PassportApp;

  beforeAll(async () => {
    server = await startIssuer();
    // Without a port: the site is on a loopback address, at whichever is free (RFC 8252 §7.3).
    app = await registerApp(server, { redirectUris: ['http://127.0.0.1/callback'] });
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    person = await ResourceOwner.create(server);
    strategy = new MapStrategy(server, app);
    site = await PassportApp.start(strategy);
  });
  afterEach(() => site.stop());

  async function connect(): Promise<User> {
    const { user, ...refused } = await site.handleCallback(await person.signInAndGrantConsent(await site.startLogin()));
    expect(refused).toEqual({});
    return user!;
  }

  function revoke(token: string): Promise<unknown> {
    // The client has nothing for it, so an app posts the form itself.
    const body = new URLSearchParams({ token, ...app.credentials });
    return fetch(`${server.url}/api/oauth/revoke`, { method: 'POST', body });
  }

  it('goes from sign-in to revocation with its secret in the form', async () => {
    const marker = await createMarker(server);
    const callback = await person.signInAndGrantConsent(await site.startLogin());
    expect(callback.searchParams.get('iss')).toBe(server.url);
    const { user } = await site.handleCallback(callback);
    const { id: sub, username, name } = person.account;
    expect(user!.profile).toMatchObject({ sub, preferred_username: username, name });
    expect(user!.results).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(user!.results['scope']).toBe('openid profile markers:read');
    expect(JSON.stringify(await strategy.get('/api/markers', user!.accessToken))).toContain(marker.id);

    const refreshed = await strategy.refreshTokens(user!.refreshToken);
    expect(refreshed.refreshToken).not.toBe(user!.refreshToken);
    expect(await strategy.get('/api/oauth/userinfo', refreshed.accessToken)).toMatchObject({ sub });
    const refused = { name: 'TokenError', code: 'invalid_grant' };
    await expect(strategy.refreshTokens(user!.refreshToken)).rejects.toMatchObject(refused);

    expect(await revoke(refreshed.refreshToken)).toMatchObject({ status: 200 });
    await expect(strategy.refreshTokens(refreshed.refreshToken)).rejects.toMatchObject(refused);
  });

  it('gets tokens with its secret by HTTP Basic, and an empty one in the form, which counts for none', async () => {
    await site.stop();
    site = await PassportApp.start(new MapStrategy(server, app, true));
    expect((await connect()).profile).toMatchObject({ sub: person.account.id });
  });

  it('hears login_required, then consent_required, then signs the person in, by prompt=none', async () => {
    const ask = async (): Promise<CallbackResult> =>
      site.handleCallback(await person.followToApp(await site.startLogin('none')));
    expect((await ask()).error).toMatchObject({ name: 'AuthorizationError', code: 'login_required' });
    const consent = await person.signIn(await site.startLogin());
    expect((await ask()).error).toMatchObject({ name: 'AuthorizationError', code: 'consent_required' });
    await person.grantConsent(consent);
    expect((await ask()).user!.profile).toMatchObject({ sub: person.account.id });
  });

  it('signs nobody in where the person denies', async () => {
    const callback = await person.signInAndDenyConsent(await site.startLogin());
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(await site.handleCallback(callback)).toEqual({ failure: { message: 'The person did not allow it.' } });
  });

  it('refuses an answer with another state than that of the request', async () => {
    const callback = await person.signInAndGrantConsent(await site.startLogin());
    callback.searchParams.set('state', 'another');
    expect(await site.handleCallback(callback)).toEqual({
      failure: { message: 'Invalid authorization request state.' },
    });
  });

  it('gets no tokens for a code of another request, since its verifier is another', async () => {
    const injected = await person.signInAndGrantConsent(await site.startLogin());
    const callback = await person.followToApp(await site.startLogin());
    callback.searchParams.set('code', injected.searchParams.get('code')!);
    expect((await site.handleCallback(callback)).error).toMatchObject({ name: 'TokenError', code: 'invalid_grant' });
  });

  it('gets no tokens with a wrong secret', async () => {
    await site.stop();
    const credentials = { ...app.credentials, client_secret: 'wrong' };
    site = await PassportApp.start(new MapStrategy(server, { ...app, credentials }));
    const callback = await person.signInAndGrantConsent(await site.startLogin());
    expect((await site.handleCallback(callback)).error).toMatchObject({ name: 'TokenError', code: 'invalid_client' });
  });
});
