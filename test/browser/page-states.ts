import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { FailedCallsService } from '../../src/identity/clients/failed-calls/failed-calls.service.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES } from '../../src/identity/oauth/refresh-token-rejection.js';
import type { ActivityEventType } from '../../src/platform/audit/audit-event.entity.js';
import { AuditService } from '../../src/platform/audit/audit.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { en } from '../../src/platform/i18n/en.js';
import type { BrowserEnvironment } from '../support/browser-environment.js';
import { ALL_SCOPES, createAccount, issueTokens } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

/** Whom and what the scenes are about. */
export interface PageStateContext {
  environment: BrowserEnvironment;
  /** Who builds the apps. */
  developer: Account;
  /** An app that says all that an app can say of itself. */
  detailedApp: ClientApp;
  /** An app that says as little as it can, but at length. */
  minimalApp: ClientApp;
}

type OpenPageState = (person: BrowserPage, cast: PageStateContext) => Promise<void>;

export async function createContext(chromium: BrowserEnvironment): Promise<PageStateContext> {
  const { server } = chromium;
  const tomas = await createAccount(server, { username: 'tomas', name: 'Tomáš Dvořák' });
  const walker = await ClientApp.start(server, {
    name: 'WallWalker',
    description: 'Walks from mural to mural, and keeps the ones you liked.',
    homePage: 'https://wallwalker.example',
    ownerId: tomas.id,
    requiredScopes: ['markers:read'],
  });
  const name = `${'Straßenkunstkartenbetrachtungs'.repeat(3)}app`;
  const terse = await ClientApp.start(server, { name, redirectUris: ['org.example.streetart.viewer:/callback'] });
  return { environment: chromium, developer: tomas, detailedApp: walker, minimalApp: terse };
}

export async function disposeContext({ detailedApp, minimalApp }: PageStateContext): Promise<void> {
  await detailedApp.stop();
  await minimalApp.stop();
}

/** Mila, or whoever else, is signed in already. */
async function signInNewMember(
  person: BrowserPage,
  { environment }: PageStateContext,
  name = 'Mila Vos',
): Promise<Account> {
  const account = await createAccount(environment.server, { name });
  await signInByRequest(person, account);
  return account;
}

async function signInByRequest({ page }: BrowserPage, { username }: Account): Promise<void> {
  const form = { username, password: 'correct horse' };
  await page.context().request.post('/sign-in', { form, maxRedirects: 0 });
}

async function fillByName({ page }: BrowserPage, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
}

/** Presses the button of the form that goes to an address, the page's first form if not said. */
async function submitForm(person: BrowserPage, action = '/'): Promise<void> {
  await person.waitForNavigation(() =>
    person.page.locator(`main form[action*="${action}"] button:not([hidden])`).first().click(),
  );
}

/** An app of Tomáš, and its page. */
async function openOwnAppPage(
  person: BrowserPage,
  { environment, developer, detailedApp }: PageStateContext,
): Promise<string> {
  await signInByRequest(person, developer);
  const { app } = await environment.server.get(AppsService).register({
    name: 'ReviewDesk',
    description: 'Goes through suggested changes with those who review them.',
    redirectUris: ['https://reviewdesk.example/callback', detailedApp.redirectUri],
    scopes: ['openid', 'profile', 'edits:read', 'edits:review'],
    requiredScopes: ['edits:read'],
    ownerId: developer.id,
  });
  await person.goto(`/developer/apps/${app.id}`);
  return app.id;
}

/** Every page in each of its states, and how to come there in any language. */
export const PAGE_STATES: Record<string, OpenPageState> = {
  home: (person) => person.goto('/'),
  'home of a member': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/');
  },
  'sign-in': (person) => person.goto('/sign-in'),
  'sign-in refused': async (person) => {
    await person.goto('/sign-in');
    await fillByName(person, { username: 'mila', password: 'wrong horse' });
    await submitForm(person);
  },
  'sign-in slowed down': async (person) => {
    const form = { username: 'guessed', password: 'wrong horse' };
    for (let count = 0; count < 5; count++) await person.page.context().request.post('/sign-in', { form });
    await person.goto('/sign-in');
    await fillByName(person, form);
    await submitForm(person);
  },
  'sign-in of who is blocked': async (person, { environment: { server } }) => {
    const { username } = await createAccount(server);
    await server.get(AccountsService).block(username, 'Posted advertisements.');
    await person.goto('/sign-in');
    await fillByName(person, { username, password: 'correct horse' });
    await submitForm(person);
  },
  'sign-in of who is signed in': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/sign-in');
  },
  'sign-in once more': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto(cast.detailedApp.startAuthorization({ prompt: 'login' }));
  },
  'sign-up': (person) => person.goto('/sign-up'),
  'sign-up with errors': async (person) => {
    await person.goto('/sign-up');
    await fillByName(person, { username: 'mila vos', name: 'Mila', email: 'mila', password: 'horse' });
    await submitForm(person);
  },
  consent: async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto(
      cast.detailedApp.startAuthorization({ scope: 'openid profile markers:read collections:write edits:write' }),
    );
  },
  'consent to everything': async (person, cast) => {
    await signInNewMember(person, cast, 'Wilhelmina Augustina van der Straatkunst-Muurschildering');
    await person.goto(
      cast.minimalApp.startAuthorization({
        scope: ALL_SCOPES.join(' '),
        redirect_uri: 'org.example.streetart.viewer:/callback',
      }),
    );
  },
  'consent of who is blocked': async (person, cast) => {
    const { username } = await signInNewMember(person, cast);
    await cast.environment.server.get(AccountsService).block(username, 'Posted advertisements.');
    await person.goto(cast.detailedApp.startAuthorization());
  },
  'no connected apps': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/account/apps');
  },
  'connected apps': async (person, cast) => {
    const { server } = cast.environment;
    const account = await signInNewMember(person, cast);
    const { app } = cast.detailedApp.registration;
    for (const scopes of [ALL_SCOPES.slice(0, 3), ALL_SCOPES]) await issueTokens(server, { app, account, scopes });
    await person.goto(cast.detailedApp.startAuthorization());
    await submitForm(person);
    const { app: old } = cast.minimalApp.registration;
    await issueTokens(server, { app: old, account, scopes: ['markers:read'] });
    await person.goto('/account/apps');
  },
  'access removed': async (person, cast) => {
    const account = await signInNewMember(person, cast);
    const { app } = cast.detailedApp.registration;
    for (const scopes of [ALL_SCOPES.slice(0, 3), ALL_SCOPES]) {
      await issueTokens(cast.environment.server, { app, account, scopes });
    }
    await person.goto('/account/apps');
    await submitForm(person);
  },
  'no activity': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/account/activity');
  },
  activity: async (person, cast) => {
    const { server } = cast.environment;
    const { id: accountId } = await signInNewMember(person, cast);
    const events = Object.keys(en.activity.events) as ActivityEventType[];
    const apps = [cast.detailedApp, cast.minimalApp].map(({ registration }) => registration.app.id);
    for (const type of [...events, ...events, ...events, ...events]) {
      const happening = { type, accountId, appId: apps[0]!, detail: 'Posted advertisements.' };
      await server.get(TransactionService).run((tx) => server.get(AuditService).record(tx, happening));
      apps.reverse();
    }
    await person.goto('/account/activity');
  },
  'no apps of a developer': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/developer/apps');
  },
  'apps of a developer': async (person, cast) => {
    const id = await openOwnAppPage(person, cast);
    await cast.environment.server.get(AppsService).disable(id, cast.developer.id);
    await person.goto('/developer/apps');
  },
  'new app': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/developer/apps/new');
  },
  'new app with errors': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/developer/apps/new');
    for (const box of await person.page.getByRole('checkbox').all()) await box.uncheck();
    await fillByName(person, { homePage: 'wallwalker', redirectUris: 'http://wallwalker.example/callback' });
    await submitForm(person);
  },
  'secret of an app': async (person, cast) => {
    await openOwnAppPage(person, cast);
    await submitForm(person, '/secret');
  },
  app: async (person, cast) => {
    await openOwnAppPage(person, cast);
  },
  'app whose calls failed': async (person, cast) => {
    const id = await openOwnAppPage(person, cast);
    const failure = {
      endpoint: 'POST /api/oauth/token',
      errorCode: 'invalid_grant',
      reason: REFRESH_TOKEN_REJECTION_MESSAGES.used,
    };
    for (let count = 0; count < 3; count++) cast.environment.server.get(FailedCallsService).record(id, failure);
    const reason =
      'The redirect_uri is not registered, exactly so. Sent: https://wallwalker.example/a/rather/long/address/of/an/app';
    cast.environment.server
      .get(FailedCallsService)
      .record(id, { ...failure, endpoint: 'GET /api/oauth/authorize', reason });
    await person.goto(`/developer/apps/${id}`);
  },
  'app just saved': async (person, cast) => {
    await openOwnAppPage(person, cast);
    await person.waitForNavigation(() => person.page.locator('main form:has(textarea) button').click());
  },
  'disabled app': async (person, cast) => {
    await openOwnAppPage(person, cast);
    await submitForm(person, '/disable');
  },
  'app disabled by the operator': async (person, cast) => {
    const id = await openOwnAppPage(person, cast);
    await cast.environment.server.get(AppsService).disable(id);
    await person.goto(`/developer/apps/${id}`);
  },
  'sign-out': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/sign-out');
  },
  'sign-out asked by an app': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto(`/api/oauth/logout?client_id=${cast.detailedApp.id}`);
  },
  'signed out': async (person, cast) => {
    await signInNewMember(person, cast);
    await person.goto('/sign-out');
    await submitForm(person);
  },
  'unknown app': (person) => person.goto('/api/oauth/authorize'),
  'no such page': (person) => person.goto('/nowhere'),
};
