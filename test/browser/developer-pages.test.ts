import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';

const REDIRECT_URI = 'https://walk.example/callback';

describe('The pages of developers', () => {
  let chromium: BrowserEnvironment;
  let person: BrowserPage;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    person = await chromium.openPage();
    await person.goto('/developer/apps');
    await person.signIn(await createAccount(chromium.server));
  });
  afterEach(() => chromium.closePages());
  afterAll(() => chromium.stop());

  /** The client id and, where it is shown, the secret. */
  const shown = (): Promise<string[]> => person.page.locator('.secret').allInnerTexts();

  /** Registers an app. @returns its id and secret */
  const register = async (): Promise<[id: string, secret: string]> => {
    await person.goto('/developer/apps/new');
    await person.fillFields({ Name: 'Mural Walk', 'Redirect addresses': REDIRECT_URI });
    await person.clickButton('Register');
    return (await shown()) as [string, string];
  };

  /** What the token endpoint says of a code that nobody has: whether it takes the app at its word. */
  const refusal = async (client_id: string, client_secret: string): Promise<string> => {
    const asked = { code: 'none', redirect_uri: REDIRECT_URI, code_verifier: 'v'.repeat(43) };
    const body = { grant_type: 'authorization_code', ...asked, client_id, client_secret };
    return (await chromium.server.request('POST', '/api/oauth/token', { body })).body.error as string;
  };

  it('say beside each field of a new app what is wrong with it, keep the rest, and then register it', async () => {
    expect(await person.text()).toContain('You have not registered an app.');
    await person.clickLink('Register an app');
    await person.fillFields({
      Name: 'Mural Walk',
      'Home page': 'walk.example',
      'Redirect addresses': 'http://walk.example/',
    });
    for (const scope of ['openid', 'profile']) await person.checkbox(scope).uncheck();
    await person.checkbox('edits:read is required').check();
    await person.clickButton('Register');
    expect(await person.page.locator('.field-error').allInnerTexts()).toEqual([
      'A home page is an address that begins with https://.',
      'http://walk.example/ must use https: only this machine may use http.',
      'An app needs at least one scope.',
    ]);
    expect(await person.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mural Walk');
    expect(await person.checkbox('edits:read is required').isChecked()).toBe(true);

    await person.fillFields({
      'Home page': 'https://walk.example/',
      'Redirect addresses': `${REDIRECT_URI}\nhttp://[::1]/cb`,
    });
    for (const scope of ['openid', 'edits:read']) await person.checkbox(scope).check();
    await person.clickButton('Register');
    expect(await person.page.getByRole('status').innerText()).toBe('The app is registered.');
    await person.clickLink('Settings');
    expect(await person.page.getByLabel('Redirect addresses').inputValue()).toBe(`${REDIRECT_URI}\nhttp://[::1]/cb`);
    const ticked = person.page.locator('input:checked');
    expect(await ticked.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')))).toEqual([
      'openid',
      'edits:read',
      'edits:read',
    ]);
  });

  it('show a secret once, and never again', async () => {
    const [id, secret] = await register();
    expect(await refusal(id, secret)).toBe('invalid_grant');
    for (const go of [
      () => person.clickLink('Settings'),
      () => person.clickLink('Your apps'),
      () => person.clickLink('Mural Walk'),
    ]) {
      await go();
      expect(await person.page.content()).not.toContain(secret);
    }
    expect(await shown()).toEqual([id]);
  });

  it('make a new secret, with which the old one stops', async () => {
    const [id, old] = await register();
    await person.clickLink('Settings');
    await person.clickButton('Make a new secret');
    const [, fresh] = (await shown()) as [string, string];
    expect([await refusal(id, old), await refusal(id, fresh)]).toEqual(['invalid_client', 'invalid_grant']);
  });

  it('change the addresses of an app, which hold at once', async () => {
    const [id] = await register();
    await person.clickLink('Settings');
    await person.fillFields({ 'Redirect addresses': 'https://walk.example/other' });
    await person.clickButton('Save');
    expect(await person.page.getByRole('status').innerText()).toBe('Saved.');
    await person.goto(`/api/oauth/authorize?client_id=${id}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`);
    expect(await person.text()).toContain('an address that it has not registered');
  });

  it('keep what was stored where a change is refused', async () => {
    const [id] = await register();
    await person.clickLink('Settings');
    await person.fillFields({ Name: 'Better Walk', 'Redirect addresses': '' });
    await person.clickButton('Save');
    expect(await person.page.locator('.field-error').allInnerTexts()).toEqual([
      'An app needs at least one redirect address.',
    ]);
    await person.goto(`/developer/apps/${id}`);
    expect(await person.heading()).toBe('Mural Walk');
    expect(await person.page.getByLabel('Redirect addresses').inputValue()).toBe(REDIRECT_URI);
  });

  it('disable an app and say so, and enable it again', async () => {
    const [id, secret] = await register();
    await person.clickLink('Settings');
    await person.clickButton('Disable the app');
    expect(await person.text()).toContain('This app is disabled and cannot act for anybody.');
    expect(await refusal(id, secret)).toBe('invalid_client');
    await person.clickLink('Your apps');
    expect(await person.page.getByRole('heading', { level: 2 }).innerText()).toBe('Mural Walk Disabled');
    await person.clickLink('Mural Walk');
    await person.clickButton('Enable the app');
    expect(await person.text()).not.toContain('This app is disabled');
    expect(await refusal(id, secret)).toBe('invalid_grant');
  });
});
