import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { createAuthorizationRequest, authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { CROSS_SITE_FORM_PATHS, listPagePaths } from '../support/page-paths.js';
import { TestServer } from '../support/test-server.js';
import type { PageResponse, BrowserClient } from '../support/browser-client.js';

/** The headers of old and new browsers for a form from another site. */
const CROSS_SITE_HEADERS: Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example.org' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'https://map.example.org.evil.example' },
];

/** The script that adds buttons to show passwords and to copy values. */
const BUTTONS_SCRIPT_TAG = /^<script src="\/assets\/enhance\.js" defer( data-\w+="[^"]*")+>$/;
const BUTTONS_SCRIPT = /<script src="\/assets\/enhance\.js" defer( data-\w+="[^"]*")+><\/script>/;

const SCRIPTED_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

describe('Pages', () => {
  let server: TestServer;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    const account = await createAccount(server);
    browser = await openSignedInBrowser(server, account);
    app = await registerApp(server, { ownerId: account.id });
    await authorizeApp(server, app, browser);
  });

  const pages = (method: string): string[] => listPagePaths(server, method, app.app.id);
  const everything = async (): Promise<unknown> => ({
    sessions: await server.entityManager.count(Session),
    authorizations: await server.entityManager.findBy(Authorization, { appId: app.app.id }),
    app: await server.entityManager.findOneByOrFail(App, { id: app.app.id }),
    apps: await server.entityManager.count(App),
  });

  it('reject a form from another site', async () => {
    const forms = pages('POST').filter((path) => !CROSS_SITE_FORM_PATHS.includes(path));
    expect(forms.length).toBeGreaterThanOrEqual(9);
    const before = await everything();
    for (const path of forms) {
      for (const headers of CROSS_SITE_HEADERS) {
        const { status } = await browser.post(path, { decision: 'allow', what: app.app.id, name: 'Evil' }, headers);
        expect({ path, headers, status }).toEqual({ path, headers, status: 403 });
      }
    }
    expect(await everything()).toEqual(before);
  });

  it('show what went wrong, also at an unknown path', async () => {
    const foreign = await browser.post('/sign-out', {}, CROSS_SITE_HEADERS[0]);
    expect(foreign.html).toContain('came from another site');
    const nothing = await browser.get('/nothing/here?ui_locales=es');
    expect(nothing.status).toBe(404);
    expect(nothing.html).toContain('lang="es"');
    expect(nothing.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('accept their own forms, also when the browser sends only the origin', async () => {
    const own: Record<string, string>[] = [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: 'https://map.example.org' }];
    for (const headers of own) {
      const { status } = await browser.post(`/developer/apps/${app.app.id}/disable`, {}, headers);
      expect(status).toBe(303);
    }
  });

  it('cannot be framed, run only known scripts, load nothing from other sites, and are not cached', async () => {
    const withScripts = ['/docs', '/docs/oauth2-redirect.html', '/sign-in', '/account/passkeys'];
    const still = pages('GET').filter((path) => !withScripts.includes(path));
    expect(still.length).toBe(pages('GET').length - withScripts.length);
    for (const path of [
      ...still,
      createAuthorizationRequest(app, { prompt: 'consent' }).path,
      '/api/oauth/authorize',
    ]) {
      const { headers, html, location } = await browser.get(path);
      // Documents are the same for every reader, except for the navigation.
      const cache = path.startsWith('/docs/') ? 'private, no-cache' : 'no-store';
      expect({ path, cache: headers.get('cache-control') }).toEqual({ path, cache });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      if (location !== null) continue;
      const policy = headers.get('content-security-policy')!;
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "style-src 'self'"]) {
        expect({ path, policy: policy.split('; ') }).toEqual({ path, policy: expect.arrayContaining([rule]) });
      }
      expect({ path, policy }).toEqual({
        path,
        policy: expect.not.stringMatching(/unsafe|(default|style|img|script)-src[^;]*(\*|https?:)/),
      });
      const rest = html.replace(BUTTONS_SCRIPT, '');
      expect({ path, script: /<script|<style| style=| on\w+="/i.exec(rest)?.[0] }).toEqual({ path });
      const allowsScripts = policy.includes('script-src');
      expect({ path, allowsScripts }).toEqual({ path, allowsScripts: html !== rest });
    }
  });

  it('of the API reference run only their own scripts and call only their own server', async () => {
    const scriptsByPath = {
      '/docs': ['/assets/enhance.js', '/docs/assets/reference.js'],
      '/docs/oauth2-redirect.html': ['/docs/assets/oauth-redirect.js'],
    };
    for (const [path, scripts] of Object.entries(scriptsByPath)) {
      const { headers, html } = await browser.get(path);
      expect(headers.get('content-security-policy')).toBe(SCRIPTED_PAGE_POLICY);
      const sources = [...html.matchAll(/<script src="([^"]*)" defer/g)].map(([, source]) => source);
      expect({ path, sources }).toEqual({ path, sources: scripts });
      expect(html.match(/<script/g)).toHaveLength(scripts.length);
      expect({ path, inline: /<style| style=| on\w+="/i.exec(html)?.[0] }).toEqual({ path });
    }
    for (const name of ['reference.js', 'reference.css', 'oauth-redirect.js']) {
      const { status, headers } = await browser.get(`/docs/assets/${name}`);
      expect({ name, status, cache: headers.get('cache-control') }).toEqual({
        name,
        status: 200,
        cache: 'public, max-age=3600',
      });
    }
    for (const name of ['constructor', 'package.json', '..%2Fdocs.page.js', 'reference.js.map'])
      expect({ name, status: (await browser.get(`/docs/assets/${name}`)).status }).toEqual({ name, status: 404 });
  });

  it('with passkeys run only the scripts for them and for buttons, and call only their own server', async () => {
    const responses: [path: string, response: PageResponse][] = [
      ['/sign-in', await browser.get('/sign-in')],
      ['/sign-in', await browser.post('/sign-in', { username: 'mila', password: 'wrong horse' })],
      ['/sign-in/passkey', await browser.post('/sign-in/passkey', { credential: '{}' })],
      ['/account/passkeys', await browser.get('/account/passkeys')],
      ['/account/passkeys', await browser.post('/account/passkeys', { name: '' })],
      ['/account/passkeys', await browser.post('/account/passkeys', { name: 'Phone' })],
    ];
    for (const [path, { headers, html }] of responses) {
      const found = { path, policy: headers.get('content-security-policy'), cache: headers.get('cache-control') };
      expect(found).toEqual({ path, policy: SCRIPTED_PAGE_POLICY, cache: 'no-store' });
      const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
      expect(scripts).toEqual([expect.stringMatching(BUTTONS_SCRIPT_TAG), '<script src="/assets/passkeys.js" defer>']);
      expect({ path, inline: /<style| style=| on\w+="/i.exec(html)?.[0] }).toEqual({ path });
    }
    const { status, headers } = await browser.get('/assets/passkeys.js');
    expect({ status, type: headers.get('content-type'), cache: headers.get('cache-control') }).toEqual({
      status: 200,
      type: 'text/javascript; charset=utf-8',
      cache: 'public, max-age=3600',
    });
  });

  it.each([
    ['style.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
    ['mural.svg', 'image/svg+xml'],
    ['display.woff2', 'font/woff2'],
    ['display-license.txt', 'text/plain; charset=utf-8'],
  ])('load %s from this service', async (name, type) => {
    const { status, headers, html } = await browser.get(`/assets/${name}`);
    const cache = headers.get('cache-control');
    expect({ status, type: headers.get('content-type'), cache }).toEqual({
      status: 200,
      type,
      cache: 'public, max-age=3600',
    });
    expect(html.length).toBeGreaterThan(100);
  });

  it('allow the redirect origin of the app in form-action, and no other', async () => {
    const consent = await browser.get(createAuthorizationRequest(app, { prompt: 'consent' }).path);
    const formAction = ({ headers }: PageResponse): string =>
      /form-action ([^;]*)/.exec(headers.get('content-security-policy')!)![1]!;
    expect(formAction(consent)).toBe("'self' https://app.example.org https:");
    const { path } = createAuthorizationRequest(app, { prompt: 'login' });
    expect(formAction(await browser.get((await browser.get(path)).location!))).toBe(
      "'self' https://app.example.org https:",
    );
    const redirectUris = ['http://127.0.0.1/callback', 'http://[::1]/', 'com.example.app:/cb'];
    const local = await registerApp(server, { clientType: 'public', redirectUris });
    const sources = async (redirect_uri: string): Promise<string> =>
      formAction(await browser.get(createAuthorizationRequest(local, { redirect_uri }).path));
    expect(await sources('http://127.0.0.1:5000/callback')).toBe(
      "'self' http://127.0.0.1:5000 http://localhost:* http://127.0.0.1:* https:",
    );
    expect(await sources('http://[::1]:5000/')).toBe("'self' http: http://localhost:* http://127.0.0.1:* https:");
    expect(await sources('com.example.app:/cb')).toBe("'self' com.example.app:");
    expect(formAction(await browser.get('/sign-in'))).toBe("'self'");
    const otherApp = new URLSearchParams({ return_to: '/api/oauth/authorize?redirect_uri=https://a;script-src%20*' });
    expect(formAction(await browser.get(`/sign-in?${otherApp}`))).toBe("'self'");
  });

  it('require HTTPS with Strict-Transport-Security on HTTPS', async () => {
    const { headers } = await browser.get('/');
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/);
  });

  it('can be opened by an app in a window that waits for the response', async () => {
    expect(
      (await browser.get(createAuthorizationRequest(app).path)).headers.get('cross-origin-opener-policy'),
    ).toBeNull();
  });

  it('escape text of accounts and apps', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const owner = await createAccount(server, { name: evil });
    const own = await openSignedInBrowser(server, owner);
    const bad = await registerApp(server, { name: evil, description: evil, ownerId: owner.id });
    await authorizeApp(server, bad, own);
    for (const path of [
      createAuthorizationRequest(bad, { prompt: 'consent' }).path,
      '/account/apps',
      '/developer/apps',
      `/developer/apps/${bad.app.id}`,
      `/sign-in?${new URLSearchParams({ login_hint: evil, return_to: evil, ui_locales: evil })}`,
    ]) {
      const { html } = await own.get(path);
      expect({ path, raw: html.includes('<img src=x') }).toEqual({ path, raw: false });
    }
    const { html } = await own.post('/developer/apps', {
      name: evil,
      redirectUris: evil,
      scopes: evil,
      description: evil,
    });
    expect(html).not.toContain('<img src=x');
  });

  it('ignore a spoofed Host', async () => {
    const lastResponse = await new Promise<string>((resolve, reject) => {
      const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' };
      request(server.url + createAuthorizationRequest(app, { scope: '' }).path, { headers }, (response) => {
        let text = JSON.stringify(response.headers);
        response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    expect(lastResponse).not.toContain('evil');
    expect(lastResponse).toContain('iss=https%3A%2F%2Fmap.example.org');
  });
});
