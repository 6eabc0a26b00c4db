import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import type { NewApp } from '../../src/identity/apps/new-app.js';
import { BrowserEnvironment } from './browser-environment.js';
import type { BrowserPage } from './browser-page.js';
import { ClientApp } from './client-app.js';
import { createAccount } from './factories.js';
import { restoreClock } from './fake-clock.js';

/** Chromium with one page, an app and an account that is not signed in. */
export class BrowserScenario {
  environment!: BrowserEnvironment;
  app!: ClientApp;
  /** A second app, for redirects from the first one. */
  otherApp!: ClientApp;
  account!: AccountWithEmail;
  browser!: BrowserPage;

  /** Starts Chromium for the file; each test gets new apps, a new account and a new page. */
  static use(appOverrides: Partial<NewApp> = {}): BrowserScenario {
    const scenario = new BrowserScenario();
    beforeAll(async () => {
      scenario.environment = await BrowserEnvironment.start();
    });
    beforeEach(async () => {
      const { environment } = scenario;
      scenario.app = await ClientApp.start(environment.server, appOverrides);
      scenario.otherApp = await ClientApp.start(environment.server);
      scenario.account = await createAccount(environment.server);
      scenario.browser = await environment.openPage({}, [scenario.app, scenario.otherApp]);
    });
    afterEach(async () => {
      restoreClock();
      const { environment, app, otherApp } = scenario;
      // A page requests the favicon of an app, so the apps stop last, even when a page has a
      // violation.
      await environment.closePages().finally(() => Promise.all([app.stop(), otherApp.stop()]));
    });
    afterAll(() => scenario.environment.stop());
    return scenario;
  }
}
