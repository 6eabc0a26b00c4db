import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount, registerApp, createMarker, type TestApp } from '../support/factories.js';
import { BrowserPage } from '../support/browser-page.js';

describe('API reference', () => {
  let environment: BrowserEnvironment;
  let browser: BrowserPage;
  let mila: Account;
  let client: TestApp;

  beforeAll(async () => {
    environment = await BrowserEnvironment.start();
    client = await registerApp(environment.server, { redirectUris: [`${environment.url}/docs/oauth2-redirect.html`] });
  });
  beforeEach(async () => {
    mila = await createAccount(environment.server);
    browser = await environment.openPage();
    await browser.goto('/');
    await browser.clickLink('API reference');
    await browser.page.locator('.opblock').first().waitFor();
  });
  afterEach(() => environment.closePages());
  afterAll(() => environment.stop());

  /** Fills in the authorization dialog of the reference, and opens the authorization window. */
  const authorize = async (secret = client.credentials.client_secret): Promise<BrowserPage> => {
    const { page } = browser;
    await page.locator('.auth-wrapper .authorize').first().click();
    const dialog = page.locator('.auth-container', { hasText: 'oauth2' });
    await dialog.getByLabel('client_id').fill(client.credentials.client_id);
    await dialog.getByLabel('client_secret').fill(secret);
    await dialog.locator('label[for^="markers:read"]').click();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
    ]);
    return new BrowserPage(popup, [environment.url]);
  };
  const closed = (window: BrowserPage): Promise<unknown> =>
    window.page.isClosed() ? Promise.resolve() : window.page.waitForEvent('close');

  it('shows every operation, the redirect URI, and a link to the registration of an app', async () => {
    const { paths } = (await environment.server.request('GET', '/api/openapi.json')).body;
    const operations = Object.values(paths).flatMap((item) => Object.keys(item as object));
    expect(await browser.page.locator('.opblock').count()).toBe(operations.length);
    expect(await browser.page.locator('#main').innerText()).toContain(`${environment.url}/docs/oauth2-redirect.html`);
    await browser.clickLink('Register an app');
    expect(browser.path).toBe('/sign-in');
  });

  it('authorizes with PKCE, and sends a protected request', async () => {
    const { page } = browser;
    const marker = await createMarker(environment.server, { title: 'Echo Wall' });
    const window = await authorize();
    await window.page.waitForURL('**/sign-in?**');
    await window.signIn(mila);
    expect(new URL(window.page.url()).searchParams.get('code_challenge_method')).toBe('S256');
    await Promise.all([closed(window), window.button('Allow').click({ noWaitAfter: true })]);
    expect(window.violations).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).last().click();

    const operation = page.locator('#operations-Markers-getMarker');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.locator('[data-param-name="id"] input').fill(marker.id);
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith(`/api/markers/${marker.id}`)),
      operation.getByRole('button', { name: 'Execute' }).click(),
    ]);
    expect(response.status()).toBe(200);
    await operation.locator('.live-responses-table').getByText('Echo Wall').first().waitFor();
  });

  it('shows an error for a wrong secret, and gets no token', async () => {
    const window = await authorize('wrong');
    await window.signIn(mila);
    await Promise.all([closed(window), window.button('Allow').click({ noWaitAfter: true })]);
    await browser.page.locator('.auth-container .errors').getByText('Auth Error').waitFor();
    expect(await browser.page.locator('.auth-wrapper .authorize.locked').count()).toBe(0);
  });

  it('stores nothing in the browser', async () => {
    const window = await authorize();
    await window.signIn(mila);
    await Promise.all([closed(window), window.button('Allow').click({ noWaitAfter: true })]);
    const stored = await browser.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).toBe('[{},{}]');
    await browser.page.reload();
    await browser.page.locator('.auth-wrapper .authorize.unlocked').first().waitFor();
  });

  it('fits a phone', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('#operations-Edits-suggestEdit .opblock-summary-control').click();
    await page.locator('#operations-Edits-suggestEdit .responses-table').waitFor();
    const [scrolls, shows] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(scrolls).toBe(shows);
  });
});
