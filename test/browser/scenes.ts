import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { FailedCalls } from '../../src/failed-calls/failed-calls.service.js';
import { REFUSALS } from '../../src/oauth/refresh-token-state.js';
import type { PersonalType } from '../../src/audit/audit-event.entity.js';
import { Audit } from '../../src/audit/audit.service.js';
import { Transactions } from '../../src/database/transactions.js';
import { en } from '../../src/words/en.js';
import type { Chromium } from '../support/chromium.js';
import { ALL_SCOPES, newAccount, newTokens } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';

/** Whom and what the scenes are about. */
export interface Cast {
  chromium: Chromium;
  /** Who builds the apps. */
  tomas: Account;
  /** An app that says all that an app can say of itself. */
  walker: ThirdParty;
  /** An app that says as little as it can, but at length. */
  terse: ThirdParty;
}

type Scene = (person: Person, cast: Cast) => Promise<void>;

export async function newCast(chromium: Chromium): Promise<Cast> {
  const { service } = chromium;
  const tomas = await newAccount(service, { username: 'tomas', name: 'Tomáš Dvořák' });
  const walker = await ThirdParty.start(service, {
    name: 'WallWalker',
    description: 'Walks from mural to mural, and keeps the ones you liked.',
    homePage: 'https://wallwalker.example',
    ownerId: tomas.id,
    requiredScopes: ['markers:read'],
  });
  const name = `${'Straßenkunstkartenbetrachtungs'.repeat(3)}app`;
  const terse = await ThirdParty.start(service, { name, redirectUris: ['org.example.streetart.viewer:/callback'] });
  return { chromium, tomas, walker, terse };
}

export async function dismiss({ walker, terse }: Cast): Promise<void> {
  await walker.stop();
  await terse.stop();
}

/** Mila, or whoever else, is signed in already. */
async function member(person: Person, { chromium }: Cast, name = 'Mila Vos'): Promise<Account> {
  const account = await newAccount(chromium.service, { name });
  await enter(person, account);
  return account;
}

async function enter({ page }: Person, { username }: Account): Promise<void> {
  const form = { username, password: 'correct horse' };
  await page.context().request.post('/sign-in', { form, maxRedirects: 0 });
}

async function fill({ page }: Person, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
}

/** Presses the button of the form that goes to an address, the page's first form if not said. */
async function submit(person: Person, action = '/'): Promise<void> {
  await person.arrive(() => person.page.locator(`main form[action*="${action}"] button:not([hidden])`).first().click());
}

/** An app of Tomáš, and its page. */
async function ownApp(person: Person, { chromium, tomas, walker }: Cast): Promise<string> {
  await enter(person, tomas);
  const { app } = await chromium.service.get(AppsService).register({
    name: 'ReviewDesk',
    description: 'Goes through suggested changes with those who review them.',
    redirectUris: ['https://reviewdesk.example/callback', walker.redirectUri],
    scopes: ['openid', 'profile', 'edits:read', 'edits:review'],
    requiredScopes: ['edits:read'],
    ownerId: tomas.id,
  });
  await person.open(`/developer/apps/${app.id}`);
  return app.id;
}

/** Every page in each of its states, and how to come there in any language. */
export const SCENES: Record<string, Scene> = {
  home: (person) => person.open('/'),
  'home of a member': async (person, cast) => {
    await member(person, cast);
    await person.open('/');
  },
  'sign-in': (person) => person.open('/sign-in'),
  'sign-in refused': async (person) => {
    await person.open('/sign-in');
    await fill(person, { username: 'mila', password: 'wrong horse' });
    await submit(person);
  },
  'sign-in slowed down': async (person) => {
    const form = { username: 'guessed', password: 'wrong horse' };
    for (let count = 0; count < 5; count++) await person.page.context().request.post('/sign-in', { form });
    await person.open('/sign-in');
    await fill(person, form);
    await submit(person);
  },
  'sign-in of who is blocked': async (person, { chromium: { service } }) => {
    const { username } = await newAccount(service);
    await service.get(AccountsService).block(username, 'Posted advertisements.');
    await person.open('/sign-in');
    await fill(person, { username, password: 'correct horse' });
    await submit(person);
  },
  'sign-in of who is signed in': async (person, cast) => {
    await member(person, cast);
    await person.open('/sign-in');
  },
  'sign-in once more': async (person, cast) => {
    await member(person, cast);
    await person.open(cast.walker.ask({ prompt: 'login' }));
  },
  'sign-up': (person) => person.open('/sign-up'),
  'sign-up with errors': async (person) => {
    await person.open('/sign-up');
    await fill(person, { username: 'mila vos', name: 'Mila', email: 'mila', password: 'horse' });
    await submit(person);
  },
  consent: async (person, cast) => {
    await member(person, cast);
    await person.open(cast.walker.ask({ scope: 'openid profile markers:read collections:write edits:write' }));
  },
  'consent to everything': async (person, cast) => {
    await member(person, cast, 'Wilhelmina Augustina van der Straatkunst-Muurschildering');
    await person.open(
      cast.terse.ask({ scope: ALL_SCOPES.join(' '), redirect_uri: 'org.example.streetart.viewer:/callback' }),
    );
  },
  'consent of who is blocked': async (person, cast) => {
    const { username } = await member(person, cast);
    await cast.chromium.service.get(AccountsService).block(username, 'Posted advertisements.');
    await person.open(cast.walker.ask());
  },
  'no connected apps': async (person, cast) => {
    await member(person, cast);
    await person.open('/account/apps');
  },
  'connected apps': async (person, cast) => {
    const { service } = cast.chromium;
    const account = await member(person, cast);
    const { app } = cast.walker.registered;
    for (const scopes of [ALL_SCOPES.slice(0, 3), ALL_SCOPES]) await newTokens(service, { app, account, scopes });
    await person.open(cast.walker.ask());
    await submit(person);
    const { app: old } = cast.terse.registered;
    await newTokens(service, { app: old, account, scopes: ['markers:read'] });
    await person.open('/account/apps');
  },
  'access removed': async (person, cast) => {
    const account = await member(person, cast);
    const { app } = cast.walker.registered;
    for (const scopes of [ALL_SCOPES.slice(0, 3), ALL_SCOPES]) {
      await newTokens(cast.chromium.service, { app, account, scopes });
    }
    await person.open('/account/apps');
    await submit(person);
  },
  'no activity': async (person, cast) => {
    await member(person, cast);
    await person.open('/account/activity');
  },
  activity: async (person, cast) => {
    const { service } = cast.chromium;
    const { id: accountId } = await member(person, cast);
    const events = Object.keys(en.activity.events) as PersonalType[];
    const apps = [cast.walker, cast.terse].map(({ registered }) => registered.app.id);
    for (const type of [...events, ...events, ...events, ...events]) {
      const happening = { type, accountId, appId: apps[0]!, detail: 'Posted advertisements.' };
      await service.get(Transactions).run((tx) => service.get(Audit).record(tx, happening));
      apps.reverse();
    }
    await person.open('/account/activity');
  },
  'no apps of a developer': async (person, cast) => {
    await member(person, cast);
    await person.open('/developer/apps');
  },
  'apps of a developer': async (person, cast) => {
    const id = await ownApp(person, cast);
    await cast.chromium.service.get(AppsService).disable(id, cast.tomas.id);
    await person.open('/developer/apps');
  },
  'new app': async (person, cast) => {
    await member(person, cast);
    await person.open('/developer/apps/new');
  },
  'new app with errors': async (person, cast) => {
    await member(person, cast);
    await person.open('/developer/apps/new');
    for (const box of await person.page.getByRole('checkbox').all()) await box.uncheck();
    await fill(person, { homePage: 'wallwalker', redirectUris: 'http://wallwalker.example/callback' });
    await submit(person);
  },
  'secret of an app': async (person, cast) => {
    await ownApp(person, cast);
    await submit(person, '/secret');
  },
  app: async (person, cast) => {
    await ownApp(person, cast);
  },
  'app whose calls failed': async (person, cast) => {
    const id = await ownApp(person, cast);
    const failure = { call: 'POST /api/oauth/token', error: 'invalid_grant', reason: REFUSALS.used };
    for (let count = 0; count < 3; count++) cast.chromium.service.get(FailedCalls).note(id, failure);
    const reason =
      'The redirect_uri is not registered, exactly so. Sent: https://wallwalker.example/a/rather/long/address/of/an/app';
    cast.chromium.service.get(FailedCalls).note(id, { ...failure, call: 'GET /api/oauth/authorize', reason });
    await person.open(`/developer/apps/${id}`);
  },
  'app just saved': async (person, cast) => {
    await ownApp(person, cast);
    await person.arrive(() => person.page.locator('main form:has(textarea) button').click());
  },
  'disabled app': async (person, cast) => {
    await ownApp(person, cast);
    await submit(person, '/disable');
  },
  'app disabled by the operator': async (person, cast) => {
    const id = await ownApp(person, cast);
    await cast.chromium.service.get(AppsService).disable(id);
    await person.open(`/developer/apps/${id}`);
  },
  'sign-out': async (person, cast) => {
    await member(person, cast);
    await person.open('/sign-out');
  },
  'sign-out asked by an app': async (person, cast) => {
    await member(person, cast);
    await person.open(`/api/oauth/logout?client_id=${cast.walker.id}`);
  },
  'signed out': async (person, cast) => {
    await member(person, cast);
    await person.open('/sign-out');
    await submit(person);
  },
  'unknown app': (person) => person.open('/api/oauth/authorize'),
  'no such page': (person) => person.open('/nowhere'),
};
