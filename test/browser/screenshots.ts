import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { createAuthorizationRequest, authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { setClock as clockAt, restoreClock, DAY_MS, advanceClock } from '../support/fake-clock.js';

/** The folder of the screenshots: `SCREENSHOTS=docs npm run test:browser` creates them. */
const SCREENSHOT_FOLDER = process.env['SCREENSHOTS']!;

const WIDE_SCREEN = { viewport: { width: 760, height: 1000 }, deviceScaleFactor: 2 };
const PHONE_SCREEN = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, colorScheme: 'dark' } as const;

describe('Screenshots', () => {
  let environment: BrowserEnvironment;
  let app: TestApp;
  let mila: Account;
  let tomas: Account;

  beforeAll(async () => {
    clockAt(Date.UTC(2027, 4, 3, 9, 30));
    environment = await BrowserEnvironment.start();
    mila = await createAccount(environment.server, { username: 'mila', name: 'Mila Vos' });
    tomas = await createAccount(environment.server, { username: 'tomas', name: 'Tomáš Dvořák' });
    app = await registerApp(environment.server, {
      name: 'WallWalker',
      description: 'Walks from mural to mural, and keeps the ones you liked.',
      homePage: 'https://app.example.org/',
      scopes: ['openid', 'profile', 'markers:read', 'artists:read', 'collections:write', 'edits:write'],
      requiredScopes: ['markers:read'],
      ownerId: tomas.id,
    });
  });
  afterEach(() => environment.closePages());
  afterAll(async () => {
    restoreClock();
    await environment.stop();
  });

  /** Opens a page that requires a session, and signs in. */
  const at = async (path: string, account: Account, how: BrowserContextOptions): Promise<BrowserPage> => {
    const browser = await environment.openPage(how);
    await browser.goto(path);
    await browser.signIn(account);
    return browser;
  };
  const takeScreenshot = async ({ page }: BrowserPage, name: string, fullPage = true): Promise<void> => {
    await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`), fullPage });
  };

  it('show sign-in, consent in light and dark, connected apps, and the page of an app', async () => {
    const otherBrowser = await environment.openPage({ ...WIDE_SCREEN, viewport: { width: 760, height: 520 } });
    await otherBrowser.goto('/sign-in');
    await takeScreenshot(otherBrowser, 'sign-in');

    const { path } = createAuthorizationRequest(app, {
      scope: 'openid profile markers:read collections:write edits:write',
    });
    await takeScreenshot(await at(path, mila, WIDE_SCREEN), 'consent');
    await takeScreenshot(await at(path, mila, PHONE_SCREEN), 'consent-dark');

    const browser = await openSignedInBrowser(environment.server, mila);
    for (const scope of ['openid profile markers:read collections:write', 'openid markers:read']) {
      await authorizeApp(environment.server, app, browser, { scope, prompt: 'consent' });
      advanceClock(2 * DAY_MS);
    }
    await takeScreenshot(await at('/account/apps', mila, WIDE_SCREEN), 'connected-apps');
    await takeScreenshot(await at(`/developer/apps/${app.app.id}`, tomas, WIDE_SCREEN), 'developer-app', false);
  });
});
