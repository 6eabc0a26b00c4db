import { beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserScenario } from '../support/browser-scenario.js';

describe('Sign-out', () => {
  const scenario = BrowserScenario.use();

  beforeEach(async () => {
    await scenario.browser.goto('/account/apps');
    await scenario.browser.signIn(scenario.account);
  });

  /** Returns the path of a logout request of the app. */
  const logout = (overrides: Record<string, string> = {}): string => {
    const query = {
      client_id: scenario.app.id,
      post_logout_redirect_uri: scenario.app.postLogoutRedirectUri,
      state: 'bye',
      ...overrides,
    };
    return `/api/oauth/logout?${new URLSearchParams(query)}`;
  };
  const isSignedIn = async (): Promise<boolean> => {
    await scenario.browser.goto('/account/apps');
    return scenario.browser.path === '/account/apps';
  };

  it('asks for confirmation, and ends the session of this browser only', async () => {
    const phone = await scenario.environment.openPage();
    await phone.goto('/account/apps');
    await phone.signIn(scenario.account);
    await scenario.browser.clickLink('Sign out');
    expect(await scenario.browser.text()).toContain('Do you want to sign out');
    await scenario.browser.clickButton('Sign out');
    expect(await scenario.browser.heading()).toBe('You are signed out.');
    expect(await isSignedIn()).toBe(false);
    await phone.goto('/account/apps');
    expect(phone.path).toBe('/account/apps');
  });

  it('leaves no data of the account behind the back button', async () => {
    await scenario.browser.clickLink('Sign out');
    await scenario.browser.clickButton('Sign out');
    await scenario.browser.page.goBack();
    await scenario.browser.page.goBack();
    expect(await scenario.browser.page.getByRole('navigation').innerText()).not.toContain('Connected apps');
  });

  it('asks for confirmation for an app without an ID token, and redirects to the app', async () => {
    await scenario.browser.goto(logout());
    expect(await scenario.browser.text()).toContain(`${scenario.app.name} has signed you out`);
    await scenario.browser.clickButton('Sign out');
    expect(scenario.browser.page.url()).toBe(`${scenario.app.postLogoutRedirectUri}?state=bye`);
    expect(await isSignedIn()).toBe(false);
  });

  it('can be declined after the request of an app', async () => {
    await scenario.browser.goto(logout());
    await scenario.browser.clickLink('Stay signed in');
    expect(await scenario.browser.heading()).toBe('Your account');
    expect(await isSignedIn()).toBe(true);
  });

  it('happens at once for an app with an ID token', async () => {
    await scenario.browser.goto(scenario.app.startAuthorization({ scope: 'openid' }));
    await scenario.browser.clickButton('Allow');
    const { id_token } = (await scenario.app.exchangeCode()).body;
    await scenario.browser.goto(logout({ id_token_hint: id_token as string }));
    expect(scenario.browser.page.url()).toBe(`${scenario.app.postLogoutRedirectUri}?state=bye`);
    expect(await isSignedIn()).toBe(false);
  });

  it('asks without a way to an unregistered redirect', async () => {
    await scenario.browser.goto(logout({ post_logout_redirect_uri: `${scenario.app.origin}/elsewhere` }));
    expect(await scenario.browser.text()).toContain('Do you want to sign out');
    await scenario.browser.clickButton('Sign out');
    expect(await scenario.browser.heading()).toBe('You are signed out.');
    expect(await isSignedIn()).toBe(false);
  });
});
