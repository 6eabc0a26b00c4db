import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import {
  authorizeApp,
  createAuthorizationRequest,
  REDIRECT_URI,
  parseRedirectParams,
  openSignedInBrowser,
  STATE,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import type { BrowserClient } from '../support/browser-client.js';

/** The form of the language chooser: it keeps the path of the page itself, escaped. */
const LANGUAGE_FORM = /<form method="post" action="\/language".*?<\/form>/;

describe('Authorization endpoint', () => {
  let server: TestServer;
  let account: Account;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
    account = await createAccount(server);
    browser = await openSignedInBrowser(server, account);
    app = await registerApp(server, { redirectUris: [REDIRECT_URI, 'http://127.0.0.1:4000/callback?from=map'] });
  });
  afterAll(() => server.stop());

  const answerTo = async (parameters: Record<string, string | undefined>) =>
    browser.get(createAuthorizationRequest(app, parameters).path);
  const expectErrorPage = async (path: string): Promise<void> => {
    const { status, location, html, headers } = await browser.get(path);
    expect({ path, status, location }).toEqual({ path, status: 400, location: null });
    expect(headers.get('content-type')).toMatch(/html/);
    expect(html.replace(LANGUAGE_FORM, '')).not.toContain('evil');
  };

  it('shows the consent page to a signed-in account', async () => {
    const { status, html, headers } = await answerTo({});
    expect(status).toBe(200);
    expect(html).toContain(app.app.name);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['none', undefined],
    ['an unknown', 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['a malformed', '<script>evil</script>'],
  ])('shows an error page for %s client_id, and does not redirect', async (_, client_id) => {
    await expectErrorPage(createAuthorizationRequest(app, { client_id }).path);
  });

  it('shows an error page for a disabled app', async () => {
    const disabled = await registerApp(server);
    await server.get(AppsService).disable(disabled.app.id);
    await expectErrorPage(createAuthorizationRequest(disabled).path);
  });

  it.each([
    undefined,
    '',
    'https://evil.example/callback',
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI}?x=1`,
    `${REDIRECT_URI}#`,
    `${REDIRECT_URI}/../evil`,
    REDIRECT_URI.toUpperCase(),
    REDIRECT_URI.replace('https', 'http'),
    REDIRECT_URI.replace('/callback', ':443/callback'),
    REDIRECT_URI.replace('app.', 'app.evil.'),
    'https://app.example.org@evil.example/callback',
    'https://app.example.org\\@evil.example/callback',
    '//app.example.org/callback',
    'javascript:alert(1)',
    'http://127.0.0.1:4000/callback',
    'http://127.0.0.1:4000/callback?from=evil',
    'http://127.0.0.1.evil.example:4000/callback?from=map',
    'http://127.0.0.1:4000@evil.example/callback?from=map',
    'http://127.0.0.1:99999/callback?from=map',
    'http://localhost:4000/callback?from=map',
    'http://[::1]:4000/callback?from=map',
  ])('shows an error page for the redirect_uri %s, which is not registered exactly', async (redirect_uri) => {
    await expectErrorPage(createAuthorizationRequest(app, { redirect_uri }).path);
  });

  it('shows an error page for a repeated client_id or redirect_uri', async () => {
    const { path } = createAuthorizationRequest(app);
    await expectErrorPage(`${path}&client_id=${app.app.id}`);
    await expectErrorPage(`${path}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`);
  });

  it.each(['http://127.0.0.1:5123/callback?from=map', 'http://127.0.0.1/callback?from=map'])(
    'accepts %s because the port of a loopback address may vary (RFC 8252 §7.3)',
    async (redirect_uri) => expect((await answerTo({ redirect_uri })).status).toBe(200),
  );

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['the response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['the response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['the response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an empty scope', { scope: ' ' }, 'invalid_scope'],
    ['only unknown scopes', { scope: 'admin offline_access' }, 'invalid_scope'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['no PKCE at all', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['no code_challenge_method (the default is plain)', { code_challenge_method: undefined }, 'invalid_request'],
    ['the code_challenge_method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a malformed code_challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a code_challenge in base64', { code_challenge: `${'a'.repeat(42)}+` }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'dance' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a malformed max_age', { max_age: '-1' }, 'invalid_request'],
    ['a nonce with NUL', { nonce: 'a\0b' }, 'invalid_request'],
    ['a malformed id_token_hint', { id_token_hint: 'a.b.c' }, 'invalid_request'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
  ])('redirects a request with %s to the app, with state and iss', async (_, parameters, error) => {
    const response = await answerTo(parameters);
    expect(response.status).toBe(303);
    const { error_description, ...reply } = parseRedirectParams(response);
    expect(reply).toEqual({ error, state: STATE, iss: server.settings.BASE_URL });
    expect(error_description).toMatch(/^[ !#-[\]-~]+\.$/);
  });

  it.each([
    [
      { code_challenge: undefined, code_challenge_method: undefined },
      'code_challenge is missing. This service requires PKCE with S256; enable it in your OAuth library.',
    ],
    [{ code_challenge_method: undefined }, 'code_challenge_method must be S256.'],
    [{ scope: 'marker:read' }, 'The scope marker:read does not exist.'],
    [{ scope: '"\\' }, 'scope contains a name that does not exist.'],
    [{ scope: undefined }, 'scope is missing. Name at least one scope; spaces separate several.'],
    [{ response_type: undefined }, 'response_type is missing. It must be code.'],
    [{ prompt: 'dance' }, 'prompt must contain only these values: none, login, consent, select_account.'],
  ])(
    'describes the error of a request with %j by the parameter, the rule and the fix',
    async (parameters, sentence) => {
      expect(parseRedirectParams(await answerTo(parameters))['error_description']).toBe(sentence);
    },
  );

  it('rejects a scope that the app is not registered for with invalid_scope', async () => {
    const small = await registerApp(server, { scopes: ['markers:read'] });
    const { error, error_description } = parseRedirectParams(
      await browser.get(createAuthorizationRequest(small, { scope: 'markers:read email' }).path),
    );
    expect(error).toBe('invalid_scope');
    const form = `${server.settings.BASE_URL}/developer/apps/${small.app.id}`;
    expect(error_description).toBe(`The scope email is not registered for this app. Add it at ${form}.`);
  });

  it('ignores scopes that do not exist, and notes them for the developer (OpenID Connect Core §3.1.2.1)', async () => {
    const client = await registerApp(server, { scopes: ['openid', 'markers:read'] });
    const { body } = await authorizeApp(server, client, browser, { scope: 'openid offline_access markers:read phone' });
    expect(body).toMatchObject({ scope: 'openid markers:read', refresh_token: expect.any(String) });
    const [call, ...others] = await server.get(FailedCallsService).list(client.app.id);
    expect(others).toEqual([]);
    expect(call).toMatchObject({
      endpoint: 'GET /api/oauth/authorize',
      errorCode: 'unknown_scope',
      reason: 'scope contains names that do not exist. They were ignored.',
      sentValues: [{ value: 'openid offline_access markers:read phone' }],
    });
  });

  it('rejects a repeated parameter with invalid_request, and omits a repeated state', async () => {
    const { path } = createAuthorizationRequest(app);
    expect(parseRedirectParams(await browser.get(`${path}&nonce=a&nonce=b`))).toMatchObject({
      error: 'invalid_request',
      state: STATE,
    });
    const { state, error } = parseRedirectParams(await browser.get(`${path}&state=other`));
    expect({ state, error }).toEqual({ state: undefined, error: 'invalid_request' });
  });

  it('preserves the query of the redirect URI, and returns the state unchanged', async () => {
    const redirect_uri = 'http://127.0.0.1:4000/callback?from=map';
    const state = 'a&b=c#d é "\\ ';
    const response = await answerTo({ redirect_uri, state, scope: undefined });
    expect(parseRedirectParams(response, redirect_uri)).toMatchObject({ from: 'map', state, error: 'invalid_scope' });
  });

  it('does not require PKCE from an app that is registered without it, but rejects half of it', async () => {
    const without = await registerApp(server, { pkceRequired: false });
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    expect((await browser.get(createAuthorizationRequest(without, none).path)).status).toBe(200);
    const half = await browser.get(createAuthorizationRequest(without, { code_challenge: undefined }).path);
    expect(parseRedirectParams(half).error).toBe('invalid_request');
  });

  it('accepts a form from another site (OpenID Connect Core §3.1.2.1)', async () => {
    const [path, query] = createAuthorizationRequest(app).path.split('?');
    const form = Object.fromEntries(new URLSearchParams(query));
    const foreign = { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'cross-site' };
    const response = await browser.post(path!, form, foreign);
    expect(response.status).toBe(303);
    expect((await browser.get(response.location!)).html).toContain(app.app.name);
  });

  it('rejects an access token as id_token_hint', async () => {
    const tokens = await issueTokens(server, { app: app.app, account: account });
    expect(parseRedirectParams(await answerTo({ id_token_hint: tokens.access_token })).error).toBe('invalid_request');
    expect((await answerTo({ id_token_hint: tokens.id_token })).status).toBe(200);
  });

  it('rejects a request that is too long for the sign-in page with invalid_request', async () => {
    expect(parseRedirectParams(await answerTo({ state: 'x'.repeat(5000) })).error).toBe('invalid_request');
    expect((await answerTo({ state: 'x'.repeat(4000) })).status).toBe(200);
  });

  it('treats a parameter without a value as omitted (RFC 6749 §3.1)', async () => {
    expect((await answerTo({ request: '', request_uri: '', max_age: '', prompt: '', nonce: '' })).status).toBe(200);
  });

  it('ignores unknown parameters, repeated ones too (RFC 6749 §3.1)', async () => {
    const { path } = createAuthorizationRequest(app, {
      audience: 'x',
      acr_values: '1',
      display: 'popup',
      claims: '{}',
    });
    expect((await browser.get(path)).status).toBe(200);
    expect((await browser.get(`${path}&audience=y&SCOPE=email&SCOPE=openid`)).status).toBe(200);
  });

  it('redirects a browser without a session to the sign-in page, and back', async () => {
    browser.clearCookies();
    const { path } = createAuthorizationRequest(app, { login_hint: 'somebody', ui_locales: 'fr' });
    const response = await browser.get(path);
    expect(response.location).toMatch(/^\/sign-in\?/);
    const page = await browser.get(response.location!);
    expect(page.html).toContain('value="somebody"');
    expect(page.html).toContain('lang="fr"');
    const signed = await browser.submitForm(page, '/sign-in', {
      username: account.username,
      password: 'correct horse',
    });
    expect((await browser.get(signed.location!)).html).toContain('name="decision"');
  });

  it('answers login_required for an ID token of another account than the signed-in one', async () => {
    const other = await createAccount(server);
    const tokens = await issueTokens(server, { app: app.app, account: other });
    const own = await openSignedInBrowser(server, account);
    const { path } = createAuthorizationRequest(app, { id_token_hint: tokens.id_token });
    const signInRedirect = await own.get(path);
    expect(signInRedirect.location).toMatch(/^\/sign-in/);
    const again = await own.signIn(account, 'correct horse', signInRedirect.location!);
    expect(parseRedirectParams(await own.get(again.location!)).error).toBe('login_required');
    const right = await own.signIn(other, 'correct horse', signInRedirect.location!);
    expect((await own.get(right.location!)).status).toBe(200);
  });
});
