import { describe, expect, it } from '@jest/globals';
import type { App } from '../../src/identity/apps/app.entity.js';
import type { AppSettingsInput } from '../../src/identity/apps/app-settings.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { describeScope } from '../../src/identity/scopes/scope-messages.js';
import { SCOPE_ACCESS } from '../../src/identity/scopes/scopes.js';
import {
  grantConsent,
  createAuthorizationRequest,
  parseRedirectParams,
  REDIRECT_URI,
} from '../support/authorization-flow.js';
import { ALL_SCOPES, createAccount, registerApp } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

describe('Consent page', () => {
  const fixture = OAuthFixture.useWithRequiredScope();
  const changeApp = (changes: Partial<AppSettingsInput>): Promise<App> =>
    fixture.server.get(AppsService).updateSettings(fixture.app.app.id, { ...fixture.app.app, ...changes });

  it('shows a checkbox for each requested scope, labelled with its sentence alone', async () => {
    const { html } = await fixture.authorize({ scope: ALL_SCOPES.join(' ') });
    for (const scope of ALL_SCOPES) {
      expect(html).toMatch(new RegExp(`<input[^>]*type="checkbox"[^>]*name="scope"[^>]*value="${scope}"`));
      const sentence = describeScope(scope, 'en', fixture.app.app.name);
      expect(html).toContain(`<label for="${scope}">${sentence}</label>`);
      expect(html.split(sentence)).toHaveLength(2);
    }
  });

  it('describes only the checkbox of a required scope, as required', async () => {
    const { html } = await fixture.authorize({ ui_locales: 'de' });
    expect(html).toMatch(/<input[^>]*value="openid"[^>]*aria-describedby="openid-note"/);
    expect(html).toContain('<p class="hint" id="openid-note">Für die App erforderlich.</p>');
    expect(html).not.toMatch(/<input[^>]*value="edits:write"[^>]*aria-describedby/);
    expect(html).not.toContain('edits:write-note');
  });

  it('says that Allow without a box gives nothing, only where every box can be cleared', async () => {
    const sentence = 'If no box is checked, “Allow” gives the app nothing.';
    expect((await fixture.authorize({ scope: 'profile edits:write' })).html).toContain(sentence);
    expect((await fixture.authorize({ scope: 'profile markers:read' })).html).not.toContain(sentence);
  });

  it('preserves the language that the app requests on every linked page', async () => {
    const page = await fixture.authorize({ ui_locales: 'xx es' });
    expect(page.html).toContain('lang="es"');
    expect(page.html).toContain('/consent?ui_locales=es');
    const switchPath = /href="(\/sign-in\?client_id=[^"]+)"/.exec(page.html)![1]!.replace(/&amp;/g, '&');
    expect((await fixture.browser.get(switchPath)).html).toContain('lang="es"');
  });

  it('omits scopes that were not requested', async () => {
    const { html } = await fixture.authorize({ scope: 'markers:read' });
    for (const scope of ALL_SCOPES.filter((name) => name !== 'markers:read'))
      expect(html).not.toContain(`value="${scope}"`);
  });

  it('separates the scopes that read from the scopes that write', async () => {
    const { html } = await fixture.authorize({ scope: ALL_SCOPES.join(' ') });
    const [, read, write] = html.split('<legend>');
    const scopesIn = (part = '') => [...part.matchAll(/name="scope" id="([^"]+)"/g)].map(([, scope]) => scope);
    expect(read).toMatch(/^The app can see</);
    expect(scopesIn(read)).toEqual(ALL_SCOPES.filter((scope) => SCOPE_ACCESS[scope] !== 'write'));
    expect(write).toMatch(/^The app can change</);
    expect(scopesIn(write)).toEqual(['edits:write', 'edits:review', 'collections:write']);
  });

  it('shows the app, its owner and age, the redirect host, the account, and a link to another account', async () => {
    const { html } = await fixture.authorize();
    for (const results of [
      fixture.app.app.name,
      'Olga Owner',
      'https://app.example.org/',
      'app.example.org',
      fixture.account.name,
    ])
      expect(html).toContain(results);
    expect(html).toContain(
      `<time dateTime="${fixture.app.app.createdAt.toISOString()}"`.replace('dateTime', 'datetime'),
    );
    const switchPath = /href="(\/sign-in\?client_id=[^"]+)"/.exec(html)![1]!.replace(/&amp;/g, '&');
    const other = await createAccount(fixture.server);
    const back = await fixture.browser.signIn(other, 'correct horse', switchPath);
    expect((await fixture.browser.get(back.location!)).html).toContain(other.name);
  });

  it('grants the scopes that the account selects, and names them in the token response', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const response = await grantConsent(fixture.browser, path, ['profile']);
    expect(await fixture.exchangeForScope(response, codeVerifier)).toBe('openid profile markers:read');
  });

  it('grants openid and the required scopes even when the form omits them', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    expect(await fixture.exchangeForScope(await grantConsent(fixture.browser, path, []), codeVerifier)).toBe(
      'openid markers:read',
    );
  });

  it('grants no scope that was not requested', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app, { scope: 'openid markers:read' });
    const response = await grantConsent(fixture.browser, path, ['edits:write', 'email', 'admin', '']);
    expect(await fixture.exchangeForScope(response, codeVerifier)).toBe('openid markers:read');
  });

  it.each([
    ['Deny', { decision: 'deny' }],
    ['Allow without a scope', { decision: 'allow', scope: [] }],
  ])('redirects with access_denied after %s', async (_, fields) => {
    const page = await fixture.authorize({ scope: 'edits:write profile' });
    const response = await fixture.browser.submitForm(page, '/consent', fields);
    expect(response.status).toBe(303);
    expect(parseRedirectParams(response)).toMatchObject({
      error: 'access_denied',
      iss: fixture.server.settings.BASE_URL,
    });
    expect(await fixture.requiresConsent({ scope: 'edits:write profile' })).toBe(true);
  });

  it('shows the whole redirect URI of a private-use scheme', async () => {
    const redirect_uri = 'evil.app://accounts.example.com/cb';
    const otherApp = await registerApp(fixture.server, { clientType: 'public', redirectUris: [redirect_uri] });
    expect((await fixture.browser.get(createAuthorizationRequest(otherApp, { redirect_uri }).path)).html).toContain(
      `<b>${redirect_uri}</b>`,
    );
  });

  it('is skipped for scopes that the account granted before', async () => {
    expect(await fixture.requiresConsent()).toBe(true);
    await fixture.authorizeApp();
    expect(await fixture.requiresConsent()).toBe(false);
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app, { scope: 'markers:read' });
    expect(await fixture.exchangeForScope(await fixture.browser.get(path), codeVerifier)).toBe('markers:read');
  });

  it.each<[string, Record<string, string>]>([
    ['for one more scope', { scope: 'openid profile markers:read edits:write email' }],
    ['with prompt=consent', { prompt: 'consent' }],
  ])('is shown again %s', async (_, parameters) => {
    await fixture.authorizeApp();
    expect(await fixture.requiresConsent(parameters)).toBe(true);
  });

  it('is shown again when the app has another name, and says what it was called', async () => {
    await fixture.authorizeApp();
    await changeApp({ name: `Other Brand ${fixture.app.app.name}` });
    const { status, html } = await fixture.authorize();
    expect(status).toBe(200);
    expect(html).toContain(`This app was called <b>${fixture.app.app.name}</b> until <time`);
    expect(html).not.toContain('Now this app sends you to');
    const silent = parseRedirectParams(await fixture.authorize({ prompt: 'none' }));
    expect(silent.error).toBe('consent_required');
    expect(silent.error_description).toContain('has not seen the present name of this app');
    await fixture.authorizeApp();
    expect(await fixture.requiresConsent()).toBe(false);
    await changeApp({});
    expect(await fixture.requiresConsent()).toBe(false);
  });

  it('is shown again for another redirect host, and names both hosts', async () => {
    await fixture.authorizeApp();
    const redirect_uri = 'https://totally-other.example/x';
    const redirectUris = [REDIRECT_URI, `${REDIRECT_URI}/2`, redirect_uri];
    await changeApp({ redirectUris });
    expect(await fixture.requiresConsent()).toBe(false);
    expect(await fixture.requiresConsent({ redirect_uri: `${REDIRECT_URI}/2` })).toBe(false);
    const { status, html } = await fixture.authorize({ redirect_uri });
    expect(status).toBe(200);
    expect(html).toContain('You continued to <b>app.example.org</b> before.');
    expect(html).toContain('Now this app sends you to <b>totally-other.example</b>.');
    expect(html).not.toContain('This app was called');
    await grantConsent(fixture.browser, createAuthorizationRequest(fixture.app, { redirect_uri }).path);
    for (const uri of redirectUris) expect(await fixture.requiresConsent({ redirect_uri: uri })).toBe(false);
  });

  it('is not shown again for another port on loopback', async () => {
    await changeApp({ redirectUris: ['http://127.0.0.1/cb'] });
    const request = createAuthorizationRequest(fixture.app, { redirect_uri: 'http://127.0.0.1:4001/cb' });
    await grantConsent(fixture.browser, request.path);
    expect(await fixture.requiresConsent({ redirect_uri: 'http://127.0.0.1:4002/cb' })).toBe(false);
  });

  it('mentions no change at the first request and after the access was removed', async () => {
    const expectNoNotice = async (): Promise<void> => {
      const { status, html } = await fixture.authorize();
      expect(status).toBe(200);
      expect(html).not.toContain('This app was called');
      expect(html).not.toContain('Now this app sends you to');
    };
    await expectNoNotice();
    await fixture.authorizeApp();
    const page = await fixture.browser.get('/account/apps');
    await fixture.browser.submitForm(page, '/account/apps', { what: fixture.app.app.id });
    await changeApp({ name: `Other Brand ${fixture.app.app.name}` });
    await expectNoNotice();
  });

  it('records no consent when the app got another name before Allow, and is shown again', async () => {
    const { path } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    await changeApp({ name: `Other Brand ${fixture.app.app.name}` });
    const response = await fixture.browser.submitForm(page, '/consent', { decision: 'allow' });
    expect(response.location).toMatch(/^\/api\/oauth\/authorize\?/);
    expect((await fixture.browser.get(response.location!)).status).toBe(200);
    expect(await fixture.server.entityManager.countBy(Consent, { appId: fixture.app.app.id })).toBe(0);
    const denied = await fixture.browser.submitForm(page, '/consent', { decision: 'deny' });
    expect(parseRedirectParams(denied).error).toBe('access_denied');
  });

  it('is shown again for another app, for another account, and for a scope that was not granted', async () => {
    await fixture.authorizeApp();
    const other = await registerApp(fixture.server);
    expect((await fixture.browser.get(createAuthorizationRequest(other).path)).status).toBe(200);
    const otherBrowser = await fixture.openOtherBrowser();
    expect((await otherBrowser.get(createAuthorizationRequest(fixture.app).path)).status).toBe(200);
    await grantConsent(fixture.browser, createAuthorizationRequest(fixture.app, { prompt: 'consent' }).path, [
      'profile',
    ]);
    expect(await fixture.requiresConsent()).toBe(true);
    expect(await fixture.requiresConsent({ scope: 'openid profile' })).toBe(false);
  });

  it('adds the scopes of several requests', async () => {
    await fixture.authorizeApp({ scope: 'openid markers:read' });
    await fixture.authorizeApp({ scope: 'email' });
    expect(await fixture.requiresConsent({ scope: 'openid markers:read email' })).toBe(false);
  });
});
