import { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES } from '../../src/identity/oauth/refresh-token-validity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { fillByName, type OpenPageState, signInNewMember, submitForm } from './page-state-actions.js';
import type { PageStateContext } from './page-state-context.js';
import type { BrowserPage } from '../support/browser-page.js';

let appSequence = 0;

/** Registers an app of a new developer and opens its page. @returns its id */
async function openOwnAppPage(browser: BrowserPage, context: PageStateContext): Promise<string> {
  const { environment, detailedApp } = context;
  const developer = await signInNewMember(browser, context, 'Tomáš Dvořák');
  const { app } = await environment.server.get(AppsService).register({
    name: `ReviewDesk ${++appSequence}`,
    description: 'Helps reviewers go through suggested changes.',
    redirectUris: ['https://reviewdesk.example/callback', detailedApp.redirectUri],
    scopes: ['openid', 'profile', 'edits:read', 'edits:review'],
    requiredScopes: ['edits:read'],
    ownerId: developer.id,
  });
  await browser.goto(`/developer/apps/${app.id}`);
  return app.id;
}

/** Opens the question before the secret of a new app is replaced. @returns the id of the app */
async function openReplaceSecretPage(browser: BrowserPage, context: PageStateContext): Promise<string> {
  const id = await openOwnAppPage(browser, context);
  await browser.goto(`/developer/apps/${id}/secret`);
  return id;
}

/** Lets the password of every session be entered long ago. */
async function forgetPasswords({ environment: { server } }: PageStateContext): Promise<void> {
  await server.get(TransactionService).run((tx) => tx.updateAll(Session, { authTime: new Date(0) }));
}

/** The pages of developers in each of their states. */
export const DEVELOPER_PAGE_STATES: Record<string, OpenPageState> = {
  'no apps of a developer': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/developer/apps');
  },
  'apps of a developer': async (browser, context) => {
    await openOwnAppPage(browser, context);
    await submitForm(browser, '/disable');
    await browser.goto('/developer/apps');
  },
  'new app': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/developer/apps/new');
  },
  'new app with errors': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/developer/apps/new');
    for (const box of await browser.page.getByRole('checkbox').all()) await box.uncheck({ force: true });
    await browser.page.locator('summary').click();
    await fillByName(browser, { homePage: 'wallwalker', redirectUris: 'http://wallwalker.example/callback' });
    await submitForm(browser);
  },
  'secret of an app': async (browser, context) => {
    await openReplaceSecretPage(browser, context);
    await submitForm(browser, '/secret');
  },
  app: async (browser, context) => {
    await openOwnAppPage(browser, context);
  },
  'app with failed calls': async (browser, context) => {
    const id = await openOwnAppPage(browser, context);
    const failure = {
      endpoint: 'POST /api/oauth/token',
      errorCode: 'invalid_grant',
      reason: REFRESH_TOKEN_REJECTION_MESSAGES.used,
    };
    for (let count = 0; count < 3; count++) context.environment.server.get(FailedCallsService).record(id, failure);
    for (let count = 0; count < 15; count++) {
      const sent = `https://wallwalker.example/a/rather/long/address/of/an/app?page=${'x'.repeat(count * 40)}`;
      context.environment.server.get(FailedCallsService).record(id, {
        endpoint: `GET /api/oauth/authorize/${Math.max(count, 4)}`,
        errorCode: 'invalid_redirect_uri',
        reason: 'redirect_uri is not registered. Register it exactly as the app sends it.',
        accepted: {
          source: 'registered',
          values: ['https://wallwalker.example/callback', context.detailedApp.redirectUri],
        },
        sent: count === 0 ? '' : sent,
      });
    }
    await browser.goto(`/developer/apps/${id}`);
    await browser.page.locator('summary').first().click();
  },
  'app with an old secret': async (browser, context) => {
    const id = await openReplaceSecretPage(browser, context);
    await browser.page.locator('#keepOld').selectOption('24h');
    await submitForm(browser, '/secret');
    await browser.goto(`/developer/apps/${id}`);
  },
  'app with a wrong time for its old secret': async (browser, context) => {
    await openReplaceSecretPage(browser, context);
    await browser.page
      .locator('#keepOld option')
      .last()
      .evaluate((option) => option.setAttribute('value', '8d'));
    await browser.page.locator('#keepOld').selectOption('8d');
    await submitForm(browser, '/secret');
  },
  'app with a wrong icon': async (browser, context) => {
    const id = await openOwnAppPage(browser, context);
    await browser.page.setInputFiles('#picture', {
      name: 'icon.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    });
    await submitForm(browser, `/developer/apps/${id}/icon`);
  },
  'secret to replace': async (browser, context) => {
    await openReplaceSecretPage(browser, context);
  },
  'secret to replace with a wrong password': async (browser, context) => {
    const id = await openReplaceSecretPage(browser, context);
    await forgetPasswords(context);
    await browser.goto(`/developer/apps/${id}/secret`);
    await fillByName(browser, { password: 'wrong horse' });
    await submitForm(browser, '/secret');
  },
  'app without a password': async (browser, context) => {
    const id = await openOwnAppPage(browser, context);
    await forgetPasswords(context);
    await browser.goto(`/developer/apps/${id}`);
    await submitForm(browser, `/developer/apps/${id}`);
  },
  'app to delete': async (browser, context) => {
    const id = await openOwnAppPage(browser, context);
    await browser.goto(`/developer/apps/${id}/delete`);
  },
  'app to delete with a wrong password': async (browser, context) => {
    const id = await openOwnAppPage(browser, context);
    await forgetPasswords(context);
    await browser.goto(`/developer/apps/${id}/delete`);
    await fillByName(browser, { password: 'wrong horse' });
    await submitForm(browser, '/delete');
  },
  'app just deleted': async (browser, context) => {
    const id = await openOwnAppPage(browser, context);
    await browser.goto(`/developer/apps/${id}/delete`);
    await submitForm(browser, '/delete');
  },
  'app just registered': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/developer/apps/new');
    await fillByName(browser, {
      name: `Route Planner ${++appSequence}`,
      redirectUris: 'https://routes.example/callback',
    });
    await submitForm(browser);
  },
  'app just saved': async (browser, context) => {
    await openOwnAppPage(browser, context);
    await browser.waitForNavigation(() => browser.page.locator('main form:has(textarea) button').click());
  },
  'disabled app': async (browser, context) => {
    await openOwnAppPage(browser, context);
    await submitForm(browser, '/disable');
  },
  'app disabled by the operator': async (browser, context) => {
    const id = await openOwnAppPage(browser, context);
    await context.environment.server.get(AppsService).disable(id);
    await browser.goto(`/developer/apps/${id}`);
  },
};
