import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Language, LANGUAGES } from '../../src/words/language.js';
import { fill } from '../../src/words/fill.js';
import { Chromium } from '../support/chromium.js';
import { newAccount } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';

describe('The pages speak', () => {
  let chromium: Chromium;
  let app: ThirdParty;

  beforeAll(async () => {
    chromium = await Chromium.start();
    app = await ThirdParty.start(chromium.service, { name: 'WallWalker' });
  });
  afterEach(() => chromium.leave());
  afterAll(async () => {
    await app.stop();
    await chromium.stop();
  });

  /** Goes from the app through signing in, with a wrong password first, to what was allowed; all in one language. */
  const goThrough = async (person: Person, language: Language, path: string): Promise<void> => {
    const { username, name } = await newAccount(chromium.service);
    const { signIn, consent, scopes, apps } = LANGUAGES[language];
    const speaks = async (title: string): Promise<void> => {
      const lang = await person.page.locator('html').getAttribute('lang');
      expect({ lang, title: await person.heading() }).toEqual({ lang: language, title });
    };
    await person.open(path);
    await speaks(signIn.title);
    for (const password of ['wrong horse', 'correct horse']) {
      await person.fill({ [signIn.username]: username, [signIn.password]: password });
      if (password === 'wrong horse') {
        await person.press(signIn.button);
        await speaks(signIn.title);
        expect(await person.page.getByRole('alert').innerText()).toBe(signIn.wrong);
      }
    }
    await person.press(signIn.button);
    await speaks(fill(consent.title, { app: 'WallWalker' }));
    expect(await person.text()).toContain(name);
    await person.follow(consent.switch);
    await speaks(signIn.title);
    await person.page.goBack();
    expect(await person.box(scopes.openid).isChecked()).toBe(true);
    await person.box(scopes['edits:write']).uncheck();
    await person.press(consent.allow);
    expect((await app.exchange()).body.scope).toBe('openid profile markers:read');
    if (!path.includes('ui_locales')) {
      await person.open('/account/apps');
      await speaks(apps.title);
      expect(await person.button(apps.remove).count()).toBe(1);
    }
  };

  it.each<[Language, string]>([
    ['es', 'es-MX'],
    ['fr', 'fr-FR'],
    ['pt', 'pt-BR'],
    ['de', 'de-AT'],
  ])('%s with a browser that asks for %s', async (language, locale) => {
    await goThrough(await chromium.person({ locale }, [app]), language, app.ask());
  });

  it('what the app asks for, whatever the browser does', async () => {
    const person = await chromium.person({ locale: 'fr' }, [app]);
    await goThrough(person, 'de', app.ask({ ui_locales: 'tlh de en' }));
  });

  it('English with a browser that asks for none of theirs', async () => {
    await goThrough(await chromium.person({ locale: 'ja' }, [app]), 'en', app.ask());
  });
});
