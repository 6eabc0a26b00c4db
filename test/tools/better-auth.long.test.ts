import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { genericOAuth } from 'better-auth/plugins';
import { SessionSite } from '../client-libraries/session-site.js';
import { registerApp } from '../support/factories.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import type { TestServer } from '../support/test-server.js';

const PROVIDER = 'street-art-map';
const SECRET = 'a secret of the site, which signs its cookies';

describe('better-auth', () => {
  let server: TestServer;
  let site: SessionSite;

  beforeAll(async () => {
    server = await startIssuer();
  });
  afterEach(() => site.stop());
  afterAll(() => server.stop());

  /** Starts a website with the documented settings. */
  async function startSite(scopes: string[]): Promise<void> {
    const { credentials } = await registerApp(server, {
      redirectUris: [`http://127.0.0.1/api/auth/callback/${PROVIDER}`],
    });
    const provider = {
      providerId: PROVIDER,
      discoveryUrl: `${server.url}/.well-known/openid-configuration`,
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
      scopes,
    };
    const database = memoryAdapter({ user: [], session: [], account: [], verification: [] });
    site = await SessionSite.start((app, baseURL) => {
      const plugins = [genericOAuth({ config: [provider] })];
      const auth = betterAuth({ baseURL, secret: SECRET, database, plugins, logger: { disabled: true } });
      app.all('/api/auth/*path', toNodeHandler(auth));
    });
  }

  /** Signs a person in. @returns the redirect of the site after it */
  async function signIn(owner: ResourceOwner): Promise<URL> {
    const body = { provider: PROVIDER, callbackURL: '/signed-in' };
    const { url } = await site.postJson('/api/auth/sign-in/social', body);
    return site.follow((await owner.signInAndGrantConsent(url!)).href);
  }

  it('has a session with the name of the person, and refreshes the access token', async () => {
    await startSite(['openid', 'profile', 'email', 'markers:read']);
    const owner = await ResourceOwner.create(server);
    expect((await signIn(owner)).pathname).toBe('/signed-in');
    const { name, email } = owner.account;
    expect(await site.readJson('/api/auth/get-session')).toMatchObject({ user: { name, email } });

    const [{ id: accountId }] = (await site.readJson('/api/auth/list-accounts')) as { id: string }[];
    const first = await site.postJson('/api/auth/get-access-token', { accountId });
    const refreshed = await site.postJson('/api/auth/refresh-token', { accountId });
    expect(refreshed.accessToken).not.toBe(first.accessToken);
    const headers = { Authorization: `Bearer ${refreshed.accessToken}` };
    expect((await server.request('GET', '/api/markers', { headers })).status).toBe(200);
  });

  it('has no session without the scope `email`', async () => {
    await startSite(['openid', 'profile']);
    const redirect = await signIn(await ResourceOwner.create(server));
    expect(redirect.searchParams.get('error')).toBe('email_not_found');
    expect(await site.readJson('/api/auth/get-session')).toBeNull();
  });
});
