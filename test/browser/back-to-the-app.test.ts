import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { Chromium } from '../support/chromium.js';
import { newAccount } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';

describe('The way back to the app', () => {
  let chromium: Chromium;
  let app: ThirdParty;
  let elsewhere: ThirdParty;
  let account: Account;
  let person: Person;

  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  beforeEach(async () => {
    app = await ThirdParty.start(chromium.service);
    elsewhere = await ThirdParty.start(chromium.service);
    account = await newAccount(chromium.service);
    person = await chromium.person({}, [app, elsewhere]);
  });
  afterEach(async () => {
    await chromium.leave();
    await app.stop();
    await elsewhere.stop();
  });
  afterAll(() => chromium.stop());

  const arrive = async (): Promise<void> => {
    await person.open(app.ask());
    await person.signIn(account);
  };

  it('leads from signing in straight to the app where the person has allowed it before', async () => {
    await arrive();
    await person.press('Allow');
    await person.page.context().clearCookies();
    await arrive();
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect((await app.exchange()).status).toBe(200);
  });

  it('leads there also after a wrong password, and by way of another account', async () => {
    await arrive();
    await person.press('Allow');
    await person.page.context().clearCookies();
    await person.open(app.ask());
    await person.signIn(account, 'wrong horse');
    await person.signIn(account);
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    await person.open(app.ask({ prompt: 'login' }));
    await person.signIn(account);
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
  });

  it('gives one code that works to who clicks Allow twice', async () => {
    await arrive();
    await person.arrive(() => person.button('Allow').dblclick());
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(await workingCodes(app.told.map(({ code }) => code!))).toEqual([app.told.at(-1)!['code']]);
  });

  it('gives one code that works to who clicks Allow again because no answer came', async () => {
    await arrive();
    const request = await person.page.locator('input[name=request]').inputValue();
    const form = { request, decision: 'allow', scope: 'edits:write' };
    const lost = await person.page.context().request.post('/consent', { form, maxRedirects: 0 });
    const first = new URL(lost.headers()['location']!).searchParams.get('code')!;
    await person.press('Allow');
    expect(app.told).toHaveLength(1);
    const last = app.told[0]!['code']!;
    expect(await workingCodes([...new Set([first, last])])).toEqual([last]);
  });

  it('can be gone again by the back button, each time with a new code', async () => {
    await person.open(app.ask({ prompt: 'consent' }));
    await person.signIn(account);
    for (const times of [1, 2, 3]) {
      await person.press('Allow');
      expect(app.told).toHaveLength(times);
      expect((await app.exchange()).status).toBe(200);
      await person.arrive(async () => void (await person.page.goBack()));
    }
  });

  it('leads back to the app from there where it was allowed, and asks nothing', async () => {
    await arrive();
    await person.press('Allow');
    await person.page.goBack();
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(app.told).toHaveLength(2);
    expect((await app.exchange()).status).toBe(200);
  });

  it('goes on where the app itself sends the person to another address at once', async () => {
    const onward = await ThirdParty.start(chromium.service, {}, `${elsewhere.origin}/welcome`);
    const stranger = await chromium.person({}, [onward, elsewhere]);
    await stranger.open(onward.ask());
    await stranger.signIn(account);
    await stranger.press('Allow');
    expect(stranger.page.url()).toBe(`${elsewhere.origin}/welcome`);
    await stranger.page.context().clearCookies();
    await stranger.open(onward.ask());
    await stranger.signIn(account);
    expect(stranger.page.url()).toBe(`${elsewhere.origin}/welcome`);
    await onward.stop();
  });

  const workingCodes = async (codes: string[]): Promise<string[]> => {
    const working: string[] = [];
    for (const code of codes) if ((await app.exchange(code)).status === 200) working.push(code);
    return working;
  };
});
