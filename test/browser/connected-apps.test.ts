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
  const cards = (): Locator => scenario.browser.page.getByRole('main').getByRole('region');
  const removeButton = (): Locator => scenario.browser.button('Remove access');

  it('shows a message when there is no connected app', async () => {
    await scenario.browser.goto('/account/apps');
    await scenario.browser.signIn(scenario.account);
    expect(await scenario.browser.text()).toContain('No app is connected to your account.');
    expect(await removeButton().count()).toBe(0);
  });

  it('shows each app with its scopes, the date of access, and the last use', async () => {
    setClock(FIRST_ACCESS_TIME_MS);
    const token = await connect();
    advanceClock(2 * DAY_MS);
    expect((await scenario.app.refreshTokens(token)).status).toBe(200);
    await scenario.browser.goto('/account/apps');
    const card = scenario.browser.page.getByRole('region', { name: scenario.app.name, exact: true });
    const text = await card.innerText();
    expect(text).toContain('Walks from mural to mural.');
    expect(text).toContain('Allowed on March 1, 2030.');
    expect(text).toMatch(/Connected since\s+March 1, 2030 at 9:30 AM UTC/);
    expect(text).toMatch(/Last used\s+March 3, 2030 at 9:30 AM UTC/);
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual([
      "The person's identity is known to the service",
      'Artworks and other places on the map can be searched and looked up',
    ]);
  });

  it('revokes the access at once, and the app must ask again', async () => {
    const token = await connect();
    await scenario.browser.goto('/account/apps');
    await scenario.browser.clickButton('Remove access');
    expect(await scenario.browser.page.getByRole('status').innerText()).toBe(
      `The access of ${scenario.app.name} was removed.`,
    );
    expect(await scenario.browser.text()).toContain('No app is connected to your account.');
    const { status, body } = await scenario.app.refreshTokens(token);
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    await scenario.browser.goto(scenario.app.startAuthorization());
    expect(await scenario.browser.heading()).toBe(`Allow ${scenario.app.name} to act for you?`);
  });

  it('shows two devices as two entries, and removes one without the other', async () => {
    setClock(FIRST_ACCESS_TIME_MS);
    const onPhone = await connect();
    advanceClock(DAY_MS);
    const onLaptop = await connect(await scenario.environment.openPage({}, [scenario.app]));
    await scenario.browser.goto('/account/apps');
    expect(await cards().count()).toBe(1);
    expect(await removeButton().count()).toBe(2);
    const phone = cards()
      .locator('.access')
      .filter({ hasText: /Last used\s*March 1, 2030/ });
    await scenario.browser.waitForNavigation(() => phone.getByRole('button').click());
    expect(await removeButton().count()).toBe(1);
    expect((await scenario.app.refreshTokens(onPhone)).status).toBe(400);
    expect((await scenario.app.refreshTokens(onLaptop)).status).toBe(200);
  });

  it('describes each button with its app and access for screen readers', async () => {
    await connect();
    await scenario.browser.goto('/account/apps');
    const described = (await removeButton().getAttribute('aria-describedby'))!.split(' ');
    const texts = await Promise.all(described.map((id) => scenario.browser.page.locator(`[id="${id}"]`).innerText()));
    expect(texts.join(' ')).toMatch(new RegExp(`${scenario.app.name}.*Connected since`, 's'));
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
});
