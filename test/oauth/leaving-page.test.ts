import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createAuthorizationRequest,
  grantConsent,
  openSignedInBrowser,
  parseRedirectParams,
  REDIRECT_URI,
} from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

describe('An error of the authorization endpoint without a session (RFC 9700 §4.11.2)', () => {
  const visitApp = (visited: TestApp, parameters: Record<string, string | undefined>) =>
    new BrowserClient(server).get(createAuthorizationRequest(visited, parameters).path);
  let server: TestServer;
  let newApp: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    newApp = await registerApp(server, {
      clientType: 'public',
      redirectUris: [REDIRECT_URI, 'org.example.walk:/callback'],
    });
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['the response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a malformed id_token_hint', { id_token_hint: 'a.b.c' }, 'invalid_request'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['a state that is too long', { state: 'x'.repeat(5000) }, 'invalid_request'],
  ])('names the host of an app that no person allowed, instead of a redirect: %s', async (_, parameters, error) => {
    const { status, location, html } = await visitApp(newApp, parameters);
    expect({ status, location }).toEqual({ status: 200, location: null });
    expect(html).toContain('<h1>You are leaving for app.example.org</h1>');
    const [, link] = /<a href="(https:[^"]*)" rel="noreferrer">/.exec(html)!;
    expect(link).toMatch(new RegExp(`^${REDIRECT_URI}\\?error=${error}&`));
  });

  it('names the whole address with a private-use scheme', async () => {
    const { html } = await visitApp(newApp, { redirect_uri: 'org.example.walk:/callback', scope: undefined });
    expect(html).toContain('<h1>You are leaving for org.example.walk:/callback</h1>');
  });

  it('redirects a request with prompt=none to an app that no person allowed', async () => {
    const errors = await Promise.all(
      [{}, { scope: 'admin' }].map(async (parameters) =>
        parseRedirectParams(await visitApp(newApp, { prompt: 'none', ...parameters })),
      ),
    );
    expect(errors.map(({ error }) => error)).toEqual(['login_required', 'invalid_scope']);
  });

  it('redirects to an app that a person once allowed, also after the person removed its access', async () => {
    const person = await createAccount(server);
    const own = await openSignedInBrowser(server, person);
    await grantConsent(own, createAuthorizationRequest(newApp).path);
    expect(parseRedirectParams(await visitApp(newApp, { scope: 'admin' })).error).toBe('invalid_scope');
    await own.submitForm(await own.get('/account/apps'), '/account/apps');
    expect(parseRedirectParams(await visitApp(newApp, { scope: 'admin' })).error).toBe('invalid_scope');
    expect((await visitApp(await registerApp(server), { scope: 'admin' })).location).toBeNull();
  });
});
