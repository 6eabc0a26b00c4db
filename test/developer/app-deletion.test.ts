import { describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { FailedCall } from '../../src/identity/apps/failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { createAuthorizationRequest, openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { createAccount, createMarker, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { drawPicture } from '../support/test-pictures.js';
import { refreshTokens, revokeToken } from '../support/token-endpoint.js';

const APPS_PATH = '/developer/apps';
const INVALID_CLIENT = { status: 401, body: { error: 'invalid_client' } };
const APP_DISABLED = { status: 403, body: { code: 'app_disabled' } };

describe('The deletion of an app', () => {
  const fixture = OAuthFixture.use({ app: (_, { id: ownerId }) => ({ ownerId }) });

  const getPath = (id = fixture.app.app.id): string => `${APPS_PATH}/${id}/delete`;
  const deleteApp = async (path = getPath()): Promise<PageResponse> =>
    fixture.browser.submitForm(await fixture.browser.get(path), path);
  const registerNamed = async (name: string, browser = fixture.browser): Promise<PageResponse> => {
    const fields = { name, redirectUris: 'https://next.example/callback', scopes: ['openid'] };
    return browser.submitForm(await browser.get(`${APPS_PATH}/new`), APPS_PATH, fields);
  };
  const countEvents = (): Promise<number> =>
    fixture.server.entityManager.countBy(AuditEvent, { appId: fixture.app.app.id, type: 'app.deleted' });

  it('is confirmed on a page that says what ends and what stays, for how many people', async () => {
    const other = await fixture.openOtherBrowser();
    await fixture.authorizeApp();
    const { path } = createAuthorizationRequest(fixture.app);
    await other.submitForm(await other.get(path), '/consent', { decision: 'allow' });
    const appPage = await fixture.browser.get(`${APPS_PATH}/${fixture.app.app.id}`);
    expect(appPage.html).toContain(`href="${getPath()}"`);
    const { status, html } = await fixture.browser.get(getPath());
    expect(status).toBe(200);
    for (const text of [
      `Delete ${fixture.app.app.name}?`,
      'people who use it: 2)',
      'You cannot undo this.',
      'The history still shows the name of the app.',
      'No new app can have them',
      'Delete this app',
      'Keep the app',
    ])
      expect(html).toContain(text);
    expect(await countEvents()).toBe(0);
  });

  it('removes the app from the lists, and says so', async () => {
    const { status, location } = await deleteApp();
    expect({ status, location }).toEqual({ status: 303, location: `${APPS_PATH}?deleted` });
    const { html } = await fixture.browser.get(location!);
    expect(html).toContain('Your app is deleted.');
    expect(html).not.toContain(fixture.app.app.name);
    for (const page of ['', '/secret', '/delete'])
      expect((await fixture.browser.get(`${APPS_PATH}/${fixture.app.app.id}${page}`)).status).toBe(404);
    const activity = await fixture.browser.get('/account/activity');
    expect(activity.html).toContain(`You deleted the app ${fixture.app.app.name}.`);
  });

  it.each<[string, (server: typeof fixture.server) => Promise<TestApp>]>([
    ['a server app', async (server) => registerApp(server, { ownerId: fixture.account.id })],
    ['a public client', async (server) => registerApp(server, { ownerId: fixture.account.id, clientType: 'public' })],
  ])('ends the tokens, codes and consents of %s', async (_, register) => {
    fixture.app = await register(fixture.server);
    const person = await createAccount(fixture.server);
    const personBrowser = await openSignedInBrowser(fixture.server, person);
    const tokens = await issueTokens(fixture.server, { app: fixture.app.app, account: person });
    const { body: consented } = await fixture.authorizeApp();
    const { code, codeVerifier } = await fixture.obtainCode({ prompt: 'consent' });
    expect((await personBrowser.get('/account/apps')).html).toContain(fixture.app.app.name);
    await deleteApp();

    for (const token of [tokens.refresh_token, consented.refresh_token as string]) {
      expect(await fixture.refreshTokens(token)).toMatchObject(INVALID_CLIENT);
      expect(await revokeToken(fixture.server, fixture.app, token)).toMatchObject(INVALID_CLIENT);
    }
    expect(await fixture.exchangeCode(code, codeVerifier)).toMatchObject(INVALID_CLIENT);
    for (const path of ['/api/oauth/userinfo', '/api/markers', '/api/edits/mine'])
      expect(await fixture.server.request('GET', path, { token: tokens.access_token })).toMatchObject(APP_DISABLED);
    for (const parameters of [{}, { prompt: 'none' }, { response_type: 'token' }]) {
      const page = await fixture.authorize(parameters);
      expect({ status: page.status, location: page.location }).toEqual({ status: 400, location: null });
      expect(page.html).toContain('The app that sent you here is unknown or disabled.');
    }
    for (const browser of [personBrowser, fixture.browser])
      expect((await browser.get('/account/apps')).html).not.toContain(fixture.app.app.name);
  });

  it('is in the data of the people who used the app', async () => {
    await fixture.authorizeApp();
    await deleteApp();
    const { connected_apps } = JSON.parse((await fixture.browser.post('/account/export', {})).html);
    expect(connected_apps).toMatchObject({
      consents: [{ withdrawn_at: expect.stringMatching(/^\d{4}-/) }],
      sign_ins: [{ revoked_at: expect.stringMatching(/^\d{4}-/) }],
    });
  });

  it('keeps the edits of the app under its name, and deletes its icon', async () => {
    const { app } = fixture.app;
    await fixture.server.get(AppsService).setIcon(app.id, await drawPicture().webp().toBuffer(), fixture.account.id);
    const [, icon] = /src="(\/app-icons\/[^"]+)"/.exec((await fixture.browser.get(`${APPS_PATH}/${app.id}`)).html)!;
    const { access_token: token } = await fixture.issueTokens();
    const marker = await createMarker(fixture.server);
    const edit = { type: 'update', targetType: 'artwork', targetId: marker.id, baseVersion: marker.version };
    const body = { ...edit, changes: { year: 2001 } };
    const { body: suggested } = await fixture.server.request('POST', '/api/edits', { token, body });
    await deleteApp();
    const { app: otherApp } = await registerApp(fixture.server);
    const other = await issueTokens(fixture.server, { app: otherApp, account: fixture.account });
    const response = await fixture.server.request('GET', `/api/edits/${suggested.id}`, { token: other.access_token });
    const named = { client: { id: app.id, name: app.name }, status: 'open' };
    expect(response).toMatchObject({ status: 200, body: { edit: named } });
    expect((await fetch(fixture.server.url + icon)).status).toBe(404);
  });

  it('deletes the failed calls, and stores no later ones', async () => {
    const failedCalls = fixture.server.get(FailedCallsService);
    const { id: appId } = fixture.app.app;
    await fixture.refreshTokens('wrong');
    expect(await failedCalls.list(appId)).toHaveLength(1);
    await deleteApp();
    await fixture.refreshTokens('wrong');
    await fixture.authorize();
    await failedCalls.list(appId);
    expect(await fixture.server.entityManager.countBy(FailedCall, { appId })).toBe(0);
  });

  it('gives no new app the names that the app had', async () => {
    const { app } = fixture.app;
    const settings = { name: `Renamed ${app.name}`, redirectUris: app.redirectUris, scopes: app.scopes };
    await fixture.server.get(AppsService).updateSettings(app.id, settings, fixture.account.id);
    await deleteApp();
    for (const browser of [fixture.browser, await fixture.openOtherBrowser()]) {
      for (const name of [app.name, settings.name, settings.name.toUpperCase()]) {
        const { status, html } = await registerNamed(name, browser);
        expect({ name, status }).toEqual({ name, status: 422 });
        expect(html).toContain('id="name-error"');
      }
    }
  });

  it('frees a place for another app', async () => {
    const { name } = fixture.app.app;
    for (let count = 1; count < 25; count++) await registerApp(fixture.server, { ownerId: fixture.account.id });
    const rejected = await registerNamed(`${name} next`);
    expect(rejected.status).toBe(422);
    expect(rejected.html).toContain('Delete one of them first.');
    await deleteApp();
    expect((await registerNamed(`${name} next`)).status).toBe(303);
  });

  it('happens once if the form is sent several times', async () => {
    const page = await fixture.browser.get(getPath());
    const send = (): Promise<PageResponse> => fixture.browser.submitForm(page, getPath());
    const responses = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(responses.map(({ location }) => location)).toEqual(Array(4).fill(`${APPS_PATH}?deleted`));
    expect(await countEvents()).toBe(1);
  });

  it('cannot be undone or changed by a form that was opened before', async () => {
    const page = await fixture.browser.get(`${APPS_PATH}/${fixture.app.app.id}`);
    await deleteApp();
    for (const action of ['', '/disable', '/enable']) {
      const path = `${APPS_PATH}/${fixture.app.app.id}${action}`;
      const { status } = await (action === '/enable'
        ? fixture.browser.post(path, {})
        : fixture.browser.submitForm(page, path));
      expect({ action, status }).toEqual({ action, status: 404 });
    }
    expect(await refreshTokens(fixture.server, fixture.app, 'any')).toMatchObject(INVALID_CLIENT);
  });

  it('is refused for an app of another owner, an unknown app and a visitor', async () => {
    const { id } = fixture.app.app;
    const { refresh_token: refreshToken } = await fixture.issueTokens();
    const other = await fixture.openOtherBrowser();
    for (const path of [getPath(id), getPath('app_00000000000000000000000000'), getPath('nonsense')]) {
      for (const { status } of [await other.get(path), await other.post(path, {})])
        expect({ path, status }).toEqual({ path, status: 404 });
    }
    const visitor = new BrowserClient(fixture.server);
    for (const response of [await visitor.get(getPath()), await visitor.post(getPath(), {})])
      expect(response).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in/) });
    const crossSite = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await fixture.browser.post(getPath(), {}, crossSite)).status).toBe(403);
    expect((await fixture.refreshTokens(refreshToken)).status).toBe(200);
    expect(await countEvents()).toBe(0);
  });

  it('deletes an app that is disabled, by the owner or by the operator', async () => {
    const apps = fixture.server.get(AppsService);
    await apps.disable(fixture.app.app.id);
    expect((await deleteApp()).status).toBe(303);
    await expect(apps.enable(fixture.app.app.id)).rejects.toThrow(`The app ${fixture.app.app.id} was deleted.`);
  });
});
