import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';
import { setClock, restoreClock, DAY_MS, advanceClock } from '../support/fake-clock.js';

const FIRST_ACCESS_TIME_MS = Date.UTC(2030, 2, 1, 9, 30);

describe('The page of connected apps', () => {
  let chromium: BrowserEnvironment;
  let app: ClientApp;
  let account: Account;
  let person: BrowserPage;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    app = await ClientApp.start(chromium.server, { description: 'Walks from mural to mural.' });
    account = await createAccount(chromium.server);
    person = await chromium.openPage({}, [app]);
  });
  afterEach(async () => {
    restoreClock();
    await chromium.closePages();
    await app.stop();
  });
  afterAll(() => chromium.stop());

  /** The person allows what the app asks, in a browser of theirs. @returns the refresh token */
  const connect = async (browser = person): Promise<string> => {
    await browser.goto(app.startAuthorization({ scope: 'openid markers:read' }));
    if (browser.path === '/sign-in') await browser.signIn(account);
    if (browser.path !== '/callback') await browser.clickButton('Allow');
    return (await app.exchangeCode()).body.refresh_token as string;
  };
  const cards = (): Locator => person.page.getByRole('main').getByRole('region');
  const removing = (): Locator => person.button('Remove access');

  it('tells who has none', async () => {
    await person.goto('/account/apps');
    await person.signIn(account);
    expect(await person.text()).toContain('No app may act for you.');
    expect(await removing().count()).toBe(0);
  });

  it('shows each app with what it may do, since when, and when it last did', async () => {
    setClock(FIRST_ACCESS_TIME_MS);
    const token = await connect();
    advanceClock(2 * DAY_MS);
    expect((await app.refreshTokens(token)).status).toBe(200);
    await person.goto('/account/apps');
    const card = person.page.getByRole('region', { name: app.name, exact: true });
    const text = await card.innerText();
    expect(text).toContain('Walks from mural to mural.');
    expect(text).toContain('You allowed this on March 1, 2030.');
    expect(text).toMatch(/Access since\s+March 1, 2030 at 9:30 AM UTC/);
    expect(text).toMatch(/Last used\s+March 3, 2030 at 9:30 AM UTC/);
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual([
      "The person's identity is known to the service",
      'Artworks and other places on the map can be searched and looked up',
    ]);
  });

  it('ends an access at once when the person removes it, and the app must ask again', async () => {
    const token = await connect();
    await person.goto('/account/apps');
    await person.clickButton('Remove access');
    expect(await person.page.getByRole('status').innerText()).toBe(`The access of ${app.name} was removed.`);
    expect(await person.text()).toContain('No app may act for you.');
    const { status, body } = await app.refreshTokens(token);
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    await person.goto(app.startAuthorization());
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  });

  it('keeps two devices apart: each has its entry, and one is removed without the other', async () => {
    setClock(FIRST_ACCESS_TIME_MS);
    const onPhone = await connect();
    advanceClock(DAY_MS);
    const onLaptop = await connect(await chromium.openPage({}, [app]));
    await person.goto('/account/apps');
    expect(await cards().count()).toBe(1);
    expect(await removing().count()).toBe(2);
    const phone = cards()
      .locator('.access')
      .filter({ hasText: /Last used\s*March 1, 2030/ });
    await person.waitForNavigation(() => phone.getByRole('button').click());
    expect(await removing().count()).toBe(1);
    expect((await app.refreshTokens(onPhone)).status).toBe(400);
    expect((await app.refreshTokens(onLaptop)).status).toBe(200);
  });

  it('says of each button whose access it removes, to those who hear the page', async () => {
    await connect();
    await person.goto('/account/apps');
    const described = (await removing().getAttribute('aria-describedby'))!.split(' ');
    const texts = await Promise.all(described.map((id) => person.page.locator(`[id="${id}"]`).innerText()));
    expect(texts.join(' ')).toMatch(new RegExp(`${app.name}.*Access since`, 's'));
  });

  it('stays as it is when the page is loaded again after a removal', async () => {
    await connect();
    await person.goto('/account/apps');
    await person.clickButton('Remove access');
    await person.page.reload();
    expect(await person.text()).toContain('No app may act for you.');
    await person.page.goBack();
    expect(await removing().count()).toBe(0);
  });
});
