import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { SCOPES } from '../../src/identity/scopes/scopes.js';
import {
  grantConsent,
  createAuthorizationRequest,
  authorizeApp,
  parseRedirectParams,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { ALL_SCOPES, createAccount, registerApp, type TestApp } from '../support/factories.js';
import { ConsentFixture } from '../support/consent-fixture.js';
import { TestServer } from '../support/test-server.js';
import { type BrowserClient } from '../support/browser-client.js';

describe('Consent', () => {
  let server: TestServer;
  let fixture: ConsentFixture;
  let person: Account;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    fixture = await ConsentFixture.start(server);
    ({ account: person, browser, app } = fixture);
  });

  it('shows each requested scope in the words of the spec, with a box of its name', async () => {
    const { html } = await browser.get(createAuthorizationRequest(app, { scope: ALL_SCOPES.join(' ') }).path);
    for (const [scope, meaning] of Object.entries(SCOPES)) {
      expect(html).toMatch(new RegExp(`<input[^>]*type="checkbox"[^>]*name="scope"[^>]*value="${scope}"`));
      expect(html).toContain(`<label for="${scope}" class="sentence">${meaning}</label>`);
    }
  });

  it('says what can be left out only where something can', async () => {
    const sentence = 'You can leave out what you do not want to allow.';
    expect((await browser.get(createAuthorizationRequest(app).path)).html).toContain(sentence);
    expect(
      (await browser.get(createAuthorizationRequest(app, { scope: 'openid markers:read' }).path)).html,
    ).not.toContain(sentence);
  });

  it('keeps the language that the app asked for, wherever it leads', async () => {
    const page = await browser.get(createAuthorizationRequest(app, { ui_locales: 'xx es' }).path);
    expect(page.html).toContain('lang="es"');
    expect(page.html).toContain('/consent?ui_locales=es');
    const switching = /href="(\/sign-in\?return_to=[^"]+)"/.exec(page.html)![1]!.replace(/&amp;/g, '&');
    expect((await browser.get(switching)).html).toContain('lang="es"');
  });

  it('shows no scope that was not requested', async () => {
    const { html } = await browser.get(createAuthorizationRequest(app, { scope: 'markers:read' }).path);
    for (const scope of ALL_SCOPES.filter((name) => name !== 'markers:read'))
      expect(html).not.toContain(`value="${scope}"`);
  });

  it('tells reading from changing', async () => {
    const { html } = await browser.get(createAuthorizationRequest(app, { scope: ALL_SCOPES.join(' ') }).path);
    const [, identity, read, write] = html.split('<legend>');
    const scopesIn = (part = '') => [...part.matchAll(/name="scope" id="([^"]+)"/g)].map(([, scope]) => scope);
    expect(scopesIn(identity)).toEqual(['openid', 'profile', 'email']);
    expect(scopesIn(read)).toEqual(['edits:read', 'collections:read', 'markers:read', 'artists:read']);
    expect(scopesIn(write)).toEqual(['edits:write', 'edits:review', 'collections:write']);
  });

  it('tells the app, who registered it and when, where the person is sent, who they are, and how to switch', async () => {
    const { html } = await browser.get(createAuthorizationRequest(app).path);
    for (const told of [app.app.name, 'Olga Owner', 'https://app.example.org/', 'app.example.org', person.name])
      expect(html).toContain(told);
    expect(html).toContain(`<time dateTime="${app.app.createdAt.toISOString()}"`.replace('dateTime', 'datetime'));
    const switching = /href="(\/sign-in\?return_to=[^"]+)"/.exec(html)![1]!.replace(/&amp;/g, '&');
    const other = await createAccount(server);
    const back = await browser.signIn(other, 'correct horse', switching);
    expect((await browser.get(back.location!)).html).toContain(other.name);
  });

  it('lets a person leave a scope out, and the token response says what was granted', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const answer = await grantConsent(browser, path, ['profile']);
    expect(await fixture.exchangeForScope(answer, codeVerifier)).toBe('openid profile markers:read');
  });

  it('keeps in what the app registered as required, and openid, whatever the form says', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    expect(await fixture.exchangeForScope(await grantConsent(browser, path, []), codeVerifier)).toBe(
      'openid markers:read',
    );
  });

  it('grants nothing that was not requested, whatever the form says', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app, { scope: 'openid markers:read' });
    const answer = await grantConsent(browser, path, ['edits:write', 'email', 'admin', '']);
    expect(await fixture.exchangeForScope(answer, codeVerifier)).toBe('openid markers:read');
  });

  it.each([
    ['Deny', { decision: 'deny' }],
    ['no scope left in', { decision: 'allow', scope: [] }],
  ])('with %s answers access_denied', async (_, fields) => {
    const page = await browser.get(createAuthorizationRequest(app, { scope: 'edits:write profile' }).path);
    const answer = await browser.submitForm(page, '/consent', fields);
    expect(answer.status).toBe(303);
    expect(parseRedirectParams(answer)).toMatchObject({ error: 'access_denied', iss: server.settings.BASE_URL });
    expect(await fixture.requiresConsent({ scope: 'edits:write profile' })).toBe(true);
  });

  it('names the whole address of an app with a scheme of its own, which could look like a host', async () => {
    const redirect_uri = 'evil.app://accounts.example.com/cb';
    const sly = await registerApp(server, { redirectUris: [redirect_uri] });
    expect((await browser.get(createAuthorizationRequest(sly, { redirect_uri }).path)).html).toContain(
      `<strong>${redirect_uri}</strong>`,
    );
  });

  it('is skipped for what the person has allowed this app already, and for less', async () => {
    expect(await fixture.requiresConsent()).toBe(true);
    await authorizeApp(server, app, browser);
    expect(await fixture.requiresConsent()).toBe(false);
    const { path, codeVerifier } = createAuthorizationRequest(app, { scope: 'markers:read' });
    expect(await fixture.exchangeForScope(await browser.get(path), codeVerifier)).toBe('markers:read');
  });

  it.each<[string, Record<string, string>]>([
    ['for a scope more', { scope: 'openid profile markers:read edits:write email' }],
    ['with prompt=consent', { prompt: 'consent' }],
  ])('is asked again %s', async (_, given) => {
    await authorizeApp(server, app, browser);
    expect(await fixture.requiresConsent(given)).toBe(true);
  });

  it('is asked again for another app, by another person, and for what was left out the last time', async () => {
    await authorizeApp(server, app, browser);
    const other = await registerApp(server);
    expect((await browser.get(createAuthorizationRequest(other).path)).status).toBe(200);
    const stranger = await openSignedInBrowser(server, await createAccount(server));
    expect((await stranger.get(createAuthorizationRequest(app).path)).status).toBe(200);
    await grantConsent(browser, createAuthorizationRequest(app, { prompt: 'consent' }).path, ['profile']);
    expect(await fixture.requiresConsent()).toBe(true);
    expect(await fixture.requiresConsent({ scope: 'openid profile' })).toBe(false);
  });

  it('adds up over requests: what was not asked stays as it was', async () => {
    await authorizeApp(server, app, browser, { scope: 'openid markers:read' });
    await authorizeApp(server, app, browser, { scope: 'email' });
    expect(await fixture.requiresConsent({ scope: 'openid markers:read email' })).toBe(false);
  });
});
