import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';

const REDIRECT_URI = 'https://walk.example/callback';

describe('Developer pages', () => {
  let environment: BrowserEnvironment;
  let browser: BrowserPage;
  let appName: string;

  beforeAll(async () => {
    environment = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    browser = await environment.openPage();
    await browser.goto('/developer/apps');
    const developer = await createAccount(environment.server);
    appName = `Mural Walk of ${developer.username}`;
    await browser.signIn(developer);
  });
  afterEach(() => environment.closePages());
  afterAll(() => environment.stop());

  /** Returns the client id and, if it is shown, the secret. */
  const readSecrets = (): Promise<string[]> => browser.page.locator('.secret').allInnerTexts();

  /** Registers an app. @returns its id and secret */
  const register = async (): Promise<[id: string, secret: string]> => {
    await browser.goto('/developer/apps/new');
    await browser.fillFields({ Name: appName, 'Redirect URIs': REDIRECT_URI });
    await browser.clickButton('Register');
    return (await readSecrets()) as [string, string];
  };

  /** Exchanges an unknown code: the error shows whether the secret is valid. */
  const fetchError = async (client_id: string, client_secret: string): Promise<string> => {
    const request = { code: 'none', redirect_uri: REDIRECT_URI, code_verifier: 'v'.repeat(43) };
    const body = { grant_type: 'authorization_code', ...request, client_id, client_secret };
    return (await environment.server.request('POST', '/api/oauth/token', { body })).body.error as string;
  };

  it('show each error of a new app beside its field, keep the other fields, and then register the app', async () => {
    expect(await browser.text()).toContain('You have not registered an app yet.');
    await browser.clickLink('Register an app');
    await browser.page.getByText('More settings').click();
    await browser.fillFields({
      Name: appName,
      'Home page (optional)': 'walk.example',
      'Redirect URIs': 'http://walk.example/',
    });
    for (const scope of ['openid', 'profile']) await browser.checkbox(scope).uncheck();
    await browser.checkbox('edits:read is required').check();
    await browser.clickButton('Register');
    expect(await browser.page.locator('.field-error').allInnerTexts()).toEqual([
      'http://walk.example/ must use https. Only 127.0.0.1, [::1] and localhost can use http.',
      'Choose at least one scope.',
      'Enter an address that starts with https://.',
    ]);
    expect(await browser.page.getByLabel('Name', { exact: true }).inputValue()).toBe(appName);
    expect(await browser.checkbox('edits:read is required').isChecked()).toBe(true);

    await browser.fillFields({
      'Home page (optional)': 'https://walk.example/',
      'Redirect URIs': `${REDIRECT_URI}\nhttp://[::1]/cb`,
    });
    for (const scope of ['openid', 'edits:read']) await browser.checkbox(scope).check();
    await browser.clickButton('Register');
    expect(await browser.page.getByRole('status').innerText()).toBe('Your app is registered.');
    await browser.clickLink('Settings');
    expect(await browser.page.getByLabel('Redirect URIs').inputValue()).toBe(`${REDIRECT_URI}\nhttp://[::1]/cb`);
    const ticked = browser.page.locator('input:checked');
    expect(await ticked.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')))).toEqual([
      'openid',
      'edits:read',
      'edits:read',
    ]);
  });

  it('show a secret once', async () => {
    const [id, secret] = await register();
    expect(await fetchError(id, secret)).toBe('invalid_grant');
    for (const go of [
      () => browser.clickLink('Settings'),
      () => browser.clickLink('Your apps'),
      () => browser.clickLink(appName),
    ]) {
      await go();
      expect(await browser.page.content()).not.toContain(secret);
    }
    expect(await readSecrets()).toEqual([id]);
  });

  it('create a new secret, and reject the old one', async () => {
    const [id, old] = await register();
    await browser.clickLink('Settings');
    await browser.clickLink('Replace the secret');
    await browser.clickLink('Keep the current secret');
    expect(await fetchError(id, old)).toBe('invalid_grant');
    await browser.clickLink('Replace the secret');
    await browser.clickButton('Replace the secret');
    const [, newSecret] = (await readSecrets()) as [string, string];
    expect([await fetchError(id, old), await fetchError(id, newSecret)]).toEqual(['invalid_client', 'invalid_grant']);
  });

  it('keep the old secret for the chosen time, and say until when', async () => {
    const [id, old] = await register();
    await browser.clickLink('Settings');
    await browser.clickLink('Replace the secret');
    const time = browser.page.getByLabel('How long the old secret keeps working');
    expect(await time.locator('option').allInnerTexts()).toEqual([
      'It stops working at once',
      '1 hour',
      '24 hours',
      '7 days',
    ]);
    await time.focus();
    await browser.page.keyboard.type('24');
    await browser.clickButton('Replace the secret');
    expect(await browser.text()).toMatch(/The previous secret works until .* UTC\./);
    const [, newSecret] = (await readSecrets()) as [string, string];
    expect([await fetchError(id, old), await fetchError(id, newSecret)]).toEqual(['invalid_grant', 'invalid_grant']);
    await browser.clickLink('Settings');
    expect(await browser.text()).toMatch(/The previous secret works until .* UTC\./);
  });

  it('switch the PKCE requirement off with a warning', async () => {
    await register();
    await browser.clickLink('Settings');
    const box = browser.page.getByRole('checkbox', { name: 'This app’s OAuth library does not support PKCE' });
    expect(await box.isChecked()).toBe(false);
    const describedBy = await box.getAttribute('aria-describedby');
    expect(await browser.page.locator(`#${describedBy}`).innerText()).toContain('inject it into their own session');
    await box.focus();
    await browser.page.keyboard.press('Space');
    await browser.clickButton('Save');
    expect(await box.isChecked()).toBe(true);
  });

  it('list failed calls by rule above the settings, and the older ones on request', async () => {
    const [id] = await register();
    for (const path of ['a', 'b', 'c']) {
      await browser.goto(`/api/oauth/authorize?client_id=${id}&redirect_uri=https://walk.example/${path}`);
    }
    await browser.goto(`/developer/apps/${id}`);
    const values = (term: string): Promise<string[]> =>
      browser.page.locator(`dt:text-is("${term}") + dd li`).allInnerTexts();
    expect(await values('Registered')).toEqual([REDIRECT_URI]);
    expect(await values('Sent')).toEqual(['c', 'b', 'a'].map((path) => `https://walk.example/${path}`));
    expect(await browser.text()).toMatch(/3 times since .* UTC/);
    const top = async (name: string): Promise<number> =>
      (await browser.page.locator(`h2:text-is("${name}"), label:text-is("${name}")`).boundingBox())!.y;
    expect(await top('Failed API calls')).toBeLessThan(await top('Redirect URIs'));
    expect(await browser.page.getByText('Show older failures').count()).toBe(0);

    const failedCalls = environment.server.get(FailedCallsService);
    for (let count = 0; count < 12; count++) {
      failedCalls.record(id, { endpoint: `GET /api/${count}`, errorCode: 'invalid_request', reason: 'A rule.' });
    }
    await browser.goto(`/developer/apps/${id}`);
    await browser.page.getByText('Show older failures: 3', { exact: true }).focus();
    expect(await browser.page.locator('ol.event-list > li:visible').count()).toBe(10);
    await browser.page.keyboard.press('Enter');
    expect(await browser.page.locator('ol.event-list > li:visible').count()).toBe(13);
  });

  it('apply changed redirect URIs at once', async () => {
    const [id] = await register();
    await browser.clickLink('Settings');
    await browser.fillFields({ 'Redirect URIs': 'https://walk.example/other' });
    await browser.clickButton('Save');
    expect(await browser.page.getByRole('status').innerText()).toBe('Your changes are saved.');
    await browser.goto(`/api/oauth/authorize?client_id=${id}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`);
    expect(await browser.text()).toContain('an address that is not registered');
  });

  it('keep the stored settings when a change is rejected', async () => {
    const [id] = await register();
    await browser.clickLink('Settings');
    await browser.fillFields({ Name: 'Better Walk', 'Redirect URIs': '' });
    await browser.clickButton('Save');
    expect(await browser.page.locator('.field-error').allInnerTexts()).toEqual(['Enter at least one redirect URI.']);
    await browser.goto(`/developer/apps/${id}`);
    expect(await browser.heading()).toBe(appName);
    expect(await browser.page.getByLabel('Redirect URIs').inputValue()).toBe(REDIRECT_URI);
  });

  it('disable and enable an app, and show its state', async () => {
    const [id, secret] = await register();
    await browser.clickLink('Settings');
    await browser.clickButton('Disable the app');
    expect(await browser.text()).toContain('This app is disabled.');
    expect(await fetchError(id, secret)).toBe('invalid_client');
    await browser.clickLink('Your apps');
    expect(await browser.page.getByRole('heading', { level: 2 }).innerText()).toBe(`${appName} Disabled`);
    await browser.clickLink(appName);
    await browser.clickButton('Enable the app');
    expect(await browser.text()).not.toContain('This app is disabled');
    expect(await fetchError(id, secret)).toBe('invalid_grant');
  });
});
