import { DomainError } from '../../platform/errors/domain-error.js';
import type { ErrorPageTexts } from '../../platform/views/error-pages.js';
import { EMAIL_UNCONFIRMED } from './account-permissions.js';

/** Creates the error for a username or e-mail address that no account has. */
export function createAccountNotFoundError(usernameOrEmail: string): DomainError {
  const message = `There is no account ${usernameOrEmail}. The command accounts list shows all accounts.`;
  return new DomainError('not_found', 'account_not_found', message);
}

/** Creates the error for a change by a blocked or deleted account. */
export function createAccountBlockedError(): DomainError {
  return new DomainError('forbidden', 'account_blocked', 'This account is blocked.');
}

/** Creates the error for an addition to an account whose e-mail address is not confirmed. */
export function createEmailUnconfirmedError(): DomainError {
  return new DomainError('forbidden', 'email_unconfirmed', EMAIL_UNCONFIRMED.message);
}

/** Another account has the e-mail address by now. */
export class EmailTakenError extends Error {
  override readonly name = 'EmailTakenError';
}

/** The texts of the error pages of accounts by the code of the domain error. */
export const ACCOUNT_ERROR_PAGES: Record<string, ErrorPageTexts> = {
  account_blocked: { messageKey: 'accountBlocked' },
  email_unconfirmed: { messageKey: 'emailUnconfirmed' },
  too_busy: { messageKey: 'tooBusy' },
  too_many_email_changes: { messageKey: 'tooManyEmailChanges' },
  too_many_failed_sign_ups: { messageKey: 'tooManyFailedSignUps' },
  too_many_link_requests: { messageKey: 'tooManyLinkRequests' },
  too_many_password_attempts: { messageKey: 'tooManyPasswordAttempts' },
  too_many_sign_ups: { messageKey: 'tooManySignUps' },
};
