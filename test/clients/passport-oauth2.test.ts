import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SentPerson, startAsIssuer } from '../support/clients.js';
import { newApp, newMarker, type TestApp } from '../support/factories.js';
import type { Service } from '../support/service.js';
import { MapStrategy, type Outcome, PassportSite, type User } from './passport-site.js';

describe('passport-oauth2:', () => {
  let service: Service;
  let app: TestApp;
  let person: SentPerson;
  let strategy: MapStrategy;
  let site: PassportSite;

  beforeAll(async () => {
    service = await startAsIssuer();
    // Without a port: the site is on a loopback address, at whichever is free (RFC 8252 §7.3).
    app = await newApp(service, { redirectUris: ['http://127.0.0.1/callback'] });
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    person = await SentPerson.new(service);
    strategy = new MapStrategy(service, app);
    site = await PassportSite.start(strategy);
  });
  afterEach(() => site.stop());

  async function connect(): Promise<User> {
    const { user, ...refused } = await site.callback(await person.signInAndAllow(await site.login()));
    expect(refused).toEqual({});
    return user!;
  }

  function revoke(token: string): Promise<unknown> {
    // The client has nothing for it, so an app posts the form itself.
    const body = new URLSearchParams({ token, ...app.credentials });
    return fetch(`${service.url}/api/oauth/revoke`, { method: 'POST', body });
  }

  it('goes from sign-in to revocation with its secret in the form', async () => {
    const marker = await newMarker(service);
    const callback = await person.signInAndAllow(await site.login());
    expect(callback.searchParams.get('iss')).toBe(service.url);
    const { user } = await site.callback(callback);
    const { id: sub, username, name } = person.account;
    expect(user!.profile).toMatchObject({ sub, preferred_username: username, name });
    expect(user!.results).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(user!.results['scope']).toBe('openid profile markers:read');
    expect(JSON.stringify(await strategy.get('/api/markers', user!.accessToken))).toContain(marker.id);

    const refreshed = await strategy.refresh(user!.refreshToken);
    expect(refreshed.refreshToken).not.toBe(user!.refreshToken);
    expect(await strategy.get('/api/oauth/userinfo', refreshed.accessToken)).toMatchObject({ sub });
    const refused = { name: 'TokenError', code: 'invalid_grant' };
    await expect(strategy.refresh(user!.refreshToken)).rejects.toMatchObject(refused);

    expect(await revoke(refreshed.refreshToken)).toMatchObject({ status: 200 });
    await expect(strategy.refresh(refreshed.refreshToken)).rejects.toMatchObject(refused);
  });

  it('gets tokens with its secret by HTTP Basic, and an empty one in the form, which counts for none', async () => {
    await site.stop();
    site = await PassportSite.start(new MapStrategy(service, app, true));
    expect((await connect()).profile).toMatchObject({ sub: person.account.id });
  });

  it('hears login_required, then consent_required, then signs the person in, by prompt=none', async () => {
    const ask = async (): Promise<Outcome> => site.callback(await person.passThrough(await site.login('none')));
    expect((await ask()).error).toMatchObject({ name: 'AuthorizationError', code: 'login_required' });
    const consent = await person.signIn(await site.login());
    expect((await ask()).error).toMatchObject({ name: 'AuthorizationError', code: 'consent_required' });
    await person.allow(consent);
    expect((await ask()).user!.profile).toMatchObject({ sub: person.account.id });
  });

  it('signs nobody in where the person denies', async () => {
    const callback = await person.signInAndDeny(await site.login());
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(await site.callback(callback)).toEqual({ failure: { message: 'The person did not allow it.' } });
  });

  it('refuses an answer with another state than that of the request', async () => {
    const callback = await person.signInAndAllow(await site.login());
    callback.searchParams.set('state', 'another');
    expect(await site.callback(callback)).toEqual({ failure: { message: 'Invalid authorization request state.' } });
  });

  it('gets no tokens for a code of another request, since its verifier is another', async () => {
    const injected = await person.signInAndAllow(await site.login());
    const callback = await person.passThrough(await site.login());
    callback.searchParams.set('code', injected.searchParams.get('code')!);
    expect((await site.callback(callback)).error).toMatchObject({ name: 'TokenError', code: 'invalid_grant' });
  });

  it('gets no tokens with a wrong secret', async () => {
    await site.stop();
    const credentials = { ...app.credentials, client_secret: 'wrong' };
    site = await PassportSite.start(new MapStrategy(service, { ...app, credentials }));
    const callback = await person.signInAndAllow(await site.login());
    expect((await site.callback(callback)).error).toMatchObject({ name: 'TokenError', code: 'invalid_client' });
  });
});
