import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import {
  createAuthorizationRequest,
  REDIRECT_URI,
  parseRedirectParams,
  openSignedInBrowser,
  STATE,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import type { BrowserClient } from '../support/browser-client.js';

describe('The authorization endpoint', () => {
  let server: TestServer;
  let person: Account;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
    person = await createAccount(server);
    browser = await openSignedInBrowser(server, person);
    app = await registerApp(server, { redirectUris: [REDIRECT_URI, 'http://127.0.0.1:4000/callback?from=map'] });
  });
  afterAll(() => server.stop());

  const answerTo = async (given: Record<string, string | undefined>) =>
    browser.get(createAuthorizationRequest(app, given).path);
  const expectErrorPage = async (path: string): Promise<void> => {
    const { status, location, html, headers } = await browser.get(path);
    expect({ path, status, location }).toEqual({ path, status: 400, location: null });
    expect(headers.get('content-type')).toMatch(/html/);
    expect(html).not.toContain('evil');
  };

  it('asks a person who is signed in', async () => {
    const { status, html, headers } = await answerTo({});
    expect(status).toBe(200);
    expect(html).toContain(app.app.name);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['none', undefined],
    ['an unknown', 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['a misshapen', '<script>evil</script>'],
  ])('shows an error page for %s client_id, and sends nobody anywhere', async (_, client_id) => {
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
  ])('shows an error page for the redirect_uri %s, which is not exactly registered', async (redirect_uri) => {
    await expectErrorPage(createAuthorizationRequest(app, { redirect_uri }).path);
  });

  it('shows an error page for a client_id or redirect_uri sent twice', async () => {
    const { path } = createAuthorizationRequest(app);
    await expectErrorPage(`${path}&client_id=${app.app.id}`);
    await expectErrorPage(`${path}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`);
  });

  it.each(['http://127.0.0.1:5123/callback?from=map', 'http://127.0.0.1/callback?from=map'])(
    'takes %s, since the port of a loopback address may vary (RFC 8252 §7.3)',
    async (redirect_uri) => expect((await answerTo({ redirect_uri })).status).toBe(200),
  );

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['the response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['the response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['the response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an empty scope', { scope: ' ' }, 'invalid_scope'],
    ['a scope that does not exist', { scope: 'openid admin' }, 'invalid_scope'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['no PKCE at all', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['no code_challenge_method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['the code_challenge_method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a code_challenge that is no SHA-256', { code_challenge: 'short' }, 'invalid_request'],
    ['a code_challenge in base64', { code_challenge: `${'a'.repeat(42)}+` }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'dance' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: '-1' }, 'invalid_request'],
    ['a nonce with NUL', { nonce: 'a\0b' }, 'invalid_request'],
    ['an id_token_hint that is none', { id_token_hint: 'a.b.c' }, 'invalid_request'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
  ])('answers %s to the app, with state and iss', async (_, given, error) => {
    const answer = await answerTo(given);
    expect(answer.status).toBe(303);
    const { error_description, ...reply } = parseRedirectParams(answer);
    expect(reply).toEqual({ error, state: STATE, iss: server.settings.BASE_URL });
    expect(error_description).toMatch(/^[ !#-[\]-~]+\.$/);
  });

  it('answers a scope that the app is not registered for with invalid_scope', async () => {
    const small = await registerApp(server, { scopes: ['markers:read'] });
    const { error, error_description } = parseRedirectParams(
      await browser.get(createAuthorizationRequest(small, { scope: 'markers:read email' }).path),
    );
    expect(error).toBe('invalid_scope');
    expect(error_description).toContain('email');
  });

  it('answers a parameter sent twice with invalid_request, and a state sent twice without it', async () => {
    const { path } = createAuthorizationRequest(app);
    expect(parseRedirectParams(await browser.get(`${path}&nonce=a&nonce=b`))).toMatchObject({
      error: 'invalid_request',
      state: STATE,
    });
    const { state, error } = parseRedirectParams(await browser.get(`${path}&state=other`));
    expect({ state, error }).toEqual({ state: undefined, error: 'invalid_request' });
  });

  it('keeps the query of the registered address, and gives back any state as it was', async () => {
    const redirect_uri = 'http://127.0.0.1:4000/callback?from=map';
    const state = 'a&b=c#d é "\\ ';
    const answer = await answerTo({ redirect_uri, state, scope: undefined });
    expect(parseRedirectParams(answer, redirect_uri)).toMatchObject({ from: 'map', state, error: 'invalid_scope' });
  });

  it('leaves PKCE to an app that is registered without, but not by half', async () => {
    const without = await registerApp(server, { pkceRequired: false });
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    expect((await browser.get(createAuthorizationRequest(without, none).path)).status).toBe(200);
    const half = await browser.get(createAuthorizationRequest(without, { code_challenge: undefined }).path);
    expect(parseRedirectParams(half).error).toBe('invalid_request');
  });

  it('takes the same as a form from another site (OpenID Connect Core §3.1.2.1)', async () => {
    const [path, query] = createAuthorizationRequest(app).path.split('?');
    const form = Object.fromEntries(new URLSearchParams(query));
    const foreign = { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'cross-site' };
    const answer = await browser.post(path!, form, foreign);
    expect(answer.status).toBe(303);
    expect((await browser.get(answer.location!)).html).toContain(app.app.name);
  });

  it('takes no access token for an id_token_hint', async () => {
    const tokens = await issueTokens(server, { app: app.app, account: person });
    expect(parseRedirectParams(await answerTo({ id_token_hint: tokens.access_token })).error).toBe('invalid_request');
    expect((await answerTo({ id_token_hint: tokens.id_token })).status).toBe(200);
  });

  it('answers a request too long to travel through signing in with invalid_request', async () => {
    expect(parseRedirectParams(await answerTo({ state: 'x'.repeat(5000) })).error).toBe('invalid_request');
    expect((await answerTo({ state: 'x'.repeat(4000) })).status).toBe(200);
  });

  it('takes a parameter without a value for one that was left out (RFC 6749 §3.1)', async () => {
    expect((await answerTo({ request: '', request_uri: '', max_age: '', prompt: '', nonce: '' })).status).toBe(200);
  });

  it('ignores parameters that it does not know (RFC 6749 §3.1)', async () => {
    expect(
      (await answerTo({ audience: 'x', resource: 'y', acr_values: '1', display: 'popup', claims: '{}' })).status,
    ).toBe(200);
  });

  it('sends who is not signed in to sign in, and back', async () => {
    browser.clearCookies();
    const { path } = createAuthorizationRequest(app, { login_hint: 'somebody', ui_locales: 'fr' });
    const answer = await browser.get(path);
    expect(answer.location).toMatch(/^\/sign-in\?/);
    const page = await browser.get(answer.location!);
    expect(page.html).toContain('value="somebody"');
    expect(page.html).toContain('lang="fr"');
    const signed = await browser.submitForm(page, '/sign-in', { username: person.username, password: 'correct horse' });
    expect((await browser.get(signed.location!)).html).toContain('name="decision"');
  });

  it('answers an id token of another person with login_required, once somebody else has signed in', async () => {
    const other = await createAccount(server);
    const tokens = await issueTokens(server, { app: app.app, account: other });
    const own = await openSignedInBrowser(server, person);
    const { path } = createAuthorizationRequest(app, { id_token_hint: tokens.id_token });
    const toSignIn = await own.get(path);
    expect(toSignIn.location).toMatch(/^\/sign-in/);
    const again = await own.signIn(person, 'correct horse', toSignIn.location!);
    expect(parseRedirectParams(await own.get(again.location!)).error).toBe('login_required');
    const right = await own.signIn(other, 'correct horse', toSignIn.location!);
    expect((await own.get(right.location!)).status).toBe(200);
  });
});
