import { describe, expect, it } from '@jest/globals';
import { ClientApp } from '../support/client-app.js';
import { BrowserScenario } from '../support/browser-scenario.js';

describe('Redirect to the app', () => {
  const scenario = BrowserScenario.use();

  const openConsentPage = async (): Promise<void> => {
    await scenario.browser.goto(scenario.app.startAuthorization());
    await scenario.browser.signIn(scenario.account);
  };

  it('follows the sign-in when the account granted the scopes before', async () => {
    await openConsentPage();
    await scenario.browser.clickButton('Allow');
    await scenario.browser.page.context().clearCookies();
    await openConsentPage();
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
    expect((await scenario.app.exchangeCode()).status).toBe(200);
  });

  it('follows a wrong password, and a second sign-in', async () => {
    await openConsentPage();
    await scenario.browser.clickButton('Allow');
    await scenario.browser.page.context().clearCookies();
    await scenario.browser.goto(scenario.app.startAuthorization());
    await scenario.browser.signIn(scenario.account, 'wrong horse');
    await scenario.browser.signIn(scenario.account);
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
    await scenario.browser.goto(scenario.app.startAuthorization({ prompt: 'login' }));
    await scenario.browser.signIn(scenario.account);
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
  });

  it('returns one valid code after a double click on Allow', async () => {
    await openConsentPage();
    await scenario.browser.waitForNavigation(() => scenario.browser.button('Allow').dblclick());
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
    expect(await filterValidCodes(scenario.app.receivedCallbacks.map(({ code }) => code!))).toEqual([
      scenario.app.receivedCallbacks.at(-1)!['code'],
    ]);
  });

  it('returns one valid code after a second click when the first response was lost', async () => {
    await openConsentPage();
    const request = await scenario.browser.page.locator('input[name=request]').inputValue();
    const form = { request, decision: 'allow', scope: 'edits:write' };
    const lost = await scenario.browser.page.context().request.post('/consent', { form, maxRedirects: 0 });
    const first = new URL(lost.headers()['location']!).searchParams.get('code')!;
    await scenario.browser.clickButton('Allow');
    expect(scenario.app.receivedCallbacks).toHaveLength(1);
    const last = scenario.app.receivedCallbacks[0]!['code']!;
    expect(await filterValidCodes([...new Set([first, last])])).toEqual([last]);
  });

  it('can be repeated with the back button, each time with a new code', async () => {
    await scenario.browser.goto(scenario.app.startAuthorization({ prompt: 'consent' }));
    await scenario.browser.signIn(scenario.account);
    for (const times of [1, 2, 3]) {
      await scenario.browser.clickButton('Allow');
      expect(scenario.app.receivedCallbacks).toHaveLength(times);
      expect((await scenario.app.exchangeCode()).status).toBe(200);
      await scenario.browser.waitForNavigation(async () => void (await scenario.browser.page.goBack()));
    }
  });

  it('follows the back button without a question when the consent was granted', async () => {
    await openConsentPage();
    await scenario.browser.clickButton('Allow');
    await scenario.browser.page.goBack();
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
    expect(scenario.app.receivedCallbacks).toHaveLength(2);
    expect((await scenario.app.exchangeCode()).status).toBe(200);
  });

  it('may continue with a redirect of the app to another site', async () => {
    const onward = await ClientApp.start(scenario.environment.server, {}, `${scenario.otherApp.origin}/welcome`);
    const otherBrowser = await scenario.environment.openPage({}, [onward, scenario.otherApp]);
    await otherBrowser.goto(onward.startAuthorization());
    await otherBrowser.signIn(scenario.account);
    await otherBrowser.clickButton('Allow');
    expect(otherBrowser.page.url()).toBe(`${scenario.otherApp.origin}/welcome`);
    await otherBrowser.page.context().clearCookies();
    await otherBrowser.goto(onward.startAuthorization());
    await otherBrowser.signIn(scenario.account);
    expect(otherBrowser.page.url()).toBe(`${scenario.otherApp.origin}/welcome`);
    await onward.stop();
  });

  const filterValidCodes = async (codes: string[]): Promise<string[]> => {
    const working: string[] = [];
    for (const code of codes) if ((await scenario.app.exchangeCode(code)).status === 200) working.push(code);
    return working;
  };
});
