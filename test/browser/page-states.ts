import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import type { AuditEventType } from '../../src/platform/audit/audit-event.entity.js';
import { AuditService } from '../../src/platform/audit/audit.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { ACCOUNT_PAGE_STATES } from './account-page-states.js';
import { CONNECTED_APP_PAGE_STATES } from './connected-app-page-states.js';
import { CONSENT_PAGE_STATES } from './consent-page-states.js';
import { DEVELOPER_PAGE_STATES } from './developer-page-states.js';
import { MODERATION_PAGE_STATES } from './moderation-page-states.js';
import { RECOVERY_PAGE_STATES } from './recovery-page-states.js';
import { fillByName, type OpenPageState, signInNewMember, submitForm } from './page-state-actions.js';
import { createAccount, registerApp } from '../support/factories.js';
import { createPasskey } from '../support/passkey-fixture.js';

/** Every page in each of its states; each function opens one, in any language. */
export const PAGE_STATES: Record<string, OpenPageState> = {
  home: (browser) => browser.goto('/'),
  'home of a member': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/');
  },
  'home of a member with news': async (browser, context) => {
    const { environment, detailedApp } = context;
    const { id } = await signInNewMember(browser, context);
    const { app } = await registerApp(environment.server, { ownerId: id });
    const failure = { endpoint: 'GET /api/edits/mine', errorCode: 'insufficient_scope', reason: 'Scope.' };
    environment.server.get(FailedCallsService).record(app.id, failure);
    await browser.goto(detailedApp.startAuthorization());
    await browser.page.locator('button[value=allow]').click();
    await browser.goto('/');
  },
  'apps for the map': async (browser, { environment: { server } }) => {
    const { app } = await registerApp(server, {
      description: 'Finds murals near you, and keeps the ones you like.',
      homePage: 'https://wallwalker.example/',
    });
    await server.get(AppsService).setListed(app.id, true);
    await browser.goto('/apps');
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
  'a blocked account': async (browser, context) => {
    const { username } = await signInNewMember(browser, context);
    const { server } = context.environment;
    await server.get(AccountsService).block(username, 'Posted advertisements.', new Date('2100-01-31T08:00:00Z'));
    await browser.goto('/account');
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
  ...CONNECTED_APP_PAGE_STATES,
  ...MODERATION_PAGE_STATES,
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
    const events = Object.keys(MESSAGES_BY_LANGUAGE.en.activity.events) as AuditEventType[];
    const apps = [context.detailedApp, context.minimalApp].map(({ registration }) => registration.app.id);
    for (const type of [...events, ...events, ...events, ...events]) {
      const happening = { type, accountId, appId: apps[0]!, detail: 'Posted advertisements.' };
      await server.get(TransactionService).run((tx) => server.get(AuditService).record(tx, happening));
      apps.reverse();
    }
    await browser.goto('/account/activity');
  },
  ...DEVELOPER_PAGE_STATES,
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
  'leaving for an app': (browser, context) =>
    browser.goto(context.minimalApp.startAuthorization({ response_type: 'token' })),
  'no such page': (browser) => browser.goto('/nowhere'),
  'API reference': (browser) => browser.goto('/docs'),
  'API reference with an answer': async (browser) => {
    await browser.goto('/docs');
    await browser.page.locator('#search').fill('markers');
    await browser.page.locator('#results h2').first().waitFor();
    for (const id of ['getMarker', 'suggestEdit', 'object-Marker']) {
      await browser.page.locator(`#${id}`).evaluate((element) => element.setAttribute('open', ''));
    }
    await browser.page.locator('#getMarker input').first().fill('mrk_01JDEM00000000000000000010');
    await browser.page.locator('#getMarker button').click();
    await browser.page.locator('#getMarker .result pre').waitFor();
  },
  'search in the documents': (browser) => browser.goto('/docs?q=token'),
  'document with commands and images': (browser) => browser.goto('/docs/connect'),
  'document with tables': (browser) => browser.goto('/docs/reference'),
  'document with long paths': (browser) => browser.goto('/docs/architecture'),
  'list of decisions': (browser) => browser.goto('/docs/decisions'),
  'decision record': (browser) => browser.goto('/docs/decisions/0002-openapi-descriptions-are-plain-metadata'),
  'no such document': (browser) => browser.goto('/docs/nowhere'),
};
