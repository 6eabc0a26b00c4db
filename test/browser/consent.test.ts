import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { STATE } from '../support/authorize.js';
import { Chromium } from '../support/chromium.js';
import { newAccount } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';

const LOOK = 'artworks and other places on the map can be searched and looked up';
const CHANGE = 'changes to artworks and artists can be suggested for the person';
const KNOWN = "the person's identity is known to the service";

describe('The consent page', () => {
  let chromium: Chromium;
  let app: ThirdParty;
  let account: Account;
  let person: Person;

  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  beforeEach(async () => {
    app = await ThirdParty.start(chromium.service, { requiredScopes: ['markers:read'] });
    account = await newAccount(chromium.service);
    person = await chromium.person({}, [app]);
  });
  afterEach(async () => {
    await chromium.leave();
    await app.stop();
  });
  afterAll(() => chromium.stop());

  const arrive = async (): Promise<void> => {
    await person.open(app.ask());
    await person.signIn(account);
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  };

  it('says who asks, who is asked, for what, and where that leads', async () => {
    await arrive();
    const text = await person.text();
    expect(text).toContain('Registered by those who run this map');
    expect(text).toContain(`You are signed in as ${account.name}`);
    expect(text).toContain(`Then you are sent to ${new URL(app.origin).host}.`);
    for (const scope of [KNOWN, 'name, username and profile picture can be seen', LOOK, CHANGE]) {
      expect(await person.box(scope).isChecked()).toBe(true);
    }
    expect(await person.page.getByRole('checkbox').count()).toBe(4);
  });

  it('gives the app all that it asks for, once the person allows it', async () => {
    await arrive();
    await person.press('Allow');
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(app.told).toEqual([{ code: expect.any(String), state: STATE, iss: chromium.url }]);
    const { status, body } = await app.exchange();
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'openid profile markers:read edits:write' });
  });

  it('tells the app no more than that it was denied', async () => {
    await arrive();
    await person.press('Deny');
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(app.told).toEqual([
      { error: 'access_denied', error_description: expect.any(String), state: STATE, iss: chromium.url },
    ]);
  });

  it('lets the person leave something out, and the app is told what is granted', async () => {
    await arrive();
    await person.box(CHANGE).uncheck();
    await person.press('Allow');
    expect((await app.exchange()).body.scope).toBe('openid profile markers:read');
  });

  it('takes a click on the words for a click on the box', async () => {
    await arrive();
    await person.page.getByText(CHANGE).click();
    expect(await person.box(CHANGE).isChecked()).toBe(false);
  });

  it('does not let the person leave out what the app cannot work without', async () => {
    await arrive();
    for (const scope of [KNOWN, LOOK]) {
      expect(await person.box(scope).isDisabled()).toBe(true);
      await person.page.getByText(scope).click({ force: true });
      expect(await person.box(scope).isChecked()).toBe(true);
    }
    expect(await person.page.getByText('The app does not work without this').count()).toBe(2);
    await person.box('name, username and profile picture can be seen').uncheck();
    await person.box(CHANGE).uncheck();
    await person.press('Allow');
    expect((await app.exchange()).body.scope).toBe('openid markers:read');
  });

  it('is not shown again for what was allowed, and is for more', async () => {
    await person.open(app.ask({ scope: 'openid markers:read' }));
    await person.signIn(account);
    await person.press('Allow');
    await person.open(app.ask({ scope: 'openid' }));
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect((await app.exchange()).body.scope).toBe('openid');
    await person.open(app.ask({ scope: 'openid markers:read edits:write' }));
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  });

  it('lets another account answer, which is then who it is about', async () => {
    const other = await newAccount(chromium.service);
    await arrive();
    await person.follow('Use another account');
    expect(await person.text()).toContain(`You are signed in as ${account.name}`);
    await person.signIn(other);
    expect(await person.text()).toContain(`You are signed in as ${other.name}`);
    await person.press('Allow');
    const { access_token } = (await app.exchange()).body;
    const { body } = await chromium.service.call('GET', '/api/oauth/userinfo', { token: access_token });
    expect(body.sub).toBe(other.id);
  });

  it('lets the person change their mind about another account', async () => {
    await arrive();
    await person.follow('Use another account');
    await person.follow(`Continue as ${account.name}`);
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  });
});
