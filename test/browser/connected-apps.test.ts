import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { setClock, DAY_MS, advanceClock } from '../support/fake-clock.js';
import { BrowserScenario } from '../support/browser-scenario.js';

const FIRST_ACCESS_TIME_MS = Date.UTC(2030, 2, 1, 9, 30);

describe('Connected apps page', () => {
  const scenario = BrowserScenario.use({ description: 'Walks from mural to mural.' });

  /** Grants the consent in a browser. @returns the refresh token */
  const connect = async (browser = scenario.browser): Promise<string> => {
    await browser.goto(scenario.app.startAuthorization({ scope: 'openid markers:read' }));
    if (browser.path === '/sign-in') await browser.signIn(scenario.account);
    if (browser.path !== '/callback') await browser.clickButton('Allow');
    return (await scenario.app.exchangeCode()).body.refresh_token as string;
  };
  const rows = (): Locator => scenario.browser.page.locator('.app-list > li');
  const openApp = (): Promise<void> => scenario.browser.clickLink('What it did');
  const removeButton = (): Locator => scenario.browser.button('Remove access');
  const endButton = (): Locator => scenario.browser.button('End this sign-in');
  /** Connects the app in two browsers. @returns the refresh tokens */
  const connectTwice = async (): Promise<{ onPhone: string; onLaptop: string }> => {
    setClock(FIRST_ACCESS_TIME_MS);
    const onPhone = await connect();
    advanceClock(DAY_MS);
    return { onPhone, onLaptop: await connect(await scenario.environment.openPage({}, [scenario.app])) };
  };
  const status = (): Promise<string> => scenario.browser.page.getByRole('status').innerText();

  it('shows a message when there is no connected app', async () => {
    await scenario.browser.goto('/account/apps');
    await scenario.browser.signIn(scenario.account);
    expect(await scenario.browser.text()).toContain('No app is connected to your account.');
    expect(await removeButton().count()).toBe(0);
  });

  it('shows each app in one row, and its permissions and dates on its page', async () => {
    setClock(FIRST_ACCESS_TIME_MS);
    const token = await connect();
    advanceClock(2 * DAY_MS);
    expect((await scenario.app.refreshTokens(token)).status).toBe(200);
    await scenario.browser.goto('/account/apps');
    expect(await rows().locator('strong').innerText()).toBe(scenario.app.name);
    expect((await rows().locator('div').innerText()).split(/\n+/)).toEqual([
      'Sees your identity, the map',
      'Not used yet · What it did',
    ]);
    await openApp();
    const text = await scenario.browser.text();
    expect(text).toContain('Walks from mural to mural.');
    expect(text).toMatch(/Connected since\s+March 1, 2030 at 9:30 AM UTC/);
    expect(text).toMatch(/Last renewed\s+now/);
    expect(text).toContain('Chrome (Linux)');
    expect(text).toContain('This app has changed nothing for you.');
    expect(await scenario.browser.page.locator('.scopes li').allInnerTexts()).toEqual([
      `Your identity is known to ${scenario.app.name}\nAllowed on March 1, 2030.`,
      'Artworks and other places on the map can be searched and looked up\nAllowed on March 1, 2030.',
    ]);
  });

  it('revokes the access at once, and the app must ask again', async () => {
    const token = await connect();
    await scenario.browser.goto('/account/apps');
    await scenario.browser.clickButton('Remove access');
    expect(await status()).toBe(
      `The access of ${scenario.app.name} was removed. All its sign-ins ended, and it must ask you before it connects again.`,
    );
    expect(await scenario.browser.text()).toContain('No app is connected to your account.');
    const rejection = await scenario.app.refreshTokens(token);
    expect({ status: rejection.status, error: rejection.body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    await scenario.browser.goto(scenario.app.startAuthorization());
    expect(await scenario.browser.heading()).toBe(`Allow ${scenario.app.name} to act for you?`);
  });

  it('ends the sign-ins of all devices with one button, and the app must ask again', async () => {
    const { onPhone, onLaptop } = await connectTwice();
    await scenario.browser.goto('/account/apps');
    expect(await removeButton().count()).toBe(1);
    await scenario.browser.clickButton('Remove access');
    expect(await status()).toContain('All its sign-ins ended');
    for (const token of [onPhone, onLaptop]) expect((await scenario.app.refreshTokens(token)).status).toBe(400);
    await scenario.browser.goto(scenario.app.startAuthorization());
    expect(await scenario.browser.heading()).toBe(`Allow ${scenario.app.name} to act for you?`);
  });

  it('ends one sign-in with the keyboard, and says that the other stays', async () => {
    const { onPhone, onLaptop } = await connectTwice();
    await scenario.browser.goto('/account/apps');
    const order: string[] = [];
    await scenario.browser.page.getByRole('link', { name: 'What it did' }).focus();
    await scenario.browser.waitForNavigation(() => scenario.browser.page.keyboard.press('Enter'));
    while (order.at(-1) !== 'Remove access') {
      await scenario.browser.page.keyboard.press('Tab');
      order.push(await scenario.browser.page.locator(':focus').innerText());
      if (order.length > 30) throw new Error(`There is no "Remove access" among ${order.join(', ')}.`);
    }
    expect(order.slice(-3)).toEqual(['End this sign-in', 'End this sign-in', 'Remove access']);
    await scenario.browser.page.keyboard.press('Shift+Tab');
    await scenario.browser.waitForNavigation(() => scenario.browser.page.keyboard.press('Enter'));
    expect(await status()).toBe(`One sign-in of ${scenario.app.name} ended. Its other sign-ins stay.`);
    expect((await scenario.app.refreshTokens(onPhone)).status).toBe(400);
    expect((await scenario.app.refreshTokens(onLaptop)).status).toBe(200);
  });

  it('shows two devices as two entries, and ends one without the other', async () => {
    const { onPhone, onLaptop } = await connectTwice();
    await scenario.browser.goto('/account/apps');
    expect(await rows().count()).toBe(1);
    await openApp();
    expect(await endButton().count()).toBe(2);
    const phone = scenario.browser.page
      .locator('.row-list > li')
      .filter({ hasText: /Connected since\s*March 1, 2030/ });
    await scenario.browser.waitForNavigation(() => phone.getByRole('button').click());
    expect([await endButton().count(), await removeButton().count()]).toEqual([0, 1]);
    expect((await scenario.app.refreshTokens(onPhone)).status).toBe(400);
    expect((await scenario.app.refreshTokens(onLaptop)).status).toBe(200);
  });

  it('describes each button with its app, and with its sign-in, for screen readers', async () => {
    await connectTwice();
    await scenario.browser.goto('/account/apps');
    const describe = async (button: Locator): Promise<string> => {
      const ids = (await button.getAttribute('aria-describedby'))!.split(' ');
      const texts = await Promise.all(ids.map((id) => scenario.browser.page.locator(`[id="${id}"]`).innerText()));
      return texts.join(' ');
    };
    expect(await describe(removeButton())).toBe(scenario.app.name);
    await openApp();
    expect(await describe(endButton().first())).toMatch(/Chrome \(Linux\).*Connected since\s+March 2, 2030/s);
  });

  it('offers no ended sign-in after the back button', async () => {
    const { onLaptop } = await connectTwice();
    await scenario.browser.goto('/account/apps');
    await openApp();
    await scenario.browser.waitForNavigation(() => endButton().last().click());
    await scenario.browser.page.goBack();
    expect(await endButton().count()).toBe(0);
    expect((await scenario.app.refreshTokens(onLaptop)).status).toBe(200);
  });

  it('stays correct after a reload and after the back button', async () => {
    await connect();
    await scenario.browser.goto('/account/apps');
    await scenario.browser.clickButton('Remove access');
    await scenario.browser.page.reload();
    expect(await scenario.browser.text()).toContain('No app is connected to your account.');
    await scenario.browser.page.goBack();
    expect(await removeButton().count()).toBe(0);
  });

  it('undoes what an app did, line by line and at once', async () => {
    await scenario.browser.goto(
      scenario.app.startAuthorization({ scope: 'openid collections:read collections:write' }),
    );
    await scenario.browser.signIn(scenario.account);
    await scenario.browser.clickButton('Allow');
    const token = (await scenario.app.exchangeCode()).body.access_token as string;
    const send = (path: string, body: object) =>
      scenario.environment.server.request('POST', `/api/collections${path}`, { token, body });
    const { id } = (await send('', { name: 'Foxes' })).body;
    await send(`/${id}`, { name: 'Advertisements' });
    await scenario.browser.goto('/account/apps');
    expect(await scenario.browser.text()).toContain('1 collection changed; most recently: today · What it did');
    await openApp();
    const undo = scenario.browser.page.getByRole('button', { name: 'Undo', exact: true });
    await scenario.browser.waitForNavigation(() => undo.first().click());
    expect(await status()).toBe('Undone.');
    expect(await undo.count()).toBe(1);
    await scenario.browser.waitForNavigation(() =>
      scenario.browser.page.getByRole('link', { name: 'Foxes' }).first().click(),
    );
    expect(await scenario.browser.heading()).toBe('Foxes');
    await scenario.browser.page.goBack();
    await scenario.browser.clickButton('Remove access and undo');
    expect(await status()).toMatch(/^Undone: 1\. The access of .* was removed\./);
    expect(await undo.count()).toBe(0);
    expect(await removeButton().count()).toBe(0);
  });
});
