import { describe, expect, it } from '@jest/globals';
import { STATE } from '../support/authorization-flow.js';
import { createAccount } from '../support/factories.js';
import { BrowserScenario } from '../support/browser-scenario.js';

const MARKERS_READ_LABEL = 'Artworks and other places on the map can be searched and looked up';
const EDITS_WRITE_LABEL = 'Changes to artworks and artists can be suggested for you';
const PROFILE_LABEL = 'Your name, username and profile picture can be seen';

describe('Consent page', () => {
  const scenario = BrowserScenario.use({ requiredScopes: ['markers:read'] });

  const openidLabel = (): string => `Your identity is known to ${scenario.app.name}`;

  const openConsentPage = async (): Promise<void> => {
    await scenario.browser.goto(scenario.app.startAuthorization());
    await scenario.browser.signIn(scenario.account);
    expect(await scenario.browser.heading()).toBe(`Allow ${scenario.app.name} to act for you?`);
  };

  it('shows the app, the account, the scopes, and the redirect host', async () => {
    await openConsentPage();
    const text = await scenario.browser.text();
    expect(text).toMatch(/Registered on \w+ \d+, \d{4}\./);
    expect(text).not.toContain('the people who run this map');
    expect(text).toContain('Used by fewer than 10 people.');
    expect(text).toContain(`Signed in as ${scenario.account.name}`);
    expect(text).toContain(`You then continue to ${new URL(scenario.app.origin).host}.`);
    for (const scope of [openidLabel(), PROFILE_LABEL, MARKERS_READ_LABEL, EDITS_WRITE_LABEL]) {
      expect(await scenario.browser.checkbox(scope).isChecked()).toBe(true);
    }
    expect(await scenario.browser.page.getByRole('checkbox').count()).toBe(4);
  });

  it('grants all requested scopes with Allow', async () => {
    await openConsentPage();
    await scenario.browser.clickButton('Allow');
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
    expect(scenario.app.receivedCallbacks).toEqual([
      { code: expect.any(String), state: STATE, iss: scenario.environment.url },
    ]);
    const { status, body } = await scenario.app.exchangeCode();
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'openid profile markers:read edits:write' });
  });

  it('returns only access_denied with Deny', async () => {
    await openConsentPage();
    await scenario.browser.clickButton('Deny');
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
    expect(scenario.app.receivedCallbacks).toEqual([
      { error: 'access_denied', error_description: expect.any(String), state: STATE, iss: scenario.environment.url },
    ]);
  });

  it('grants the checked scopes, and names them in the token response', async () => {
    await openConsentPage();
    await scenario.browser.checkbox(EDITS_WRITE_LABEL).uncheck();
    await scenario.browser.clickButton('Allow');
    expect((await scenario.app.exchangeCode()).body.scope).toBe('openid profile markers:read');
  });

  it('toggles a checkbox with a click on its label', async () => {
    await openConsentPage();
    await scenario.browser.page.getByText(EDITS_WRITE_LABEL).click();
    expect(await scenario.browser.checkbox(EDITS_WRITE_LABEL).isChecked()).toBe(false);
  });

  it('disables the checkboxes of required scopes', async () => {
    await openConsentPage();
    for (const scope of [openidLabel(), MARKERS_READ_LABEL]) {
      expect(await scenario.browser.checkbox(scope).isDisabled()).toBe(true);
      await scenario.browser.page.getByText(scope).click({ force: true });
      expect(await scenario.browser.checkbox(scope).isChecked()).toBe(true);
    }
    expect(await scenario.browser.page.getByText('Required by the app').count()).toBe(2);
    await scenario.browser.checkbox(PROFILE_LABEL).uncheck();
    await scenario.browser.checkbox(EDITS_WRITE_LABEL).uncheck();
    await scenario.browser.clickButton('Allow');
    expect((await scenario.app.exchangeCode()).body.scope).toBe('openid markers:read');
  });

  it('is skipped for granted scopes, and shown for new ones', async () => {
    await scenario.browser.goto(scenario.app.startAuthorization({ scope: 'openid markers:read' }));
    await scenario.browser.signIn(scenario.account);
    await scenario.browser.clickButton('Allow');
    await scenario.browser.goto(scenario.app.startAuthorization({ scope: 'openid' }));
    expect(scenario.browser.page.url().split('?')[0]).toBe(scenario.app.redirectUri);
    expect((await scenario.app.exchangeCode()).body.scope).toBe('openid');
    await scenario.browser.goto(scenario.app.startAuthorization({ scope: 'openid markers:read edits:write' }));
    expect(await scenario.browser.heading()).toBe(`Allow ${scenario.app.name} to act for you?`);
  });

  it('shows new scopes apart from those that were allowed before', async () => {
    const { browser, app } = scenario;
    await browser.goto(app.startAuthorization({ scope: 'openid profile markers:read' }));
    await browser.signIn(scenario.account);
    await browser.clickButton('Allow');
    await app.exchangeCode();
    await browser.goto(app.startAuthorization({ scope: 'openid profile markers:read edits:write' }));
    expect(await browser.page.getByRole('heading', { level: 2 }).innerText()).toBe('New');
    expect(await browser.checkbox(EDITS_WRITE_LABEL).isVisible()).toBe(true);
    expect(await browser.checkbox(MARKERS_READ_LABEL).isVisible()).toBe(false);
    await browser.page.getByText('Already allowed (3)').click();
    expect(await browser.checkbox(MARKERS_READ_LABEL).isVisible()).toBe(true);
    await browser.checkbox(PROFILE_LABEL).uncheck();
    await browser.clickButton('Allow');
    expect((await app.exchangeCode()).body.scope).toBe('openid markers:read edits:write');
  });

  it('keeps the folded scopes when the person allows the new ones', async () => {
    const { browser, app } = scenario;
    await browser.goto(app.startAuthorization({ scope: 'openid profile' }));
    await browser.signIn(scenario.account);
    await browser.clickButton('Allow');
    await app.exchangeCode();
    await browser.goto(app.startAuthorization({ scope: 'openid profile edits:write' }));
    await browser.clickButton('Allow');
    expect((await app.exchangeCode()).body.scope).toBe('openid profile edits:write');
  });

  it('says that everything was allowed before when the app asks again', async () => {
    const { browser, app } = scenario;
    await browser.goto(app.startAuthorization({ scope: 'openid markers:read' }));
    await browser.signIn(scenario.account);
    await browser.clickButton('Allow');
    await app.exchangeCode();
    await browser.goto(app.startAuthorization({ scope: 'openid markers:read', prompt: 'consent' }));
    expect(await browser.text()).toContain(`You allowed ${app.name} all of this before.`);
    expect(await browser.checkbox(MARKERS_READ_LABEL).isVisible()).toBe(true);
  });

  it('grants the access for another account after a switch', async () => {
    const other = await createAccount(scenario.environment.server);
    await openConsentPage();
    await scenario.browser.clickLink('Use another account');
    expect(await scenario.browser.text()).toContain(`You are signed in as ${scenario.account.name}`);
    await scenario.browser.signIn(other);
    expect(await scenario.browser.text()).toContain(`Signed in as ${other.name}`);
    await scenario.browser.clickButton('Allow');
    const { access_token } = (await scenario.app.exchangeCode()).body;
    const { body } = await scenario.environment.server.request('GET', '/api/oauth/userinfo', { token: access_token });
    expect(body.sub).toBe(other.id);
  });

  it('returns from the account switch', async () => {
    await openConsentPage();
    await scenario.browser.clickLink('Use another account');
    await scenario.browser.clickLink(`Continue as ${scenario.account.name}`);
    expect(await scenario.browser.heading()).toBe(`Allow ${scenario.app.name} to act for you?`);
  });
});
