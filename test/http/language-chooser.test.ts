import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthorizationRequest, openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, parseForm } from '../support/browser-client.js';
import { createAccount, registerApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

describe('The language chooser', () => {
  let server: TestServer;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    browser = new BrowserClient(server);
  });

  const choose = (language: string, returnTo = '/'): ReturnType<BrowserClient['post']> =>
    browser.post('/language', { language, return_to: returnTo });
  const readLanguage = async (path: string): Promise<string> =>
    /<html lang="(\w+)"/.exec((await browser.get(path)).html)![1]!;

  it('returns to the page and remembers the language in this browser', async () => {
    const { status, location, headers } = await choose('pt', '/sign-in?return_to=%2Faccount');
    expect({ status, location }).toEqual({ status: 303, location: '/sign-in?return_to=%2Faccount' });
    expect(headers.get('set-cookie')).toMatch(
      /^language=pt; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await readLanguage('/sign-up')).toBe('pt');
    expect(await readLanguage('/nothing/here')).toBe('pt');
  });

  it('wins over ui_locales and marks the shown language', async () => {
    const { location } = await choose('de', '/sign-in?ui_locales=fr&login_hint=mila');
    expect(location).toBe('/sign-in?login_hint=mila');
    const { html } = await browser.get('/sign-in?ui_locales=fr');
    expect(html).toContain('<html lang="de"');
    expect([...html.matchAll(/value="(\w+)" lang="\w+" aria-current="true"/g)].map(([, value]) => value)).toEqual([
      'de',
    ]);
  });

  it('keeps an authorization request', async () => {
    const app = await registerApp(server);
    browser = await openSignedInBrowser(server, await createAccount(server));
    const { path } = createAuthorizationRequest(app);
    const { location } = await choose('es', path);
    expect(new URL(location!, 'https://map.example.org').search).toBe(new URL(path, 'https://map.example.org').search);
    expect((await browser.get(location!)).html).toContain('<html lang="es"');
  });

  it('gives way to the language that the person saves in the profile', async () => {
    browser = await openSignedInBrowser(server, await createAccount(server, { name: 'Mila' }));
    await choose('de', '/account/profile');
    const saved = await browser.postMultipart('/account/profile', { name: 'Mila', language: 'fr' });
    expect(saved.headers.get('set-cookie')).toMatch(/^language=; Max-Age=0;/);
    expect(await readLanguage('/account')).toBe('fr');
  });

  it.each(['', 'it', 'constructor', 'EN', 'de,en'])('rejects the language %j', async (language) => {
    const { status, headers } = await choose(language);
    expect({ status, cookie: headers.get('set-cookie') }).toEqual({ status: 400, cookie: null });
  });

  it.each([
    '',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
  ])('returns to the home page instead of %j', async (returnTo) => {
    expect((await choose('en', returnTo)).location).toBe('/');
  });

  it('ignores an unknown language in the cookie', async () => {
    const response = await fetch(`${server.url}/sign-in`, { headers: { Cookie: 'language=xx' } });
    expect(await response.text()).toContain('<html lang="en"');
  });

  it('leads from a page that responds to a form back to the page of the form', async () => {
    const page = 'https://map.example.org/sign-up?return_to=%2Faccount';
    const failed = await browser.post('/sign-up', { username: 'mila' }, { Referer: page });
    expect(failed.status).toBe(422);
    const { values } = parseForm(failed, '/language');
    expect((await choose('de', values['return_to'] as string)).location).toBe('/sign-up?return_to=%2Faccount');
  });

  it('is absent on a page that responds to a form of an unknown page', async () => {
    const failed = await browser.post('/sign-in', { username: 'mila', password: 'wrong horse' });
    expect(failed.html).not.toContain('action="/language"');
    expect((await browser.get('/sign-in')).html).toContain('action="/language"');
  });
});

describe('The language chooser below a path', () => {
  it('stays below the path of BASE_URL', async () => {
    const server = await TestServer.start({ BASE_URL: 'https://example.org/map' });
    try {
      const browser = new BrowserClient(server);
      const choose = async (returnTo: string): Promise<string | null> =>
        (await browser.post('/map/language', { language: 'fr', return_to: returnTo })).location;
      expect(await choose('/map/sign-up')).toBe('/map/sign-up');
      expect(await choose('/other')).toBe('/map/');
      expect((await browser.get('/map/sign-up')).html).toContain('<html lang="fr"');
    } finally {
      await server.stop();
    }
  });
});
