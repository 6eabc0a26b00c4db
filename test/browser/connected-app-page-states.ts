import type { Account } from '../../src/identity/accounts/account.entity.js';
import { ALL_SCOPES, createMarker, issueTokens } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { type OpenPageState, signInNewMember, submitForm } from './page-state-actions.js';
import type { PageStateContext } from './page-state-context.js';

/** Lets an app write for a person. @returns the ids of the collection and of the last edit */
async function writeAsApp(
  { environment: { server }, detailedApp, minimalApp }: PageStateContext,
  account: Account,
): Promise<{ collectionId: string; editId: string }> {
  const [app, other] = [detailedApp.registration.app, minimalApp.registration.app];
  const token = (await issueTokens(server, { app, account })).access_token;
  const otherToken = (await issueTokens(server, { app: other, account })).access_token;
  const marker = await createMarker(server, { title: 'Straßenkunstkartenbetrachtungswand', year: 1999 });
  const send = async (path: string, body: object, as = token): Promise<string> =>
    (await server.request('POST', `/api${path}`, { token: as, body })).body.id as string;
  const kept = await send('/collections', { name: 'Doors, and the walls around them' });
  await send(`/collections/${kept}`, { name: 'Doors' }, otherToken);
  const collectionId = await send('/collections', { name: 'Foxes', description: 'Red ones.' });
  await send(`/collections/${collectionId}/items`, { items: [{ markerId: marker.id, note: 'Before nine.' }] });
  const edit = { type: 'update', targetType: 'artwork', targetId: marker.id, baseVersion: 1, changes: { year: 2001 } };
  const editId = await send('/edits', { ...edit, comment: 'The number is on the door.' });
  return { collectionId, editId };
}

/** Signs a new person in whose app wrote something. @returns the ids, and the path of the app */
async function openWithRecord(
  browser: BrowserPage,
  context: PageStateContext,
): Promise<{ collectionId: string; editId: string; path: string }> {
  const account = await signInNewMember(browser, context);
  const path = `/account/apps/${context.detailedApp.registration.app.id}`;
  return { ...(await writeAsApp(context, account)), path };
}

/** The pages of connected apps in each of their states. */
export const CONNECTED_APP_PAGE_STATES: Record<string, OpenPageState> = {
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
    await browser.waitForNavigation(() => browser.page.locator('.app-list > li > form button').click());
  },
  'what an app did': async (browser, context) => {
    const { path } = await openWithRecord(browser, context);
    await browser.goto(path);
  },
  'an app that did nothing, in two browsers': async (browser, context) => {
    const account = await signInNewMember(browser, context);
    const { app } = context.detailedApp.registration;
    for (const scopes of [ALL_SCOPES.slice(0, 3), ALL_SCOPES]) {
      await issueTokens(context.environment.server, { app, account, scopes });
    }
    await browser.goto(`/account/apps/${app.id}`);
  },
  'everything undone that nothing has changed since': async (browser, context) => {
    const { path } = await openWithRecord(browser, context);
    await browser.goto(path);
    await browser.waitForNavigation(() => browser.page.locator('.actions button').last().click());
  },
  'a suggestion': async (browser, context) => {
    const { editId } = await openWithRecord(browser, context);
    await browser.goto(`/account/edits/${editId}`);
  },
  'a collection': async (browser, context) => {
    const { collectionId } = await openWithRecord(browser, context);
    await browser.goto(`/collections/${collectionId}`);
  },
};
