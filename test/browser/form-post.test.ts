import { describe, expect, it } from '@jest/globals';
import { BrowserScenario } from '../support/browser-scenario.js';

describe('The response of an authorization with response_mode=form_post', () => {
  const scenario = BrowserScenario.use();

  it('is posted by the browser at once', async () => {
    const { browser, app } = scenario;
    await browser.goto(app.startAuthorization({ response_mode: 'form_post' }));
    await browser.signIn(scenario.account);
    await browser.clickButton('Allow');
    await browser.page.waitForURL(app.redirectUri);
    expect(app.receivedCallbacks).toEqual([expect.objectContaining({ code: expect.stringMatching(/^sam_code_/) })]);
    expect((await app.exchangeCode()).status).toBe(200);
  });

  it('is posted by a button without scripts', async () => {
    const { app } = scenario;
    const browser = await scenario.environment.openPage({ javaScriptEnabled: false }, [app]);
    await browser.goto(app.startAuthorization({ response_mode: 'form_post' }));
    await browser.signIn(scenario.account);
    await browser.clickButton('Allow');
    expect(app.receivedCallbacks).toEqual([]);
    await browser.page.getByRole('button', { name: /^Continue to / }).click();
    await browser.page.waitForURL(app.redirectUri);
    expect((await app.exchangeCode()).status).toBe(200);
  });
});
