import type { AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { PasswordResetService } from '../../src/identity/accounts/password/password-reset.service.js';
import { EmailAddressesService } from '../../src/identity/accounts/email/email-addresses.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAccount } from '../support/factories.js';
import { findQueuedLink } from '../support/queued-mail.js';
import type { TestServer } from '../support/test-server.js';
import { fillByName, type OpenPageState, signInNewMember, submitForm } from './page-state-actions.js';

/** Sends a link that confirms the address of an account. @returns its path and query */
async function sendConfirmation(server: TestServer, account: AccountWithEmail): Promise<string> {
  const confirmation = server.get(EmailAddressesService);
  await server.get(TransactionService).run((tx) => confirmation.sendLink(tx, account, account.email));
  return findQueuedLink(server, 'confirmEmail', account.email);
}

/** The pages of the password and the e-mail address in each of their states. */
export const RECOVERY_PAGE_STATES: Record<string, OpenPageState> = {
  'forgotten password': (browser) => browser.goto('/forgot-password'),
  'link to a new password sent': async (browser) => {
    await browser.goto('/forgot-password');
    await fillByName(browser, { username: 'mila' });
    await submitForm(browser, '/forgot-password');
  },
  'new password rejected': async (browser, { environment: { server } }) => {
    const { username } = await createAccount(server);
    const { url } = await server.get(PasswordResetService).createLinkForOperator(username);
    await browser.goto(new URL(url).pathname + new URL(url).search);
    await fillByName(browser, { password: 'passwordpassword' });
    await submitForm(browser, '/reset-password');
  },
  'new password by a link': async (browser, { environment: { server } }) => {
    const { username } = await createAccount(server);
    const { url } = await server.get(PasswordResetService).createLinkForOperator(username);
    await browser.goto(new URL(url).pathname + new URL(url).search);
    await fillByName(browser, { password: 'harbor lantern eleven' });
    await submitForm(browser, '/reset-password');
  },
  'link that does not work': (browser) => browser.goto('/reset-password?token=sam_link_wrong'),
  'confirmation of an address without a session': async (browser, { environment: { server } }) => {
    await browser.goto(await sendConfirmation(server, await createAccount(server)));
  },
  'confirmation of an address': async (browser, context) => {
    const account = await signInNewMember(browser, context);
    await browser.goto(await sendConfirmation(context.environment.server, account));
  },
  'confirmation of an address of another account': async (browser, context) => {
    await signInNewMember(browser, context);
    const { server } = context.environment;
    await browser.goto(await sendConfirmation(server, await createAccount(server)));
  },
  'address of an account of another person': async (browser, { environment: { server } }) => {
    await browser.goto(await sendConfirmation(server, await createAccount(server)));
    await submitForm(browser, '/verify-email/reject');
  },
  'e-mail address': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/email?sent=confirmation');
  },
  'e-mail address rejected': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/email');
    await fillByName(browser, { email: 'mila', password: 'wrong horse' });
    await browser.waitForNavigation(() => browser.page.locator('form:has(#email) [type=submit]').click());
  },
  'change of the password rejected': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/password');
    await fillByName(browser, { current_password: 'wrong horse', new_password: 'short' });
    await submitForm(browser, '/account/password');
  },
  'password changed': async (browser, context) => {
    await signInNewMember(browser, context);
    await browser.goto('/account/password?changed');
  },
};
