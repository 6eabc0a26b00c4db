import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount, createMarker, registerApp, type TestApp } from '../support/factories.js';
import { BrowserPage } from '../support/browser-page.js';

describe('API reference', () => {
  let environment: BrowserEnvironment;
  let browser: BrowserPage;
  let mila: Account;
  let client: TestApp;
  let publicClient: TestApp;

  beforeAll(async () => {
    environment = await BrowserEnvironment.start();
    const redirectUris = [`${environment.url}/docs/oauth2-redirect.html`];
    client = await registerApp(environment.server, { redirectUris });
    publicClient = await registerApp(environment.server, { redirectUris, clientType: 'public' });
  });
  beforeEach(async () => {
    mila = await createAccount(environment.server);
    browser = await environment.openPage();
    await browser.goto('/');
    await browser.clickLink('API reference');
  });
  afterEach(() => environment.closePages());
  afterAll(() => environment.stop());

  const operation = (id: string): Locator => browser.page.locator(`#${id}`);
  const status = (): Locator => browser.page.locator('#access-token-form .result');
  /** Fills in the form of the access token, and opens the authorization window. */
  const startAuthorization = async (id: string, secret = ''): Promise<BrowserPage> => {
    const { page } = browser;
    await page.getByText('Access token', { exact: true }).click();
    await browser.fillFields({ 'Client ID': id, 'Client secret': secret });
    await page.getByLabel('markers:read').check();
    const [popup] = await Promise.all([page.waitForEvent('popup'), browser.button('Authorize').click()]);
    await popup.waitForURL('**/sign-in?**');
    return new BrowserPage(popup, [environment.url]);
  };
  const allow = async (window: BrowserPage): Promise<void> => {
    await window.signIn(mila);
    const closed = window.page.waitForEvent('close');
    await window.button('Allow').click({ noWaitAfter: true });
    await closed;
    expect(window.violations).toEqual([]);
  };
  const authorize = async ({ client_id, client_secret }: TestApp['credentials']): Promise<void> =>
    allow(await startAuthorization(client_id, client_secret));
  const send = async (id: string): Promise<string> => {
    const form = operation(id).locator('form');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.result p').filter({ hasText: 'ms' }).waitFor();
    return form.locator('.result').innerText();
  };

  it('shows every operation, the redirect URI, and a link to the registration of an app', async () => {
    const { paths } = (await environment.server.request('GET', '/api/openapi.json')).body;
    const operations = Object.values(paths).flatMap((item) => Object.values(item as object));
    for (const { operationId } of operations as { operationId: string }[]) {
      expect(await operation(operationId).locator('summary').count()).toBe(1);
    }
    await browser.page.getByText('Access token', { exact: true }).click();
    expect(await browser.page.locator('#main').innerText()).toContain(`${environment.url}/docs/oauth2-redirect.html`);
    await browser.clickLink('Register an app');
    expect(browser.path).toBe('/sign-in');
  });

  it('authorizes with PKCE, and sends a protected request', async () => {
    const marker = await createMarker(environment.server, { title: 'Echo Wall' });
    const { client_id, client_secret } = client.credentials;
    const window = await startAuthorization(client_id, client_secret);
    expect(decodeURIComponent(window.page.url())).toContain('code_challenge_method=S256');
    await allow(window);
    await status().getByText('This page has a token for: markers:read').waitFor();
    await operation('getMarker').locator('summary').click();
    await operation('getMarker').getByLabel('id', { exact: true }).fill(marker.id);
    const result = await send('getMarker');
    expect(result).toMatch(/^200/);
    expect(result).toContain('"title": "Echo Wall"');
  });

  it('authorizes an app without a secret', async () => {
    await authorize({ ...publicClient.credentials, client_secret: '' });
    await status().getByText('This page has a token for: markers:read').waitFor();
  });

  it('sends the body, and shows the error of a request without a token', async () => {
    await operation('createCollection').locator('summary').click();
    const result = await send('createCollection');
    expect(result).toMatch(/^401/);
    expect(result).toContain('"error"');
  });

  it('sends the query', async () => {
    await authorize(client.credentials);
    await status().getByText('This page has a token for: markers:read').waitFor();
    await operation('listMarkers').locator('summary').click();
    await operation('listMarkers').locator('form').getByLabel('limit', { exact: true }).fill('0');
    const result = await send('listMarkers');
    expect(result).toMatch(/^400/);
    expect(result).toContain('limit');
  });

  it('shows an error for a wrong secret, and gets no token', async () => {
    await authorize({ ...client.credentials, client_secret: 'wrong' });
    await status().getByText('The app got no token').waitFor();
    await operation('listMarkers').locator('summary').click();
    expect(await send('listMarkers')).toMatch(/^401/);
  });

  it('shows that the person denied the access', async () => {
    const window = await startAuthorization(client.credentials.client_id, client.credentials.client_secret);
    await window.signIn(mila);
    await window.button('Deny').click({ noWaitAfter: true });
    await status().getByText('The app got no token').waitFor();
  });

  it('says that the window was closed', async () => {
    const window = await startAuthorization(client.credentials.client_id, client.credentials.client_secret);
    await window.page.close();
    await status().getByText('The window was closed or blocked.').waitFor();
  });

  it('leaves no sign-in that can be renewed', async () => {
    await authorize(client.credentials);
    await status().getByText('This page has a token').waitFor();
    await browser.goto('/account/apps');
    expect(await browser.text()).toContain('Not connected now');
  });

  it('sends a form with the token in its body', async () => {
    await authorize(client.credentials);
    await status().getByText('This page has a token').waitFor();
    await operation('postUserinfo').locator('summary').click();
    expect(await send('postUserinfo')).toMatch(/^401/);
  });

  it('keeps the secret out of the address, also after a wrong hash', async () => {
    await browser.goto('/docs#%');
    await browser.page.getByText('Access token', { exact: true }).click();
    await browser.fillFields({ 'Client ID': 'app_unknown', 'Client secret': 'secret' });
    await Promise.all([browser.page.waitForEvent('popup'), browser.button('Authorize').click()]);
    expect(browser.page.url()).not.toContain('secret');
  });

  it('ignores a response with another state', async () => {
    const window = await startAuthorization(client.credentials.client_id, client.credentials.client_secret);
    await window.page
      .goto(`${environment.url}/docs/oauth2-redirect.html?code=stolen&state=other`)
      .catch(() => undefined);
    await status().getByText('The app got no token').waitFor();
  });

  it('stores nothing in the browser', async () => {
    await authorize(client.credentials);
    await status().getByText('This page has a token').waitFor();
    const stored = await browser.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).toBe('[{},{}]');
    await browser.page.reload();
    await operation('listMarkers').locator('summary').click();
    expect(await send('listMarkers')).toMatch(/^401/);
  });

  it('shows results while the person types, and opens the chosen operation', async () => {
    const { page } = browser;
    const search = page.getByLabel('Search operations, parameters, errors and documents');
    const results = page.locator('#results a');
    const message = page.locator('[role=status]#matches');
    await search.pressSequentially('refresh token');
    await message.filter({ hasText: 'Matches: ' }).waitFor();
    expect(await results.first().innerText()).toBe('POST /api/oauth/token');
    await search.fill('graffitology');
    await message.filter({ hasText: 'Nothing was found. Try another word.' }).waitFor();
    expect(await results.count()).toBe(0);
    await search.fill('listMyEdits');
    await results.first().click();
    await operation('listMyEdits').getByText('Returns the edits').first().waitFor();
    await search.fill('');
    await message.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    expect(await results.count()).toBe(0);
  });

  it('lists the tags of the operations in view, also on a phone', async () => {
    for (const size of [
      { width: 390, height: 844 },
      { width: 1300, height: 844 },
    ]) {
      await browser.page.setViewportSize(size);
      const operations = browser.page.getByRole('navigation', { name: 'Operations' });
      const { y, height } = (await operations.boundingBox())!;
      expect(y + height).toBeLessThan(size.height);
      await operations.getByRole('link', { name: 'Edits' }).click();
      expect(new URL(browser.page.url()).hash).toBe('#edits');
      await browser.page.goto(`${environment.url}/docs`);
    }
  });

  it('shows the client secret by a button with its name', async () => {
    await browser.page.getByText('Access token', { exact: true }).click();
    await browser.button('Show client secret').click();
    expect(await browser.page.getByLabel('Client secret', { exact: true }).getAttribute('type')).toBe('text');
    expect(await browser.button('Hide client secret').count()).toBe(1);
  });

  it('opens an operation and an object by their addresses', async () => {
    await browser.goto('/docs#getMarker');
    await operation('getMarker').getByText('Id of the marker.').waitFor();
    await operation('getMarker').getByRole('link', { name: 'Marker', exact: true }).click();
    await operation('object-Marker').getByText('Condition.').waitFor();
    await browser.goto('/docs#authorize');
    await operation('authorize').getByText('code_challenge_method').first().waitFor();
  });

  it('can be read and searched without scripts', async () => {
    const still = await environment.openPage({ javaScriptEnabled: false });
    await still.goto('/docs');
    await still.page.locator('#getMarker summary').click();
    const text = await still.text();
    expect(text).toContain('Id of the marker.');
    expect(text).toContain('Without JavaScript you can read and search this page');
    for (const name of ['Send', 'Authorize']) expect(await still.button(name).count()).toBe(0);
    await still.page.locator('#search').fill('getMarker');
    await still.button('Search').click();
    await still.clickLink('GET /api/markers/{id}');
    expect(new URL(still.page.url()).hash).toBe('#getMarker');
  });

  it('fits a phone', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 320, height: 740 });
    for (const details of await page.locator('details').all()) {
      await details.evaluate((element) => element.setAttribute('open', ''));
    }
    const [scrolls, shows] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(scrolls).toBe(shows);
  });
});
