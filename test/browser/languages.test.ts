import { describe, expect, it } from '@jest/globals';
import { type Language, MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { describeScope } from '../../src/identity/scopes/scope-messages.js';
import { interpolate } from '../../src/platform/i18n/interpolate.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { BrowserScenario } from '../support/browser-scenario.js';

describe('Page language', () => {
  const scenario = BrowserScenario.use();

  /**
   * Signs in, with a wrong password first, and grants the consent; every page must be in one
   * language.
   */
  const completeSignIn = async (browser: BrowserPage, language: Language, path: string): Promise<void> => {
    const { username, name } = await createAccount(scenario.environment.server);
    const { signIn, consent, connectedApps } = MESSAGES_BY_LANGUAGE[language];
    const expectLanguage = async (title: string): Promise<void> => {
      const lang = await browser.page.locator('html').getAttribute('lang');
      expect({ lang, title: await browser.heading() }).toEqual({ lang: language, title });
    };
    await browser.goto(path);
    await expectLanguage(signIn.title);
    for (const password of ['wrong horse', 'correct horse']) {
      await browser.fillFields({ [signIn.username]: username, [signIn.password]: password });
      if (password === 'wrong horse') {
        await browser.clickButton(signIn.button);
        await expectLanguage(signIn.title);
        expect(await browser.page.getByRole('alert').innerText()).toBe(signIn.invalidCredentials);
      }
    }
    await browser.clickButton(signIn.button);
    await expectLanguage(interpolate(consent.title, { app: scenario.app.name }));
    expect(await browser.text()).toContain(name);
    await browser.clickLink(consent.switchAccount);
    await expectLanguage(signIn.title);
    await browser.page.goBack();
    expect(await browser.checkbox(describeScope('openid', language, scenario.app.name)).isChecked()).toBe(true);
    await browser.checkbox(describeScope('edits:write', language, scenario.app.name)).uncheck();
    await browser.clickButton(consent.allow);
    expect((await scenario.app.exchangeCode()).body.scope).toBe('openid profile markers:read');
    if (!path.includes('ui_locales')) {
      await browser.goto('/account/apps');
      await expectLanguage(connectedApps.title);
      expect(await browser.button(connectedApps.remove).count()).toBe(1);
    }
  };

  it.each<[Language, string]>([
    ['es', 'es-MX'],
    ['fr', 'fr-FR'],
    ['pt', 'pt-BR'],
    ['de', 'de-AT'],
  ])('is %s in a browser with %s', async (language, locale) => {
    await completeSignIn(
      await scenario.environment.openPage({ locale }, [scenario.app]),
      language,
      scenario.app.startAuthorization(),
    );
  });

  it('is the language of ui_locales in any browser', async () => {
    const browser = await scenario.environment.openPage({ locale: 'fr' }, [scenario.app]);
    await completeSignIn(browser, 'de', scenario.app.startAuthorization({ ui_locales: 'tlh de en' }));
  });

  it('is English in a browser with an unsupported language', async () => {
    await completeSignIn(
      await scenario.environment.openPage({ locale: 'ja' }, [scenario.app]),
      'en',
      scenario.app.startAuthorization(),
    );
  });
});
