import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

describe('Signing out', () => {
  let chromium: BrowserEnvironment;
  let app: ClientApp;
  let account: Account;
  let person: BrowserPage;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    app = await ClientApp.start(chromium.server);
    account = await createAccount(chromium.server);
    person = await chromium.openPage({}, [app]);
    await person.goto('/account/apps');
    await person.signIn(account);
  });
  afterEach(async () => {
    await chromium.closePages();
    await app.stop();
  });
  afterAll(() => chromium.stop());

  /** Where an app sends a person to sign out here too, and then back to it. */
  const logout = (more: Record<string, string> = {}): string => {
    const query = { client_id: app.id, post_logout_redirect_uri: app.postLogoutRedirectUri, state: 'bye', ...more };
    return `/api/oauth/logout?${new URLSearchParams(query)}`;
  };
  const isSignedIn = async (): Promise<boolean> => {
    await person.goto('/account/apps');
    return person.path === '/account/apps';
  };

  it('asks, and then it is over in this browser and in no other', async () => {
    const phone = await chromium.openPage();
    await phone.goto('/account/apps');
    await phone.signIn(account);
    await person.clickLink('Sign out');
    expect(await person.text()).toContain('Do you want to sign out');
    await person.clickButton('Sign out');
    expect(await person.heading()).toBe('You are signed out.');
    expect(await isSignedIn()).toBe(false);
    await phone.goto('/account/apps');
    expect(phone.path).toBe('/account/apps');
  });

  it('leaves nothing of the person behind the back button', async () => {
    await person.clickLink('Sign out');
    await person.clickButton('Sign out');
    await person.page.goBack();
    await person.page.goBack();
    expect(await person.page.getByRole('navigation').innerText()).not.toContain('Connected apps');
  });

  it('asks where an app wants it without saying for whom, and leads back to the app', async () => {
    await person.goto(logout());
    expect(await person.text()).toContain(`${app.name} has signed you out`);
    await person.clickButton('Sign out');
    expect(person.page.url()).toBe(`${app.postLogoutRedirectUri}?state=bye`);
    expect(await isSignedIn()).toBe(false);
  });

  it('can be left at that where an app asks', async () => {
    await person.goto(logout());
    await person.clickLink('Connected apps');
    expect(await isSignedIn()).toBe(true);
  });

  it('happens at once where the app shows who it is about', async () => {
    await person.goto(app.startAuthorization({ scope: 'openid' }));
    await person.clickButton('Allow');
    const { id_token } = (await app.exchangeCode()).body;
    await person.goto(logout({ id_token_hint: id_token as string }));
    expect(person.page.url()).toBe(`${app.postLogoutRedirectUri}?state=bye`);
    expect(await isSignedIn()).toBe(false);
  });

  it('leads nowhere that the app has not registered', async () => {
    await person.goto(logout({ post_logout_redirect_uri: `${app.origin}/elsewhere` }));
    expect(await person.text()).toContain('has not registered for after signing out');
    expect(await isSignedIn()).toBe(true);
  });
});
