import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import {
  createAuthorizationRequest,
  authorizeApp,
  REDIRECT_URI,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { createAccount, registerApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import type { PageResponse, BrowserClient } from '../support/browser-client.js';

const DEVELOPER_APPS_PATH = '/developer/apps';

describe('Developer pages', () => {
  let server: TestServer;
  let owner: Account;
  let browser: BrowserClient;
  let appName: string;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    owner = await createAccount(server);
    appName = `Mural Walk of ${owner.username}`;
    browser = await openSignedInBrowser(server, owner);
  });

  const register = async (fields: Record<string, string | string[]> = {}): Promise<PageResponse> => {
    const page = await browser.get(`${DEVELOPER_APPS_PATH}/new`);
    const response = await browser.submitForm(page, DEVELOPER_APPS_PATH, {
      name: appName,
      description: 'Walks from mural to mural.',
      homePage: 'https://walk.example.org/',
      privacyPolicy: 'https://walk.example.org/privacy',
      termsOfService: 'https://walk.example.org/terms',
      redirectUris: `${REDIRECT_URI}\r\n  http://127.0.0.1/callback \n\n`,
      scopes: ['openid', 'markers:read', 'edits:write'],
      requiredScopes: ['markers:read'],
      ...fields,
    });
    return browser.follow(response);
  };
  const parseSecrets = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/<p class="secret">([^<]*)</g)].map(([, text]) => text!);
  const registered = async (): Promise<{ id: string; secret: string }> => {
    const [id, secret] = parseSecrets(await register()) as [string, string];
    return { id, secret };
  };
  const isSecretValid = async (client_id: string, client_secret: string): Promise<TestResponse['body']> =>
    (await server.request('POST', '/api/oauth/revoke', { body: { token: 'any', client_id, client_secret } })).status ===
    200;
  const appsOf = (account: Account): Promise<App[]> => server.entityManager.findBy(App, { ownerId: account.id });

  it('describe the scopes with the name of the app, or without one as long as it has none', async () => {
    expect((await browser.get(`${DEVELOPER_APPS_PATH}/new`)).html).toContain('Your identity is known to your app<');
    const [id] = parseSecrets(await register()) as [string];
    const { html } = await browser.get(`${DEVELOPER_APPS_PATH}/${id}`);
    expect(html).toContain(`Your identity is known to ${appName}<`);
  });

  it('register an app, and show its id and once its secret', async () => {
    const response = await register();
    expect(response.status).toBe(200);
    const [id, secret] = parseSecrets(response) as [string, string];
    expect(await isSecretValid(id, secret)).toBe(true);
    const [app] = await appsOf(owner);
    expect(app).toMatchObject({
      id,
      name: appName,
      description: 'Walks from mural to mural.',
      homePage: 'https://walk.example.org/',
      privacyPolicy: 'https://walk.example.org/privacy',
      termsOfService: 'https://walk.example.org/terms',
      redirectUris: [REDIRECT_URI, 'http://127.0.0.1/callback'],
      scopes: ['openid', 'markers:read', 'edits:write'],
      requiredScopes: ['markers:read'],
      idTokenAlg: 'RS256',
      pkceRequired: true,
    });
    const shown = `${DEVELOPER_APPS_PATH}/${id}/credentials`;
    expect((await browser.get(shown)).location).toBe(`${DEVELOPER_APPS_PATH}/${id}`);
    for (const path of [DEVELOPER_APPS_PATH, `${DEVELOPER_APPS_PATH}/${id}`]) {
      const { html } = await browser.get(path);
      expect(html).toContain(id);
      expect(html).not.toContain('sam_secret');
    }
    expect(JSON.stringify(app)).not.toContain(secret);
  });

  it('register an app that accounts can use at once', async () => {
    const { id, secret } = await registered();
    const app = { app: (await appsOf(owner))[0]!, credentials: { client_id: id, client_secret: secret } };
    const { body } = await authorizeApp(server, app, browser, { scope: 'openid markers:read edits:write' });
    expect(body.scope).toBe('openid markers:read edits:write');
  });

  it.each<[what: string, field: string, value: string | string[]]>([
    ['no name', 'name', ''],
    ['a name with a bidirectional control character', 'name', 'a\u202eb'],
    ['a too long description', 'description', 'x'.repeat(501)],
    ['a description with a bidirectional control character', 'description', 'a\u202eb'],
    ['a home page without https', 'homePage', 'http://walk.example.org/'],
    ['a home page that is a script', 'homePage', 'javascript:alert(1)'],
    ['a privacy policy without https', 'privacyPolicy', 'http://walk.example.org/privacy'],
    ['a privacy policy that is a script', 'privacyPolicy', 'javascript:alert(1)'],
    ['too long terms of service', 'termsOfService', `https://walk.example.org/${'x'.repeat(500)}`],
    ['terms of service that are no address', 'termsOfService', 'Be kind.'],
    ['no redirect URI', 'redirectUris', ''],
    ['a redirect URI without https', 'redirectUris', 'http://walk.example.org/callback'],
    ['a redirect URI with a fragment', 'redirectUris', 'https://walk.example.org/#top'],
    ['a redirect URI that is a script', 'redirectUris', 'javascript:alert(1)'],
    ['a too long redirect address', 'redirectUris', `https://walk.example.org/${'x'.repeat(500)}`],
    [
      'too many redirect URIs',
      'redirectUris',
      Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`).join('\n'),
    ],
    ['a malformed post-logout redirect URI', 'postLogoutRedirectUris', 'nonsense'],
    ['no scope', 'scopes', []],
    ['an unknown scope', 'scopes', ['openid', 'markers:read', 'admin']],
    ['a required scope that is not among the scopes', 'scopes', ['openid']],
  ])('reject %s beside its field, keep the other fields, and store nothing', async (_, field, value) => {
    const { status, html } = await register({ [field]: value });
    expect(status).toBe(422);
    expect(html).toContain(`id="${field}-error"`);
    expect(html.match(/id="\w+-error"/g)).toHaveLength(1);
    if (field !== 'homePage') expect(html).toContain('value="https://walk.example.org/"');
    expect(html).not.toContain('sam_secret');
    expect(await appsOf(owner)).toEqual([]);
  });

  it('apply changed settings and redirect URIs at once', async () => {
    const { id, secret } = await registered();
    const page = await browser.get(`${DEVELOPER_APPS_PATH}/${id}`);
    const response = await browser.submitForm(page, `${DEVELOPER_APPS_PATH}/${id}`, {
      name: 'Wall Walk',
      redirectUris: 'https://new.example.org/cb',
    });
    expect(response.location).toBe(`${DEVELOPER_APPS_PATH}/${id}?saved`);
    const [app] = await appsOf(owner);
    expect(app).toMatchObject({
      name: 'Wall Walk',
      redirectUris: ['https://new.example.org/cb'],
      requiredScopes: ['markers:read'],
    });
    const testApp = { app: app!, credentials: { client_id: id, client_secret: secret } };
    expect((await browser.get(createAuthorizationRequest(testApp).path)).status).toBe(400);
    expect(await isSecretValid(id, secret)).toBe(true);
  });

  it('keep the stored settings when a change is rejected', async () => {
    const { id } = await registered();
    const page = await browser.get(`${DEVELOPER_APPS_PATH}/${id}`);
    const { status, html } = await browser.submitForm(page, `${DEVELOPER_APPS_PATH}/${id}`, {
      name: 'Better',
      redirectUris: 'nonsense',
    });
    expect(status).toBe(422);
    expect(html).toContain('value="Better"');
    expect((await appsOf(owner))[0]!.name).toBe(appName);
  });

  it('rotate the secret: show the new one once, and reject the old one', async () => {
    const { id, secret } = await registered();
    const path = `${DEVELOPER_APPS_PATH}/${id}/secret`;
    const response = await browser.follow(await browser.submitForm(await browser.get(path), path));
    const [, newSecret] = parseSecrets(response) as [string, string];
    expect(await isSecretValid(id, newSecret)).toBe(true);
    expect(await isSecretValid(id, secret)).toBe(false);
  });

  it('show no secret that was replaced since, and none to another session', async () => {
    const { id } = await registered();
    const path = `${DEVELOPER_APPS_PATH}/${id}`;
    await browser.post(`${path}/secret`, {});
    await browser.signIn(owner);
    expect((await browser.get(`${path}/credentials`)).location).toBe(path);
    await browser.post(`${path}/secret`, {});
    await server.get(AppsService).rotateSecret(id);
    expect((await browser.get(`${path}/credentials`)).location).toBe(path);
  });

  it('disable and enable an app', async () => {
    const { id, secret } = await registered();
    await browser.submitForm(await browser.get(`${DEVELOPER_APPS_PATH}/${id}`), `${DEVELOPER_APPS_PATH}/${id}/disable`);
    expect(await isSecretValid(id, secret)).toBe(false);
    await browser.submitForm(await browser.get(`${DEVELOPER_APPS_PATH}/${id}`), `${DEVELOPER_APPS_PATH}/${id}/enable`);
    expect(await isSecretValid(id, secret)).toBe(true);
  });

  it('record every action in the audit', async () => {
    const { id } = await registered();
    for (const action of ['secret', 'disable', 'disable', 'enable', 'enable'])
      await browser.post(`${DEVELOPER_APPS_PATH}/${id}/${action}`, {});
    const events = await server.entityManager.find(AuditEvent, { where: { appId: id }, order: { id: 'ASC' } });
    expect(events.map(({ type }) => type)).toEqual([
      'app.registered',
      'app.secret_rotated',
      'app.disabled',
      'app.enabled',
    ]);
    expect(new Set(events.map(({ accountId }) => accountId))).toEqual(new Set([owner.id]));
  });

  it('cannot enable an app that the operator disabled', async () => {
    const { id, secret } = await registered();
    await server.get(AppsService).disable(id);
    expect((await browser.get(`${DEVELOPER_APPS_PATH}/${id}`)).html).not.toContain(`${id}/enable`);
    for (const action of ['disable', 'enable']) await browser.post(`${DEVELOPER_APPS_PATH}/${id}/${action}`, {});
    expect(await isSecretValid(id, secret)).toBe(false);
  });

  it('show and change no app of another account or of the operator', async () => {
    const { id, secret } = await registered();
    const otherBrowser = await openSignedInBrowser(server, await createAccount(server));
    const operators = await registerApp(server);
    const before = await server.entityManager.find(App, { order: { id: 'ASC' } });
    for (const app of [id, operators.app.id, 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x']) {
      expect((await otherBrowser.get(`${DEVELOPER_APPS_PATH}/${app}`)).status).toBe(404);
      for (const action of ['', '/secret', '/failed-calls', '/disable', '/enable']) {
        expect((await otherBrowser.post(`${DEVELOPER_APPS_PATH}/${app}${action}`, { name: 'Mine' })).status).toBe(404);
      }
    }
    expect((await otherBrowser.get(DEVELOPER_APPS_PATH)).html).not.toContain(id);
    expect(await server.entityManager.find(App, { order: { id: 'ASC' } })).toEqual(before);
    expect(await isSecretValid(id, secret)).toBe(true);
  });

  it('are not available to a blocked account', async () => {
    const { id, secret } = await registered();
    await server.get(AccountsService).block(owner.username, 'Spam.');
    expect((await browser.get(`${DEVELOPER_APPS_PATH}/${id}`)).status).toBe(403);
    for (const action of ['', `/${id}`, `/${id}/secret`, `/${id}/failed-calls`, `/${id}/disable`]) {
      expect((await browser.post(`${DEVELOPER_APPS_PATH}${action}`, {})).status).toBe(403);
    }
    expect(await isSecretValid(id, secret)).toBe(true);
  });
});
