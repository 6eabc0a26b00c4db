import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

describe('Signing up and in', () => {
  let chromium: BrowserEnvironment;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
  });
  afterEach(() => chromium.closePages());
  afterAll(() => chromium.stop());

  it('says beside each field of a new account what is wrong with it, keeps the rest, and then signs in', async () => {
    await createAccount(chromium.server, { email: 'taken@example.org' });
    const person = await chromium.openPage();
    await person.goto('/sign-up');
    await person.fillFields({ Username: 'ada lovelace', Name: 'Ada', 'E-mail': 'nowhere', Password: 'short' });
    await person.clickButton('Create account');
    expect(await readFieldErrors(person)).toEqual({
      username: expect.stringMatching(/^A username takes/),
      email: 'That is not an e-mail address.',
      password: 'A password takes at least 8 characters.',
    });
    expect(await readFieldValues(person)).toEqual({
      username: 'ada lovelace',
      name: 'Ada',
      email: 'nowhere',
      password: '',
    });

    await person.fillFields({ Username: 'ada', 'E-mail': 'taken@example.org', Password: 'correct horse' });
    await person.clickButton('Create account');
    expect(await readFieldErrors(person)).toEqual({ email: expect.stringMatching(/^There is an account/) });

    await person.fillFields({ 'E-mail': 'ada@example.org', Password: 'correct horse' });
    await person.clickButton('Create account');
    expect(person.path).toBe('/account/apps');
    await person.goto('/sign-in');
    expect(await person.text()).toContain('You are signed in as Ada.');
  });

  it('refuses a wrong password in words, keeps the name, and takes the right one', async () => {
    const account = await createAccount(chromium.server);
    const person = await chromium.openPage();
    await person.goto('/sign-in');
    await person.signIn(account, 'wrong horse');
    expect(await person.page.getByRole('alert').innerText()).toBe('Username, e-mail or password is wrong.');
    expect(await readFieldValues(person)).toEqual({ username: account.username, password: '' });
    await person.fillFields({ Password: 'correct horse' });
    await person.clickButton('Sign in');
    expect(person.path).toBe('/account/apps');
  });

  it('goes on to the page that asked to sign in', async () => {
    const person = await chromium.openPage();
    await person.goto('/developer/apps/new');
    expect(person.path).toBe('/sign-in');
    await person.signIn(await createAccount(chromium.server));
    expect(person.path).toBe('/developer/apps/new');
  });

  it('leads who is new from an app to an account, and on to what the app asks', async () => {
    const app = await ClientApp.start(chromium.server);
    const person = await chromium.openPage({}, [app]);
    await person.goto(app.startAuthorization());
    await person.clickLink('Create an account');
    await person.fillFields({
      Username: 'grace',
      Name: 'Grace',
      'E-mail': 'grace@example.org',
      Password: 'correct horse',
    });
    await person.clickButton('Create account');
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
    await person.clickButton('Allow');
    expect((await app.exchangeCode()).status).toBe(200);
    await app.stop();
  });
});

/** What stands between a field's label and the field itself, and is read out with it. */
async function readFieldErrors({ page }: BrowserPage): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const field of await page.locator('[aria-invalid=true]').all()) {
    const [id, described] = [await field.getAttribute('id'), await field.getAttribute('aria-describedby')];
    const problem = page.locator(`#${described!.split(' ').at(-1)!}`);
    const [top, text] = [await page.locator(`label[for=${id!}]`).boundingBox(), await problem.boundingBox()];
    expect(text!.y).toBeGreaterThan(top!.y);
    expect((await field.boundingBox())!.y).toBeGreaterThan(text!.y);
    found[id!] = await problem.innerText();
  }
  return found;
}

async function readFieldValues({ page }: BrowserPage): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const field of await page.getByRole('textbox').all()) {
    found[(await field.getAttribute('name'))!] = await field.inputValue();
  }
  return found;
}
