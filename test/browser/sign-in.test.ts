import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

describe('Sign-up and sign-in', () => {
  let environment: BrowserEnvironment;

  beforeAll(async () => {
    environment = await BrowserEnvironment.start();
  });
  afterEach(() => environment.closePages());
  afterAll(() => environment.stop());

  it('show each error of a new account beside its field, keep the other fields, and then sign in', async () => {
    await createAccount(environment.server, { email: 'taken@example.org' });
    const browser = await environment.openPage();
    await browser.goto('/sign-up');
    await browser.fillFields({ Username: 'ada lovelace', Name: 'Ada', 'E-mail': 'nowhere', Password: 'short' });
    await browser.clickButton('Create account');
    expect(await readFieldErrors(browser)).toEqual({
      username: expect.stringMatching(/^Use 1 to 39 letters/),
      email: 'Enter an e-mail address, for example name@example.org.',
      password: 'Use at least 10 characters.',
    });
    expect(await readFieldValues(browser)).toEqual({
      username: 'ada lovelace',
      name: 'Ada',
      email: 'nowhere',
      password: '',
    });

    await browser.fillFields({ Username: 'ada', 'E-mail': 'taken@example.org', Password: 'correct horse' });
    await browser.clickButton('Create account');
    expect(await readFieldErrors(browser)).toEqual({
      email: expect.stringMatching(/^An account with this e‑mail address/),
    });

    await browser.fillFields({ 'E-mail': 'ada@example.org', Password: 'correct horse' });
    await browser.clickButton('Create account');
    expect(browser.path).toBe('/account/apps');
    await browser.goto('/sign-in');
    expect(await browser.text()).toContain('You are signed in as Ada.');
  });

  it('reject a wrong password, keep the username, and accept the right one', async () => {
    const account = await createAccount(environment.server);
    const browser = await environment.openPage();
    await browser.goto('/sign-in');
    await browser.signIn(account, 'wrong horse');
    expect(await browser.page.getByRole('alert').innerText()).toBe(
      'The username, e-mail or password is wrong. Try again.',
    );
    expect(await readFieldValues(browser)).toEqual({ username: account.username, password: '' });
    await browser.fillFields({ Password: 'correct horse' });
    await browser.clickButton('Sign in');
    expect(browser.path).toBe('/account/apps');
  });

  it('continue to the protected page', async () => {
    const browser = await environment.openPage();
    await browser.goto('/developer/apps/new');
    expect(browser.path).toBe('/sign-in');
    await browser.signIn(await createAccount(environment.server));
    expect(browser.path).toBe('/developer/apps/new');
  });

  it('create an account on the way from an app, and continue to its consent page', async () => {
    const app = await ClientApp.start(environment.server);
    const browser = await environment.openPage({}, [app]);
    await browser.goto(app.startAuthorization());
    await browser.clickLink('Create an account');
    await browser.fillFields({
      Username: 'grace',
      Name: 'Grace',
      'E-mail': 'grace@example.org',
      Password: 'correct horse',
    });
    await browser.clickButton('Create account');
    expect(await browser.heading()).toBe(`Allow ${app.name} to act for you?`);
    await browser.clickButton('Allow');
    expect((await app.exchangeCode()).status).toBe(200);
    // First, because Chromium still asks the app for its icon.
    await environment.closePages();
    await app.stop();
  });
});

/** Returns the error of each invalid field; it must be between the label and the field. */
async function readFieldErrors({ page }: BrowserPage): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const field of await page.locator('[aria-invalid=true]').all()) {
    const [id, described] = [await field.getAttribute('id'), await field.getAttribute('aria-describedby')];
    const problem = page.locator(`#${described!.split(' ').at(-1)!}`);
    const [top, text] = [await page.locator(`label[for=${id!}]`).boundingBox(), await problem.boundingBox()];
    expect(text!.y).toBeGreaterThan(top!.y);
    expect((await field.boundingBox())!.y).toBeGreaterThan(text!.y);
    values[id!] = await problem.innerText();
  }
  return values;
}

async function readFieldValues({ page }: BrowserPage): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const field of await page.getByRole('textbox').all()) {
    values[(await field.getAttribute('name'))!] = await field.inputValue();
  }
  return values;
}
