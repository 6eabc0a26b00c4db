import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { Chromium } from '../support/chromium.js';
import { newAccount } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';

describe('Signing out', () => {
  let chromium: Chromium;
  let app: ThirdParty;
  let account: Account;
  let person: Person;

  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  beforeEach(async () => {
    app = await ThirdParty.start(chromium.service);
    account = await newAccount(chromium.service);
    person = await chromium.person({}, [app]);
    await person.open('/account/apps');
    await person.signIn(account);
  });
  afterEach(async () => {
    await chromium.leave();
    await app.stop();
  });
  afterAll(() => chromium.stop());

  /** Where an app sends a person to sign out here too, and then back to it. */
  const logout = (more: Record<string, string> = {}): string => {
    const query = { client_id: app.id, post_logout_redirect_uri: app.signedOutUri, state: 'bye', ...more };
    return `/api/oauth/logout?${new URLSearchParams(query)}`;
  };
  const isSignedIn = async (): Promise<boolean> => {
    await person.open('/account/apps');
    return person.path === '/account/apps';
  };

  it('asks, and then it is over in this browser and in no other', async () => {
    const phone = await chromium.person();
    await phone.open('/account/apps');
    await phone.signIn(account);
    await person.follow('Sign out');
    expect(await person.text()).toContain('Do you want to sign out');
    await person.press('Sign out');
    expect(await person.heading()).toBe('You are signed out.');
    expect(await isSignedIn()).toBe(false);
    await phone.open('/account/apps');
    expect(phone.path).toBe('/account/apps');
  });

  it('leaves nothing of the person behind the back button', async () => {
    await person.follow('Sign out');
    await person.press('Sign out');
    await person.page.goBack();
    await person.page.goBack();
    expect(await person.page.getByRole('navigation').innerText()).not.toContain('Connected apps');
  });

  it('asks where an app wants it without saying for whom, and leads back to the app', async () => {
    await person.open(logout());
    expect(await person.text()).toContain(`${app.name} has signed you out`);
    await person.press('Sign out');
    expect(person.page.url()).toBe(`${app.signedOutUri}?state=bye`);
    expect(await isSignedIn()).toBe(false);
  });

  it('can be left at that where an app asks', async () => {
    await person.open(logout());
    await person.follow('Connected apps');
    expect(await isSignedIn()).toBe(true);
  });

  it('happens at once where the app shows who it is about', async () => {
    await person.open(app.ask({ scope: 'openid' }));
    await person.press('Allow');
    const { id_token } = (await app.exchange()).body;
    await person.open(logout({ id_token_hint: id_token as string }));
    expect(person.page.url()).toBe(`${app.signedOutUri}?state=bye`);
    expect(await isSignedIn()).toBe(false);
  });

  it('leads nowhere that the app has not registered', async () => {
    await person.open(logout({ post_logout_redirect_uri: `${app.origin}/elsewhere` }));
    expect(await person.text()).toContain('has not registered for after signing out');
    expect(await isSignedIn()).toBe(true);
  });
});
