import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Language, MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { describeScope } from '../../src/identity/scopes/scope-messages.js';
import { interpolate } from '../../src/platform/i18n/interpolate.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

describe('The pages speak', () => {
  let chromium: BrowserEnvironment;
  let app: ClientApp;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
    app = await ClientApp.start(chromium.server, { name: 'WallWalker' });
  });
  afterEach(() => chromium.closePages());
  afterAll(async () => {
    await app.stop();
    await chromium.stop();
  });

  /** Goes from the app through signing in, with a wrong password first, to what was allowed; all in one language. */
  const goThrough = async (person: BrowserPage, language: Language, path: string): Promise<void> => {
    const { username, name } = await createAccount(chromium.server);
    const { signIn, consent, connectedApps } = MESSAGES_BY_LANGUAGE[language];
    const speaks = async (title: string): Promise<void> => {
      const lang = await person.page.locator('html').getAttribute('lang');
      expect({ lang, title: await person.heading() }).toEqual({ lang: language, title });
    };
    await person.goto(path);
    await speaks(signIn.title);
    for (const password of ['wrong horse', 'correct horse']) {
      await person.fillFields({ [signIn.username]: username, [signIn.password]: password });
      if (password === 'wrong horse') {
        await person.clickButton(signIn.button);
        await speaks(signIn.title);
        expect(await person.page.getByRole('alert').innerText()).toBe(signIn.invalidCredentials);
      }
    }
    await person.clickButton(signIn.button);
    await speaks(interpolate(consent.title, { app: 'WallWalker' }));
    expect(await person.text()).toContain(name);
    await person.clickLink(consent.switchAccount);
    await speaks(signIn.title);
    await person.page.goBack();
    expect(await person.checkbox(describeScope('openid', language)).isChecked()).toBe(true);
    await person.checkbox(describeScope('edits:write', language)).uncheck();
    await person.clickButton(consent.allow);
    expect((await app.exchangeCode()).body.scope).toBe('openid profile markers:read');
    if (!path.includes('ui_locales')) {
      await person.goto('/account/apps');
      await speaks(connectedApps.title);
      expect(await person.button(connectedApps.remove).count()).toBe(1);
    }
  };

  it.each<[Language, string]>([
    ['es', 'es-MX'],
    ['fr', 'fr-FR'],
    ['pt', 'pt-BR'],
    ['de', 'de-AT'],
  ])('%s with a browser that asks for %s', async (language, locale) => {
    await goThrough(await chromium.openPage({ locale }, [app]), language, app.startAuthorization());
  });

  it('what the app asks for, whatever the browser does', async () => {
    const person = await chromium.openPage({ locale: 'fr' }, [app]);
    await goThrough(person, 'de', app.startAuthorization({ ui_locales: 'tlh de en' }));
  });

  it('English with a browser that asks for none of theirs', async () => {
    await goThrough(await chromium.openPage({ locale: 'ja' }, [app]), 'en', app.startAuthorization());
  });
});
