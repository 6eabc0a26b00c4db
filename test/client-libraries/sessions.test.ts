import { ExpressAuth } from '@auth/express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type express from 'express';
import expressOpenidConnect from 'express-openid-connect';
import { Passport } from 'passport';
import OpenIdConnectStrategy from 'passport-openidconnect';
import { registerApp, type TestApp } from '../support/factories.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import type { TestServer } from '../support/test-server.js';
import { SessionSite } from './session-site.js';

const SECRET = 'a secret of the site, which signs its cookies';

describe('The session of a website has the name of the person', () => {
  let server: TestServer;
  let site: SessionSite;

  beforeAll(async () => {
    server = await startIssuer();
  });
  afterEach(() => site.stop());
  afterAll(() => server.stop());

  /** Registers an app. The port of a loopback redirect URI may vary (RFC 8252 §7.3). */
  const register = (path: string, pkceRequired = true): Promise<TestApp> =>
    registerApp(server, { redirectUris: [`http://127.0.0.1${path}`], pkceRequired });

  it('with Auth.js and the documented settings', async () => {
    const { credentials } = await register('/auth/callback/street-art-map');
    site = await SessionSite.start((app) => {
      const provider = {
        id: 'street-art-map',
        name: 'Street art map',
        type: 'oidc' as const,
        issuer: server.url,
        clientId: credentials.client_id,
        clientSecret: credentials.client_secret,
        checks: ['pkce', 'state', 'nonce'] as ('pkce' | 'state' | 'nonce')[],
        authorization: { params: { scope: 'openid profile markers:read' } },
      };
      app.use('/auth', ExpressAuth({ providers: [provider], secret: SECRET, trustHost: true }));
    });
    const { csrfToken } = (await site.readJson('/auth/csrf')) as { csrfToken: string };
    const owner = await ResourceOwner.create(server);
    const callback = await owner.signInAndGrantConsent(await site.follow('/auth/signin/street-art-map', { csrfToken }));
    await site.follow(callback.href);
    expect(await site.readJson('/auth/session')).toMatchObject({ user: { name: owner.account.name } });
  });

  it('with Auth.js and its default scopes', async () => {
    const { credentials } = await register('/auth/callback/map');
    site = await SessionSite.start((app) => {
      const { client_id: clientId, client_secret: clientSecret } = credentials;
      const provider = { id: 'map', name: 'Map', type: 'oidc' as const, issuer: server.url, clientId, clientSecret };
      app.use('/auth', ExpressAuth({ providers: [provider], secret: SECRET, trustHost: true }));
    });
    const { csrfToken } = (await site.readJson('/auth/csrf')) as { csrfToken: string };
    const owner = await ResourceOwner.create(server);
    const callback = await owner.signInAndGrantConsent(await site.follow('/auth/signin/map', { csrfToken }));
    await site.follow(callback.href);
    const { name, email } = owner.account as typeof owner.account & { email: string };
    expect(await site.readJson('/auth/session')).toMatchObject({ user: { name, email } });
  });

  it('with express-openid-connect', async () => {
    const { credentials } = await register('/callback');
    site = await SessionSite.start((app, baseURL) => {
      app.use(
        expressOpenidConnect.auth({
          issuerBaseURL: server.url,
          baseURL,
          clientID: credentials.client_id,
          clientSecret: credentials.client_secret,
          secret: SECRET,
          authRequired: false,
          authorizationParams: { response_type: 'code', scope: 'openid profile' },
        }),
      );
      app.get('/me', (request, response) => void response.json(request.oidc.user ?? null));
    });
    const owner = await ResourceOwner.create(server);
    await site.follow((await owner.signInAndGrantConsent(await site.follow('/login'))).href);
    const { name, username } = owner.account;
    expect(await site.readJson('/me')).toMatchObject({ name, preferred_username: username });
  });

  it('with passport-openidconnect, which has no PKCE', async () => {
    const { credentials } = await register('/callback', false);
    site = await SessionSite.start((app) => {
      const session = {};
      const options = {
        issuer: server.url,
        authorizationURL: `${server.url}/api/oauth/authorize`,
        tokenURL: `${server.url}/api/oauth/token`,
        userInfoURL: `${server.url}/api/oauth/userinfo`,
        clientID: credentials.client_id,
        clientSecret: credentials.client_secret,
        callbackURL: '/callback',
        scope: ['profile'],
      };
      const strategy = new OpenIdConnectStrategy(options, (_issuer, profile, done) => done(null, profile));
      const passport = new Passport().use('map', strategy);
      app.get(['/login', '/callback'], (request, response, next) => {
        Object.assign(request, { session });
        const authenticate = passport.authenticate('map', { session: false }, (error: unknown, user: unknown) => {
          response.json(error ?? user);
        }) as express.RequestHandler;
        void authenticate(request, response, next);
      });
    });
    const owner = await ResourceOwner.create(server);
    const callback = await owner.signInAndGrantConsent(await site.follow('/login'));
    expect(await site.readJson(callback.href)).toMatchObject({
      id: owner.account.id,
      displayName: owner.account.name,
      username: owner.account.username,
    });
  });
});
