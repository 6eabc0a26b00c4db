import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { createAuthorizationRequest, authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { setClock as clockAt, restoreClock, DAY_MS, advanceClock } from '../support/fake-clock.js';

/** The folder for the pictures of the docs: `SCREENSHOTS=docs npm run test:browser` makes them, and nothing else. */
const SCREENSHOT_FOLDER = process.env['SCREENSHOTS']!;

const WIDE_SCREEN = { viewport: { width: 760, height: 1000 }, deviceScaleFactor: 2 };
const PHONE_SCREEN = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, colorScheme: 'dark' } as const;

describe('The pictures of the docs', () => {
  let chromium: BrowserEnvironment;
  let app: TestApp;
  let mila: Account;
  let tomas: Account;

  beforeAll(async () => {
    clockAt(Date.UTC(2027, 4, 3, 9, 30));
    chromium = await BrowserEnvironment.start();
    mila = await createAccount(chromium.server, { username: 'mila', name: 'Mila Vos' });
    tomas = await createAccount(chromium.server, { username: 'tomas', name: 'Tomáš Dvořák' });
    app = await registerApp(chromium.server, {
      name: 'WallWalker',
      description: 'Walks from mural to mural, and keeps the ones you liked.',
      homePage: 'https://app.example.org/',
      scopes: ['openid', 'profile', 'markers:read', 'artists:read', 'collections:write', 'edits:write'],
      requiredScopes: ['markers:read'],
      ownerId: tomas.id,
    });
  });
  afterEach(() => chromium.closePages());
  afterAll(async () => {
    restoreClock();
    await chromium.stop();
  });

  /** Somebody signs in on the way to a page, and sees it. */
  const at = async (path: string, account: Account, how: BrowserContextOptions): Promise<BrowserPage> => {
    const person = await chromium.openPage(how);
    await person.goto(path);
    await person.signIn(account);
    return person;
  };
  const draw = async ({ page }: BrowserPage, name: string, fullPage = true): Promise<void> => {
    await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`), fullPage });
  };

  it('show signing in, consent by day and by night, connected apps, and an app as its developer sees it', async () => {
    const stranger = await chromium.openPage({ ...WIDE_SCREEN, viewport: { width: 760, height: 520 } });
    await stranger.goto('/sign-in');
    await draw(stranger, 'sign-in');

    const { path } = createAuthorizationRequest(app, {
      scope: 'openid profile markers:read collections:write edits:write',
    });
    await draw(await at(path, mila, WIDE_SCREEN), 'consent');
    await draw(await at(path, mila, PHONE_SCREEN), 'consent-dark');

    const browser = await openSignedInBrowser(chromium.server, mila);
    for (const scope of ['openid profile markers:read collections:write', 'openid markers:read']) {
      await authorizeApp(chromium.server, app, browser, { scope, prompt: 'consent' });
      advanceClock(2 * DAY_MS);
    }
    await draw(await at('/account/apps', mila, WIDE_SCREEN), 'connected-apps');
    await draw(await at(`/developer/apps/${app.app.id}`, tomas, WIDE_SCREEN), 'developer-app', false);
  });
});
