import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount, registerApp, createMarker, type TestApp } from '../support/factories.js';
import { BrowserPage } from '../support/browser-page.js';

describe('The API reference', () => {
  let chromium: BrowserEnvironment;
  let person: BrowserPage;
  let mila: Account;
  let client: TestApp;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
    client = await registerApp(chromium.server, { redirectUris: [`${chromium.url}/docs/oauth2-redirect.html`] });
  });
  beforeEach(async () => {
    mila = await createAccount(chromium.server);
    person = await chromium.openPage();
    await person.goto('/');
    await person.clickLink('API reference');
    await person.page.locator('.opblock').first().waitFor();
  });
  afterEach(() => chromium.closePages());
  afterAll(() => chromium.stop());

  /** Fills in what the reference asks of an app, and opens the window in which the person is asked. */
  const authorize = async (secret = client.credentials.client_secret): Promise<BrowserPage> => {
    const { page } = person;
    await page.locator('.auth-wrapper .authorize').first().click();
    const dialog = page.locator('.auth-container', { hasText: 'oauth2' });
    await dialog.getByLabel('client_id').fill(client.credentials.client_id);
    await dialog.getByLabel('client_secret').fill(secret);
    await dialog.locator('label[for^="markers:read"]').click();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
    ]);
    return new BrowserPage(popup, [chromium.url]);
  };
  const closed = (window: BrowserPage): Promise<unknown> =>
    window.page.isClosed() ? Promise.resolve() : window.page.waitForEvent('close');

  it('shows every operation, says where an app must come back to, and where to register one', async () => {
    const { paths } = (await chromium.server.request('GET', '/api/openapi.json')).body;
    const operations = Object.values(paths).flatMap((item) => Object.keys(item as object));
    expect(await person.page.locator('.opblock').count()).toBe(operations.length);
    expect(await person.page.locator('#main').innerText()).toContain(`${chromium.url}/docs/oauth2-redirect.html`);
    await person.clickLink('Register an app');
    expect(person.path).toBe('/sign-in');
  });

  it('lets a developer authorize with PKCE, and try a guarded call', async () => {
    const { page } = person;
    const marker = await createMarker(chromium.server, { title: 'Echo Wall' });
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

  it('says so where the secret is wrong, and has no token', async () => {
    const window = await authorize('wrong');
    await window.signIn(mila);
    await Promise.all([closed(window), window.button('Allow').click({ noWaitAfter: true })]);
    await person.page.locator('.auth-container .errors').getByText('Auth Error').waitFor();
    expect(await person.page.locator('.auth-wrapper .authorize.locked').count()).toBe(0);
  });

  it('keeps nothing when it is left', async () => {
    const window = await authorize();
    await window.signIn(mila);
    await Promise.all([closed(window), window.button('Allow').click({ noWaitAfter: true })]);
    const kept = await person.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).toBe('[{},{}]');
    await person.page.reload();
    await person.page.locator('.auth-wrapper .authorize.unlocked').first().waitFor();
  });

  it('fits a phone', async () => {
    const { page } = person;
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
