import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { STATE } from '../support/authorization-flow.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

const MARKERS_READ_LABEL = 'artworks and other places on the map can be searched and looked up';
const EDITS_WRITE_LABEL = 'changes to artworks and artists can be suggested for the person';
const OPENID_LABEL = "the person's identity is known to the service";

describe('The consent page', () => {
  let chromium: BrowserEnvironment;
  let app: ClientApp;
  let account: Account;
  let person: BrowserPage;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    app = await ClientApp.start(chromium.server, { requiredScopes: ['markers:read'] });
    account = await createAccount(chromium.server);
    person = await chromium.openPage({}, [app]);
  });
  afterEach(async () => {
    await chromium.closePages();
    await app.stop();
  });
  afterAll(() => chromium.stop());

  const arrive = async (): Promise<void> => {
    await person.goto(app.startAuthorization());
    await person.signIn(account);
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  };

  it('says who asks, who is asked, for what, and where that leads', async () => {
    await arrive();
    const text = await person.text();
    expect(text).toContain('Registered by those who run this map');
    expect(text).toContain(`You are signed in as ${account.name}`);
    expect(text).toContain(`Then you are sent to ${new URL(app.origin).host}.`);
    for (const scope of [
      OPENID_LABEL,
      'name, username and profile picture can be seen',
      MARKERS_READ_LABEL,
      EDITS_WRITE_LABEL,
    ]) {
      expect(await person.checkbox(scope).isChecked()).toBe(true);
    }
    expect(await person.page.getByRole('checkbox').count()).toBe(4);
  });

  it('gives the app all that it asks for, once the person allows it', async () => {
    await arrive();
    await person.clickButton('Allow');
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(app.receivedCallbacks).toEqual([{ code: expect.any(String), state: STATE, iss: chromium.url }]);
    const { status, body } = await app.exchangeCode();
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'openid profile markers:read edits:write' });
  });

  it('tells the app no more than that it was denied', async () => {
    await arrive();
    await person.clickButton('Deny');
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect(app.receivedCallbacks).toEqual([
      { error: 'access_denied', error_description: expect.any(String), state: STATE, iss: chromium.url },
    ]);
  });

  it('lets the person leave something out, and the app is told what is granted', async () => {
    await arrive();
    await person.checkbox(EDITS_WRITE_LABEL).uncheck();
    await person.clickButton('Allow');
    expect((await app.exchangeCode()).body.scope).toBe('openid profile markers:read');
  });

  it('takes a click on the words for a click on the box', async () => {
    await arrive();
    await person.page.getByText(EDITS_WRITE_LABEL).click();
    expect(await person.checkbox(EDITS_WRITE_LABEL).isChecked()).toBe(false);
  });

  it('does not let the person leave out what the app cannot work without', async () => {
    await arrive();
    for (const scope of [OPENID_LABEL, MARKERS_READ_LABEL]) {
      expect(await person.checkbox(scope).isDisabled()).toBe(true);
      await person.page.getByText(scope).click({ force: true });
      expect(await person.checkbox(scope).isChecked()).toBe(true);
    }
    expect(await person.page.getByText('The app does not work without this').count()).toBe(2);
    await person.checkbox('name, username and profile picture can be seen').uncheck();
    await person.checkbox(EDITS_WRITE_LABEL).uncheck();
    await person.clickButton('Allow');
    expect((await app.exchangeCode()).body.scope).toBe('openid markers:read');
  });

  it('is not shown again for what was allowed, and is for more', async () => {
    await person.goto(app.startAuthorization({ scope: 'openid markers:read' }));
    await person.signIn(account);
    await person.clickButton('Allow');
    await person.goto(app.startAuthorization({ scope: 'openid' }));
    expect(person.page.url().split('?')[0]).toBe(app.redirectUri);
    expect((await app.exchangeCode()).body.scope).toBe('openid');
    await person.goto(app.startAuthorization({ scope: 'openid markers:read edits:write' }));
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  });

  it('lets another account answer, which is then who it is about', async () => {
    const other = await createAccount(chromium.server);
    await arrive();
    await person.clickLink('Use another account');
    expect(await person.text()).toContain(`You are signed in as ${account.name}`);
    await person.signIn(other);
    expect(await person.text()).toContain(`You are signed in as ${other.name}`);
    await person.clickButton('Allow');
    const { access_token } = (await app.exchangeCode()).body;
    const { body } = await chromium.server.request('GET', '/api/oauth/userinfo', { token: access_token });
    expect(body.sub).toBe(other.id);
  });

  it('lets the person change their mind about another account', async () => {
    await arrive();
    await person.clickLink('Use another account');
    await person.clickLink(`Continue as ${account.name}`);
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  });
});
