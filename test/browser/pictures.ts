import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import type { Account } from '../../src/accounts/account.entity.js';
import { ask, connect, signedIn } from '../support/authorize.js';
import { Chromium } from '../support/chromium.js';
import { newAccount, newApp, type TestApp } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { at as clockAt, backToNow, DAY, later } from '../support/time.js';

/** The folder for the pictures of the docs: `SCREENSHOTS=docs npm run test:browser` makes them, and nothing else. */
const FOLDER = process.env['SCREENSHOTS']!;

const WIDE = { viewport: { width: 760, height: 1000 }, deviceScaleFactor: 2 };
const PHONE = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, colorScheme: 'dark' } as const;

describe('The pictures of the docs', () => {
  let chromium: Chromium;
  let app: TestApp;
  let mila: Account;
  let tomas: Account;

  beforeAll(async () => {
    clockAt(Date.UTC(2027, 4, 3, 9, 30));
    chromium = await Chromium.start();
    mila = await newAccount(chromium.service, { username: 'mila', name: 'Mila Vos' });
    tomas = await newAccount(chromium.service, { username: 'tomas', name: 'Tomáš Dvořák' });
    app = await newApp(chromium.service, {
      name: 'WallWalker',
      description: 'Walks from mural to mural, and keeps the ones you liked.',
      homePage: 'https://app.example.org/',
      scopes: ['openid', 'profile', 'markers:read', 'artists:read', 'collections:write', 'edits:write'],
      requiredScopes: ['markers:read'],
      ownerId: tomas.id,
    });
  });
  afterEach(() => chromium.leave());
  afterAll(async () => {
    backToNow();
    await chromium.stop();
  });

  /** Somebody signs in on the way to a page, and sees it. */
  const at = async (path: string, account: Account, how: BrowserContextOptions): Promise<Person> => {
    const person = await chromium.person(how);
    await person.open(path);
    await person.signIn(account);
    return person;
  };
  const draw = async ({ page }: Person, name: string, fullPage = true): Promise<void> => {
    await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage });
  };

  it('show signing in, consent by day and by night, connected apps, and an app as its developer sees it', async () => {
    const stranger = await chromium.person({ ...WIDE, viewport: { width: 760, height: 520 } });
    await stranger.open('/sign-in');
    await draw(stranger, 'sign-in');

    const { path } = ask(app, { scope: 'openid profile markers:read collections:write edits:write' });
    await draw(await at(path, mila, WIDE), 'consent');
    await draw(await at(path, mila, PHONE), 'consent-dark');

    const visitor = await signedIn(chromium.service, mila);
    for (const scope of ['openid profile markers:read collections:write', 'openid markers:read']) {
      await connect(chromium.service, app, visitor, { scope, prompt: 'consent' });
      later(2 * DAY);
    }
    await draw(await at('/account/apps', mila, WIDE), 'connected-apps');
    await draw(await at(`/developer/apps/${app.app.id}`, tomas, WIDE), 'developer-app', false);
  });
});
