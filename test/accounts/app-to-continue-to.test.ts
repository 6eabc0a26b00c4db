import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { createAuthorizationRequest } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { registerApp, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

describe('Sign-in and sign-up for an app', () => {
  let server: TestServer;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    browser = new BrowserClient(server);
    app = await registerApp(server);
  });

  const SENTENCE = /to continue to/;
  const nameSentence = (name: string): string => `to continue to <strong>${name}</strong>`;
  const toSignIn = (returnTo: string): string => `/sign-in?${new URLSearchParams({ return_to: returnTo })}`;

  it('name the app, also after an error', async () => {
    const { location } = await browser.get(createAuthorizationRequest(app).path);
    const signUp = location!.replace('/sign-in', '/sign-up');
    for (const path of [location!, signUp]) {
      expect((await browser.get(path)).html).toContain(nameSentence(app.app.name));
      const failed = await browser.post(path, { username: 'mila vos', password: 'wrong horse' });
      expect(failed.status).toBe(422);
      expect(failed.html).toContain(nameSentence(app.app.name));
    }
  });

  it('escape the name of the app', async () => {
    const evil = await registerApp(server, { name: '<b>Map</b> & "Co"' });
    const { html } = await browser.get((await browser.get(createAuthorizationRequest(evil).path)).location!);
    expect(html).toContain(nameSentence('&lt;b>Map&lt;/b> &amp; &quot;Co&quot;'));
  });

  it('name no app without an authorization request', async () => {
    for (const path of ['/sign-in', '/sign-up', toSignIn('/account'), toSignIn(`/account?client_id=${app.app.id}`)]) {
      expect((await browser.get(path)).html).not.toMatch(SENTENCE);
    }
  });

  it('name no unknown, foreign or disabled app', async () => {
    const withClient = (id: string): string => toSignIn(`/api/oauth/authorize?client_id=${encodeURIComponent(id)}`);
    expect((await browser.get(withClient(app.app.id))).html).toMatch(SENTENCE);
    await server.get(AppsService).disable(app.app.id);
    for (const id of [app.app.id, 'app_00000000000000000000000000', 'WallWalker', '', "' OR 1=1 --"]) {
      const { status, html } = await browser.get(withClient(id));
      expect({ id, status, isNamed: SENTENCE.test(html) }).toEqual({ id, status: 200, isNamed: false });
    }
    expect((await browser.get(toSignIn('https://evil.example/api/oauth/authorize'))).html).not.toMatch(SENTENCE);
  });
});
