import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Chromium } from '../support/chromium.js';
import { newAccount } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';

describe('Signing up and in', () => {
  let chromium: Chromium;

  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  afterEach(() => chromium.leave());
  afterAll(() => chromium.stop());

  it('says beside each field of a new account what is wrong with it, keeps the rest, and then signs in', async () => {
    await newAccount(chromium.service, { email: 'taken@example.org' });
    const person = await chromium.person();
    await person.open('/sign-up');
    await person.fill({ Username: 'ada lovelace', Name: 'Ada', 'E-mail': 'nowhere', Password: 'short' });
    await person.press('Create account');
    expect(await problems(person)).toEqual({
      username: expect.stringMatching(/^A username takes/),
      email: 'That is not an e-mail address.',
      password: 'A password takes at least 8 characters.',
    });
    expect(await values(person)).toEqual({ username: 'ada lovelace', name: 'Ada', email: 'nowhere', password: '' });

    await person.fill({ Username: 'ada', 'E-mail': 'taken@example.org', Password: 'correct horse' });
    await person.press('Create account');
    expect(await problems(person)).toEqual({ email: expect.stringMatching(/^There is an account/) });

    await person.fill({ 'E-mail': 'ada@example.org', Password: 'correct horse' });
    await person.press('Create account');
    expect(person.path).toBe('/account/apps');
    await person.open('/sign-in');
    expect(await person.text()).toContain('You are signed in as Ada.');
  });

  it('refuses a wrong password in words, keeps the name, and takes the right one', async () => {
    const account = await newAccount(chromium.service);
    const person = await chromium.person();
    await person.open('/sign-in');
    await person.signIn(account, 'wrong horse');
    expect(await person.page.getByRole('alert').innerText()).toBe('Username, e-mail or password is wrong.');
    expect(await values(person)).toEqual({ username: account.username, password: '' });
    await person.fill({ Password: 'correct horse' });
    await person.press('Sign in');
    expect(person.path).toBe('/account/apps');
  });

  it('goes on to the page that asked to sign in', async () => {
    const person = await chromium.person();
    await person.open('/developer/apps/new');
    expect(person.path).toBe('/sign-in');
    await person.signIn(await newAccount(chromium.service));
    expect(person.path).toBe('/developer/apps/new');
  });

  it('leads who is new from an app to an account, and on to what the app asks', async () => {
    const app = await ThirdParty.start(chromium.service);
    const person = await chromium.person({}, [app]);
    await person.open(app.ask());
    await person.follow('Create an account');
    await person.fill({ Username: 'grace', Name: 'Grace', 'E-mail': 'grace@example.org', Password: 'correct horse' });
    await person.press('Create account');
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
    await person.press('Allow');
    expect((await app.exchange()).status).toBe(200);
    await app.stop();
  });
});

/** What stands between a field's label and the field itself, and is read out with it. */
async function problems({ page }: Person): Promise<Record<string, string>> {
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

async function values({ page }: Person): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const field of await page.getByRole('textbox').all()) {
    found[(await field.getAttribute('name'))!] = await field.inputValue();
  }
  return found;
}
