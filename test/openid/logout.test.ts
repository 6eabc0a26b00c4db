import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { Service } from '../support/service.js';
import { backToNow, DAY, later } from '../support/time.js';
import { type Seen, Visitor } from '../support/visitor.js';

const AFTERWARDS = 'https://app.example.org/bye?from=map';

describe('RP-initiated logout', () => {
  let service: Service;
  let person: Account;
  let visitor: Visitor;
  let app: TestApp;
  let hint: string;
  let refreshToken: string;
  let accessToken: string;

  beforeAll(async () => {
    service = await Service.start();
    app = await newApp(service, { postLogoutRedirectUris: [AFTERWARDS] });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    person = await newAccount(service);
    visitor = new Visitor(service);
    await visitor.signIn(person);
    const tokens = await newTokens(service, { app: app.app, account: person });
    [hint, refreshToken, accessToken] = [tokens.id_token!, tokens.refresh_token, tokens.access_token];
  });

  const logout = (given: Record<string, string>): Promise<Seen> =>
    visitor.get(`/api/oauth/logout?${new URLSearchParams(given)}`);
  const foreignIdToken = async (): Promise<string> => {
    const other = await Service.start({
      DATABASE_URL: service.settings.DATABASE_URL,
      BASE_URL: 'https://other.example.org',
    });
    const tokens = await newTokens(other, { app: app.app, account: person });
    await other.stop();
    return tokens.id_token!;
  };
  const isSignedIn = async (): Promise<boolean> => (await visitor.get('/account/apps')).status === 200;

  it('with the id token of who is signed in signs them out, and sends them to the registered address with state', async () => {
    const answer = await logout({ id_token_hint: hint, post_logout_redirect_uri: AFTERWARDS, state: 'a b' });
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 303,
      location: `${AFTERWARDS}&state=a+b`,
    });
    expect(await isSignedIn()).toBe(false);
  });

  it('takes an id token that has run out', async () => {
    later(2 * DAY);
    expect((await logout({ id_token_hint: hint })).status).toBe(200);
    expect(await isSignedIn()).toBe(false);
    backToNow();
  });

  it('leaves what apps were given', async () => {
    await logout({ id_token_hint: hint });
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken, ...app.credentials };
    expect((await service.call('POST', '/api/oauth/token', { body })).status).toBe(200);
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['nothing', () => Promise.resolve({})],
    ['an id token that is none', () => Promise.resolve({ id_token_hint: 'a.b.c' })],
    ['an access token for an id token', () => Promise.resolve({ id_token_hint: accessToken })],
    ['an id token of another issuer with the same keys', async () => ({ id_token_hint: await foreignIdToken() })],
    ['a client_id alone', () => Promise.resolve({ client_id: app.app.id, post_logout_redirect_uri: AFTERWARDS })],
    [
      'the id token of another person',
      async () => ({
        id_token_hint: (await newTokens(service, { app: app.app, account: await newAccount(service) })).id_token!,
        post_logout_redirect_uri: AFTERWARDS,
      }),
    ],
  ])('with %s asks first', async (_, given) => {
    const page = await logout(await given());
    expect(page.status).toBe(200);
    expect(await isSignedIn()).toBe(true);
    const answer = await visitor.submit(page, '/sign-out');
    expect([null, AFTERWARDS]).toContain(answer.location);
    expect(await isSignedIn()).toBe(false);
  });

  it('asked with an address goes on there after the yes, and to no other that the form may hold', async () => {
    const page = await logout({ client_id: app.app.id, post_logout_redirect_uri: AFTERWARDS });
    expect(page.html).toContain(app.app.name);
    expect((await visitor.submit(page, '/sign-out')).location).toBe(AFTERWARDS);
    await visitor.signIn(person);
    const { status, location } = await visitor.post('/sign-out', { onward: 'https://evil.example/' });
    expect({ status, location }).toEqual({ status: 200, location: null });
  });

  it.each([
    'https://evil.example/',
    `${AFTERWARDS}/`,
    'https://app.example.org/bye',
    'https://app.example.org/callback',
  ])('sends nobody to %j, which is not registered for it, and signs nobody out', async (address) => {
    const { status, location } = await logout({ id_token_hint: hint, post_logout_redirect_uri: address });
    expect({ status, location }).toEqual({ status: 400, location: null });
    expect(await isSignedIn()).toBe(true);
  });

  it('sends nobody anywhere without knowing the app, or where client_id and id token differ', async () => {
    expect((await logout({ post_logout_redirect_uri: AFTERWARDS })).status).toBe(400);
    const other = await newApp(service);
    expect((await logout({ id_token_hint: hint, client_id: other.app.id })).status).toBe(400);
    expect((await logout({ client_id: 'nonsense' })).status).toBe(400);
    const disabled = await newApp(service, { postLogoutRedirectUris: [AFTERWARDS] });
    await service.get(AppsService).disable(disabled.app.id);
    const asked = { client_id: disabled.app.id, post_logout_redirect_uri: AFTERWARDS };
    expect((await logout(asked)).status).toBe(400);
    expect(await isSignedIn()).toBe(true);
  });

  it('takes a form from the app as well', async () => {
    const foreign = { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'cross-site' };
    const form = { id_token_hint: hint, post_logout_redirect_uri: AFTERWARDS };
    const answer = await visitor.post('/api/oauth/logout', form, foreign);
    expect((await visitor.get(answer.location!)).location).toBe(AFTERWARDS);
  });

  it('of who is not signed in goes on all the same', async () => {
    visitor.forgetCookies();
    expect((await logout({ id_token_hint: hint, post_logout_redirect_uri: AFTERWARDS })).location).toBe(AFTERWARDS);
    expect((await logout({})).status).toBe(200);
  });
});
