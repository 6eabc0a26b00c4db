import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

describe('The way back to the app', () => {
  let chromium: BrowserEnvironment;
  let app: ClientApp;
  let elsewhere: ClientApp;
  let account: Account;
  let person: BrowserPage;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    app = await ClientApp.start(chromium.server);
    elsewhere = await ClientApp.start(chromium.server);
    account = await createAccount(chromium.server);
    person = await chromium.openPage({}, [app, elsewhere]);
  });
  afterEach(async () => {
    await chromium.closePages();
    await app.stop();
    await elsewhere.stop();
  });
  afterAll(() => chromium.stop());

  const arrive = async (): Promise<void> => {
    await person.goto(app.startAuthorization());
    await person.signIn(account);
  };

  it('leads from signing in straight to the app where the person has allowed it before', async () => {
    await arrive();
    await person.clickButton('Allow');
    await person.page.context().clearCookies();
    await arrive();
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect((await app.exchangeCode()).status).toBe(200);
  });

  it('leads there also after a wrong password, and by way of another account', async () => {
    await arrive();
    await person.clickButton('Allow');
    await person.page.context().clearCookies();
    await person.goto(app.startAuthorization());
    await person.signIn(account, 'wrong horse');
    await person.signIn(account);
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    await person.goto(app.startAuthorization({ prompt: 'login' }));
    await person.signIn(account);
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
  });

  it('gives one code that works to who clicks Allow twice', async () => {
    await arrive();
    await person.waitForNavigation(() => person.button('Allow').dblclick());
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(await workingCodes(app.receivedCallbacks.map(({ code }) => code!))).toEqual([
      app.receivedCallbacks.at(-1)!['code'],
    ]);
  });

  it('gives one code that works to who clicks Allow again because no answer came', async () => {
    await arrive();
    const request = await person.page.locator('input[name=request]').inputValue();
    const form = { request, decision: 'allow', scope: 'edits:write' };
    const lost = await person.page.context().request.post('/consent', { form, maxRedirects: 0 });
    const first = new URL(lost.headers()['location']!).searchParams.get('code')!;
    await person.clickButton('Allow');
    expect(app.receivedCallbacks).toHaveLength(1);
    const last = app.receivedCallbacks[0]!['code']!;
    expect(await workingCodes([...new Set([first, last])])).toEqual([last]);
  });

  it('can be gone again by the back button, each time with a new code', async () => {
    await person.goto(app.startAuthorization({ prompt: 'consent' }));
    await person.signIn(account);
    for (const times of [1, 2, 3]) {
      await person.clickButton('Allow');
      expect(app.receivedCallbacks).toHaveLength(times);
      expect((await app.exchangeCode()).status).toBe(200);
      await person.waitForNavigation(async () => void (await person.page.goBack()));
    }
  });

  it('leads back to the app from there where it was allowed, and asks nothing', async () => {
    await arrive();
    await person.clickButton('Allow');
    await person.page.goBack();
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(app.receivedCallbacks).toHaveLength(2);
    expect((await app.exchangeCode()).status).toBe(200);
  });

  it('goes on where the app itself sends the person to another address at once', async () => {
    const onward = await ClientApp.start(chromium.server, {}, `${elsewhere.origin}/welcome`);
    const stranger = await chromium.openPage({}, [onward, elsewhere]);
    await stranger.goto(onward.startAuthorization());
    await stranger.signIn(account);
    await stranger.clickButton('Allow');
    expect(stranger.page.url()).toBe(`${elsewhere.origin}/welcome`);
    await stranger.page.context().clearCookies();
    await stranger.goto(onward.startAuthorization());
    await stranger.signIn(account);
    expect(stranger.page.url()).toBe(`${elsewhere.origin}/welcome`);
    await onward.stop();
  });

  const workingCodes = async (codes: string[]): Promise<string[]> => {
    const working: string[] = [];
    for (const code of codes) if ((await app.exchangeCode(code)).status === 200) working.push(code);
    return working;
  };
});
