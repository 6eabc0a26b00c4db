import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { Account } from '../../src/accounts/account.entity.js';
import { Chromium } from '../support/chromium.js';
import { newAccount } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';
import { at, backToNow, DAY, later } from '../support/time.js';

const FIRST = Date.UTC(2030, 2, 1, 9, 30);

describe('The page of connected apps', () => {
  let chromium: Chromium;
  let app: ThirdParty;
  let account: Account;
  let person: Person;

  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  beforeEach(async () => {
    app = await ThirdParty.start(chromium.service, { description: 'Walks from mural to mural.' });
    account = await newAccount(chromium.service);
    person = await chromium.person({}, [app]);
  });
  afterEach(async () => {
    backToNow();
    await chromium.leave();
    await app.stop();
  });
  afterAll(() => chromium.stop());

  /** The person allows what the app asks, in a browser of theirs. @returns the refresh token */
  const connect = async (browser = person): Promise<string> => {
    await browser.open(app.ask({ scope: 'openid markers:read' }));
    if (browser.path === '/sign-in') await browser.signIn(account);
    if (browser.path !== '/callback') await browser.press('Allow');
    return (await app.exchange()).body.refresh_token as string;
  };
  const cards = (): Locator => person.page.getByRole('main').getByRole('region');
  const removing = (): Locator => person.button('Remove access');

  it('tells who has none', async () => {
    await person.open('/account/apps');
    await person.signIn(account);
    expect(await person.text()).toContain('No app may act for you.');
    expect(await removing().count()).toBe(0);
  });

  it('shows each app with what it may do, since when, and when it last did', async () => {
    at(FIRST);
    const token = await connect();
    later(2 * DAY);
    expect((await app.refresh(token)).status).toBe(200);
    await person.open('/account/apps');
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
    await person.open('/account/apps');
    await person.press('Remove access');
    expect(await person.page.getByRole('status').innerText()).toBe(`The access of ${app.name} was removed.`);
    expect(await person.text()).toContain('No app may act for you.');
    const { status, body } = await app.refresh(token);
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    await person.open(app.ask());
    expect(await person.heading()).toBe(`Allow ${app.name} to act for you?`);
  });

  it('keeps two devices apart: each has its entry, and one is removed without the other', async () => {
    at(FIRST);
    const onPhone = await connect();
    later(DAY);
    const onLaptop = await connect(await chromium.person({}, [app]));
    await person.open('/account/apps');
    expect(await cards().count()).toBe(1);
    expect(await removing().count()).toBe(2);
    const phone = cards()
      .locator('.access')
      .filter({ hasText: /Last used\s*March 1, 2030/ });
    await person.arrive(() => phone.getByRole('button').click());
    expect(await removing().count()).toBe(1);
    expect((await app.refresh(onPhone)).status).toBe(400);
    expect((await app.refresh(onLaptop)).status).toBe(200);
  });

  it('says of each button whose access it removes, to those who hear the page', async () => {
    await connect();
    await person.open('/account/apps');
    const described = (await removing().getAttribute('aria-describedby'))!.split(' ');
    const texts = await Promise.all(described.map((id) => person.page.locator(`[id="${id}"]`).innerText()));
    expect(texts.join(' ')).toMatch(new RegExp(`${app.name}.*Access since`, 's'));
  });

  it('stays as it is when the page is loaded again after a removal', async () => {
    await connect();
    await person.open('/account/apps');
    await person.press('Remove access');
    await person.page.reload();
    expect(await person.text()).toContain('No app may act for you.');
    await person.page.goBack();
    expect(await removing().count()).toBe(0);
  });
});
