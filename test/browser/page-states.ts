import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { FailedCallsService } from '../../src/identity/clients/failed-calls/failed-calls.service.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES } from '../../src/identity/oauth/refresh-token-rejection.js';
import type { ActivityEventType } from '../../src/platform/audit/audit-event.entity.js';
import { AuditService } from '../../src/platform/audit/audit.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { en } from '../../src/platform/i18n/en.js';
import { ACCOUNT_PAGE_STATES } from './account-page-states.js';
import { CONSENT_PAGE_STATES } from './consent-page-states.js';
import { RECOVERY_PAGE_STATES } from './recovery-page-states.js';
import { fillByName, type OpenPageState, signInNewMember, submitForm } from './page-state-actions.js';
import type { PageStateContext } from './page-state-context.js';
import { ALL_SCOPES, createAccount, issueTokens } from '../support/factories.js';
import { createPasskey } from '../support/passkey-fixture.js';
import type { BrowserPage } from '../support/browser-page.js';

let appSequence = 0;

/** Registers an app of a new developer and opens its page. @returns its id */
async function openOwnAppPage(browser: BrowserPage, context: PageStateContext): Promise<string> {
  const { environment, detailedApp } = context;
  const developer = await signInNewMember(browser, context, 'Tomáš Dvořák');
  const { app } = await environment.server.get(AppsService).register({
    name: `ReviewDesk ${++appSequence}`,
    description: 'Goes through suggested changes with those who review them.',
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

/** Every page in each of its states; each function opens one, in any language. */
export const PAGE_STATES: Record<string, OpenPageState> = {
  home: (browser) => browser.goto('/'),
  'home of a member': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/');
  },
  'sign-in': (browser) => browser.goto('/sign-in'),
  'sign-in rejected': async (browser) => {
    await browser.goto('/sign-in');
    await fillByName(browser, { username: 'mila', password: 'wrong horse' });
    await submitForm(browser);
  },
  'sign-in rate-limited': async (browser) => {
    const form = { username: 'guessed', password: 'wrong horse' };
    for (let count = 0; count < 5; count++) await browser.page.context().request.post('/sign-in', { form });
    await browser.goto('/sign-in');
    await fillByName(browser, form);
    await submitForm(browser);
  },
  'sign-in of a blocked account': async (browser, { environment: { server } }) => {
    const { username } = await createAccount(server);
    await server.get(AccountsService).block(username, 'Posted advertisements.');
    await browser.goto('/sign-in');
    await fillByName(browser, { username, password: 'correct horse' });
    await submitForm(browser);
  },
  'sign-in with a session': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/sign-in');
  },
  'sign-in again for an app': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto(context.detailedApp.startAuthorization({ prompt: 'login' }));
  },
  'sign-up': (browser) => browser.goto('/sign-up'),
  'sign-up with errors': async (browser) => {
    await browser.goto('/sign-up');
    await fillByName(browser, { username: 'mila vos', name: 'Mila', email: 'mila', password: 'horse' });
    await submitForm(browser);
  },
  ...ACCOUNT_PAGE_STATES,
  ...RECOVERY_PAGE_STATES,
  ...CONSENT_PAGE_STATES,
  'no connected apps': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/apps');
  },
  'connected apps': async (browser, context) => {
    const { server } = context.environment;
    const account = await signInNewMember(browser, context);
    const { app } = context.detailedApp.registration;
    for (const scopes of [ALL_SCOPES.slice(0, 3), ALL_SCOPES]) await issueTokens(server, { app, account, scopes });
    await browser.goto(context.detailedApp.startAuthorization());
    await submitForm(browser);
    const { app: old } = context.minimalApp.registration;
    await issueTokens(server, { app: old, account, scopes: ['markers:read'] });
    await browser.goto('/account/apps');
  },
  'access removed': async (browser, context) => {
    const account = await signInNewMember(browser, context);
    const { app } = context.detailedApp.registration;
    for (const scopes of [ALL_SCOPES.slice(0, 3), ALL_SCOPES]) {
      await issueTokens(context.environment.server, { app, account, scopes });
    }
    await browser.goto('/account/apps');
    await submitForm(browser);
  },
  'no passkeys': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/passkeys');
  },
  'passkeys with an invalid form': async (browser, context) => {
    const account = await signInNewMember(browser, context);
    await createPasskey(context.environment.server, account);
    await browser.goto('/account/passkeys');
    await browser.button(await browser.page.locator('.actions button').innerText()).click();
    await browser.page.locator('[aria-invalid=true]').waitFor();
  },
  'passkey rejected at the sign-in': async (browser) => {
    await browser.goto('/sign-in');
    await browser.waitForNavigation(() =>
      browser.page.locator('form[data-passkey-request]').evaluate((form: HTMLFormElement) => form.submit()),
    );
  },
  'no activity': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/activity');
  },
  activity: async (browser, context) => {
    const { server } = context.environment;
    const { id: accountId } = await signInNewMember(browser, context);
    const events = Object.keys(en.activity.events) as ActivityEventType[];
    const apps = [context.detailedApp, context.minimalApp].map(({ registration }) => registration.app.id);
    for (const type of [...events, ...events, ...events, ...events]) {
      const happening = { type, accountId, appId: apps[0]!, detail: 'Posted advertisements.' };
      await server.get(TransactionService).run((tx) => server.get(AuditService).record(tx, happening));
      apps.reverse();
    }
    await browser.goto('/account/activity');
  },
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
    for (const box of await browser.page.getByRole('checkbox').all()) await box.uncheck();
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
    await browser.page.locator('summary').click();
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
  'secret to replace': async (browser, context) => {
    await openReplaceSecretPage(browser, context);
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
  'sign-out': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/sign-out');
  },
  'sign-out asked by an app': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto(`/api/oauth/logout?client_id=${context.detailedApp.id}`);
  },
  'signed out': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/sign-out');
    await submitForm(browser);
  },
  'unknown app': (browser) => browser.goto('/api/oauth/authorize'),
  'no such page': (browser) => browser.goto('/nowhere'),
  'document with commands and images': (browser) => browser.goto('/docs/app-developers'),
  'document with tables': (browser) => browser.goto('/docs/reference'),
  'document with long paths': (browser) => browser.goto('/docs/architecture'),
  'list of decisions': (browser) => browser.goto('/docs/decisions'),
  'decision record': (browser) => browser.goto('/docs/decisions/0002-openapi-descriptions-are-plain-metadata'),
  'no such document': (browser) => browser.goto('/docs/nowhere'),
};
