import type { Account, AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import type { PageStateContext } from './page-state-context.js';

/** Opens a page in one of its states. */
export type OpenPageState = (browser: BrowserPage, context: PageStateContext) => Promise<void>;

/** Creates an account with a confirmed address and signs it in. */
export async function signInNewMember(
  browser: BrowserPage,
  { environment }: PageStateContext,
  name = 'Mila Vos',
): Promise<AccountWithEmail> {
  const account = await createAccount(environment.server, { name, emailVerified: true });
  await signInByRequest(browser, account);
  return account;
}

/** Creates an account whose address is not confirmed, and signs it in. */
export async function signInUnconfirmedMember(
  browser: BrowserPage,
  { environment }: PageStateContext,
): Promise<AccountWithEmail> {
  const account = await createAccount(environment.server);
  await signInByRequest(browser, account);
  return account;
}

/** Signs an account in without a page. */
export async function signInByRequest({ page }: BrowserPage, { username }: Account): Promise<void> {
  const form = { username, password: 'correct horse' };
  await page.context().request.post('/sign-in', { form, maxRedirects: 0 });
}

/** Fills the fields with these names. */
export async function fillByName({ page }: BrowserPage, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
}

/** Submits the first form whose action contains an address. */
export async function submitForm(browser: BrowserPage, action = '/'): Promise<void> {
  await browser.waitForNavigation(() =>
    browser.page.locator(`main form[action*="${action}"] button[type=submit]:not([hidden])`).first().click(),
  );
}
