import type { Account, AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { PasswordResetService } from '../../src/identity/accounts/password/password-reset.service.js';
import { EmailAddressesService } from '../../src/identity/accounts/email/email-addresses.service.js';
import { EmailTakeBackService } from '../../src/identity/accounts/email/email-take-back.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import type { BrowserPage } from '../support/browser-page.js';
import { createAccount, issueTokens } from '../support/factories.js';
import { createPasskey } from '../support/passkey-fixture.js';
import { findQueuedLink } from '../support/queued-mail.js';
import type { TestServer } from '../support/test-server.js';
import {
  fillByName,
  type OpenPageState,
  signInNewMember,
  signInUnconfirmedMember,
  submitForm,
} from './page-state-actions.js';

/** Sends a link that confirms the address of an account. @returns its path and query */
async function sendConfirmation(server: TestServer, account: AccountWithEmail): Promise<string> {
  const confirmation = server.get(EmailAddressesService);
  await server.get(TransactionService).run((tx) => confirmation.sendLink(tx, account, account.email));
  return findQueuedLink(server, 'confirmEmail', account.email);
}

/** Opens the page of a link that sets a new password. */
async function openNewPassword(browser: BrowserPage, server: TestServer, { username }: Account): Promise<void> {
  const { url } = await server.get(PasswordResetService).createLinkForOperator(username);
  await browser.goto(new URL(url).pathname + new URL(url).search);
}

/** Sends a link that takes the address of an account back. @returns its path and query */
async function sendTakeBack(server: TestServer, account: AccountWithEmail): Promise<string> {
  await server
    .get(TransactionService)
    .run((tx) => server.get(EmailTakeBackService).tellOldAddress(tx, account, 'emailChanged', 'eve@example.org'));
  return findQueuedLink(server, 'emailChanged', account.email);
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
    await openNewPassword(browser, server, await createAccount(server));
    await fillByName(browser, { password: 'passwordpassword' });
    await submitForm(browser, '/reset-password');
  },
  'new password by a link': async (browser, { environment: { server } }) => {
    await openNewPassword(browser, server, await createAccount(server));
    await fillByName(browser, { password: 'harbor lantern eleven' });
    await submitForm(browser, '/reset-password');
  },
  'new password with apps and passkeys': async (browser, { environment: { server }, detailedApp, minimalApp }) => {
    const account = await createAccount(server, { emailVerified: true });
    await createPasskey(server, account);
    for (const { registration } of [detailedApp, minimalApp]) {
      await issueTokens(server, { app: registration.app, account, scopes: ['markers:read'] });
    }
    await openNewPassword(browser, server, account);
  },
  'new password that proves an address': async (browser, { environment: { server } }) => {
    const { username, email } = await createAccount(server);
    await server.get(PasswordResetService).sendLink(username);
    await browser.goto(await findQueuedLink(server, 'resetPassword', email));
  },
  'address to take back': async (browser, { environment: { server } }) => {
    await browser.goto(await sendTakeBack(server, await createAccount(server, { emailVerified: true })));
  },
  'address taken back': async (browser, { environment: { server } }) => {
    await browser.goto(await sendTakeBack(server, await createAccount(server, { emailVerified: true })));
    await submitForm(browser, '/take-back-email');
  },
  'address that was already taken back': async (browser, { environment: { server } }) => {
    const link = await sendTakeBack(server, await createAccount(server, { emailVerified: true }));
    await browser.goto(link);
    await submitForm(browser, '/take-back-email');
    await browser.goto(link);
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
    await signInUnconfirmedMember(browser, context);
    await browser.goto('/account/email?sent=confirmation');
  },
  'passkeys of an account with an unconfirmed address': async (browser, context) => {
    await signInUnconfirmedMember(browser, context);
    await browser.goto('/account/passkeys');
  },
  'new app of an account with an unconfirmed address': async (browser, context) => {
    await signInUnconfirmedMember(browser, context);
    await browser.goto('/developer/apps/new');
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
