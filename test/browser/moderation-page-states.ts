import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { createAccount, createMarker, issueTokens } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { type OpenPageState, signInByRequest } from './page-state-actions.js';
import type { PageStateContext } from './page-state-context.js';

/** Signs a moderator in, after an app suggested something for a person. @returns the person */
async function openWithSuggestions(
  browser: BrowserPage,
  { environment: { server }, minimalApp }: PageStateContext,
): Promise<Account> {
  const author = await createAccount(server, { emailVerified: true });
  const token = (await issueTokens(server, { app: minimalApp.registration.app, account: author })).access_token;
  const { id: targetId } = await createMarker(server, { title: 'Straßenkunstkartenbetrachtungswand', year: 1999 });
  for (const year of [2001, 2002]) {
    const edit = { type: 'update', targetType: 'artwork', targetId, baseVersion: 1, changes: { year } };
    await server.request('POST', '/api/edits', { token, body: edit });
  }
  await signInByRequest(browser, await createAccount(server, { role: 'moderator' }));
  return author;
}

/** The pages of moderators in each of their states. */
export const MODERATION_PAGE_STATES: Record<string, OpenPageState> = {
  'no moderator': async (browser, { environment: { server } }) => {
    await signInByRequest(browser, await createAccount(server));
    await browser.goto('/moderation');
  },
  moderation: async (browser, context) => {
    await openWithSuggestions(browser, context);
    await browser.goto('/moderation');
  },
  'suggestions of an app': async (browser, context) => {
    await openWithSuggestions(browser, context);
    await browser.goto(`/moderation/apps/${context.minimalApp.registration.app.id}`);
  },
  'suggestions of a blocked author': async (browser, context) => {
    const { id, username } = await openWithSuggestions(browser, context);
    const until = new Date('2100-01-31T08:00:00Z');
    await context.environment.server.get(AccountsService).block(username, 'Posted advertisements.', until);
    await browser.goto(`/moderation/authors/${id}`);
  },
  'block an author with an invalid form': async (browser, context) => {
    const { id } = await openWithSuggestions(browser, context);
    await browser.goto(`/moderation/authors/${id}/block`);
    await browser.page.locator('main button.danger').click();
    await browser.page.locator('[aria-invalid=true]').first().waitFor();
  },
  'disable an app': async (browser, context) => {
    await openWithSuggestions(browser, context);
    await browser.goto(`/moderation/apps/${context.minimalApp.registration.app.id}/disable`);
  },
  'lock an artwork': async (browser, context) => {
    await openWithSuggestions(browser, context);
    const { id } = await createMarker(context.environment.server);
    await browser.goto(`/moderation/locks?target=${id}&what=lock`);
  },
};
