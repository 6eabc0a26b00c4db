import fastifyOauth2 from '@fastify/oauth2';
import { getAuth, initOidcAuthMiddleware, oidcAuthMiddleware, processOAuthCallback } from '@hono/oidc-auth';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import okta from '@okta/oidc-middleware';
import type { RequestHandler } from 'express';
import createFastify from 'fastify';
import grant from 'grant';
import { Hono } from 'hono';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createMarker, registerApp, type TestApp } from '../support/factories.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import type { TestServer } from '../support/test-server.js';
import { SessionSite } from './session-site.js';

// Its types would change the type of every request.
const session = createRequire(import.meta.url)('express-session') as (options: object) => RequestHandler;

/** A request after the middleware of grant. */
interface GrantRequest {
  session: { grant: { response: object } };
}

const SECRET = 'a secret of the site, which signs its cookies';

describe('A website signs people in', () => {
  let server: TestServer;
  let site: SessionSite;
  let markerId: string;

  beforeAll(async () => {
    server = await startIssuer();
    markerId = (await createMarker(server)).id;
  });
  afterEach(() => site.stop());
  afterAll(() => server.stop());

  const register = (path: string, pkceRequired = true): Promise<TestApp> =>
    registerApp(server, { redirectUris: [`http://127.0.0.1${path}`], pkceRequired });
  /** Signs a new person in at the site. @returns the person, and the response to the callback */
  const signIn = async (path: string): Promise<{ owner: ResourceOwner; response: Response }> => {
    const owner = await ResourceOwner.create(server);
    const callback = await owner.signInAndGrantConsent(await site.follow(path));
    return { owner, response: await site.send(callback.href) };
  };
  const expectAccess = async (token: string): Promise<void> => {
    const { status, body } = await server.request('GET', '/api/markers', { token });
    expect({ status, id: body.data[0]?.id }).toEqual({ status: 200, id: markerId });
  };

  it('with @hono/oidc-auth and the scopes of the app', async () => {
    const { credentials } = await register('/callback');
    site = await SessionSite.start((app, url) => {
      const hono = new Hono();
      hono.use(
        initOidcAuthMiddleware({
          OIDC_AUTH_SECRET: SECRET,
          OIDC_ISSUER: server.url,
          OIDC_CLIENT_ID: credentials.client_id,
          OIDC_CLIENT_SECRET: credentials.client_secret,
          OIDC_SCOPES: 'openid profile',
        }),
      );
      hono.get('/callback', (context) => processOAuthCallback(context));
      hono.use('*', oidcAuthMiddleware());
      hono.get('/me', async (context) => context.json(await getAuth(context)));
      app.use(async ({ method, originalUrl, headers }, response) => {
        const request = new Request(new URL(originalUrl, url), { method, headers: headers as Record<string, string> });
        const answer = await hono.fetch(request);
        response.status(answer.status).setHeaders(answer.headers);
        response.end(await answer.text());
      });
    });
    const { owner } = await signIn('/me');
    expect(await site.readJson('/me')).toMatchObject({ sub: owner.account.id });
  });

  it('with @fastify/oauth2 and S256', async () => {
    const { credentials } = await register('/callback');
    site = await SessionSite.start(async (app, url) => {
      const fastify = createFastify();
      await fastify.register(fastifyOauth2, {
        name: 'map',
        scope: ['markers:read'],
        credentials: { client: { id: credentials.client_id, secret: credentials.client_secret } },
        startRedirectPath: '/login',
        callbackUri: `${url}/callback`,
        discovery: { issuer: server.url },
        pkce: 'S256',
      });
      fastify.get('/callback', async function (request) {
        const { token } = await (
          this as never as { map: fastifyOauth2.OAuth2Namespace }
        ).map.getAccessTokenFromAuthorizationCodeFlow(request);
        return token;
      });
      await fastify.ready();
      app.use((request, response) => fastify.routing(request, response));
    });
    const { response } = await signIn('/login');
    await expectAccess(((await response.json()) as { access_token: string }).access_token);
  });

  it('with grant, PKCE, state and nonce', async () => {
    const { credentials } = await register('/connect/map/callback');
    site = await SessionSite.start((app, url) => {
      app.use(session({ secret: SECRET, resave: false, saveUninitialized: true }));
      const provider = {
        authorize_url: `${server.url}/api/oauth/authorize`,
        access_url: `${server.url}/api/oauth/token`,
        oauth: 2,
        key: credentials.client_id,
        secret: credentials.client_secret,
        scope: ['openid', 'markers:read'],
        scope_delimiter: ' ',
        pkce: true,
        state: true,
        nonce: true,
        callback: '/signed-in',
      };
      const config = { defaults: { origin: url, transport: 'session' }, map: provider };
      app.use((grant as unknown as (options: object) => RequestHandler)({ config, handler: 'express' }));
      app.get(
        '/signed-in',
        (request, response) => void response.json((request as unknown as GrantRequest).session.grant.response),
      );
    });
    await signIn('/connect/map');
    await expectAccess(((await site.readJson('/signed-in')) as { access_token: string }).access_token);
  });

  it('with @okta/oidc-middleware, which has no PKCE', async () => {
    const { credentials } = await register('/authorization-code/callback', false);
    site = await SessionSite.start(async (app, appBaseUrl) => {
      const oidc = new okta.ExpressOIDC({
        issuer: server.url,
        client_id: credentials.client_id,
        client_secret: credentials.client_secret,
        appBaseUrl,
        scope: 'openid profile',
        testing: { disableHttpsCheck: true },
      });
      app.use(session({ secret: SECRET, resave: true, saveUninitialized: false }));
      app.use(oidc.router as never);
      app.get('/me', (request, response) => void response.json(request.userContext?.userinfo));
      await once(oidc, 'ready');
    });
    const { owner } = await signIn('/login');
    expect(await site.readJson('/me')).toMatchObject({ name: owner.account.name });
  });
});
