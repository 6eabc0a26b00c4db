import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { EmailTakenError } from '../account-errors.js';
import { AccountMailService } from '../account-mail.service.js';
import { type Account, isEmailAddress, normalizeUsernameOrEmail } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { EmailTokensService } from '../email-tokens.service.js';
import { withConstantDuration } from '../password/with-constant-duration.js';
import type { Session } from '../sessions/session.entity.js';
import { assertSamePassword, PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import { EmailTakeBackService } from './email-take-back.service.js';

/** Lifetime of a link that confirms an e-mail address: 24 hours. */
const CONFIRMATION_LIFETIME_MS = 24 * 3600_000;

/** Limits requested changes per account. */
const EMAIL_CHANGE_POLICY: RateLimitPolicy = {
  name: 'email-changes',
  limit: 10,
  windowSeconds: 3600,
  isSecurity: true,
};

/** The account and the address of a link that confirms the address. */
export interface ConfirmationTarget {
  accountId: string;
  username: string;
  email: string;
}

/** The session is not of the account whose address is to be confirmed. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';
}

/** Confirms and changes the e-mail addresses of accounts, by links in e-mails. */
@Injectable()
export class EmailAddressesService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly tokens: EmailTokensService,
    private readonly takeBack: EmailTakeBackService,
    private readonly mail: AccountMailService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly rateLimiter: RateLimiterService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Sends a link to an address: the address of the account, or the one that is to replace it. Does
   * nothing if this service sends no e-mail.
   */
  async sendLink(tx: EntityManager, account: Account, email: string): Promise<void> {
    if (!this.mail.isAvailable) return;
    const { token, expiresAt: linkExpiresAt } = await this.tokens.create(tx, {
      purpose: 'verify-email',
      accountId: account.id,
      email,
      lifetimeMs: CONFIRMATION_LIFETIME_MS,
    });
    // The reader may be a stranger, who must not learn the name of the person.
    const values = { name: account.username };
    const path = `/verify-email?token=${token}`;
    await this.mail.enqueue(tx, account, 'confirmEmail', { email, values, path, linkExpiresAt });
  }

  /**
   * Sends another link to the address of the account, unless the address is verified.
   * @returns whether the account has an address
   */
  async sendLinkAgain({ accountId }: Session): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      if (account.email === null) return false;
      if (!account.emailVerifiedAt) await this.sendLink(tx, account, account.email);
      return true;
    });
  }

  /**
   * Sends a link to the new address; the address changes when the person confirms it. The old
   * address gets a link that takes it back. The result
   * for an address that another account has is the same.
   * @throws InvalidFieldsError if the address is invalid or the password is wrong
   * @throws DomainError `too_many_password_attempts`, `too_many_email_changes`
   */
  async requestChange(session: Session, email: string, password: string | null): Promise<void> {
    const { account } = session;
    if (!isEmailAddress(email)) throw new InvalidFieldsError([{ field: 'email', code: 'emailInvalid' }]);
    if (normalizeUsernameOrEmail(email) === account.normalizedEmail) {
      throw new InvalidFieldsError([{ field: 'email', code: 'emailUnchanged' }]);
    }
    await this.passwordConfirmation.verify(session, password, 'password');
    const quota = { policy: EMAIL_CHANGE_POLICY, key: account.id };
    const { isExceeded, headers } = await this.rateLimiter.consume(quota);
    if (isExceeded) {
      const message = 'The e-mail address was changed too often. Try again later.';
      throw new DomainError('rate_limited', 'too_many_email_changes', message, { rateLimitHeaders: headers });
    }
    await withConstantDuration(() => this.transactions.run((tx) => this.sendChangeLink(tx, account, email)));
  }

  /** Returns the account and the address of a link. @throws InvalidLinkError */
  async findTarget(token: string): Promise<ConfirmationTarget> {
    const { accountId, email } = await this.tokens.getWaiting('verify-email', token);
    const { username } = await this.accounts.get(accountId);
    return { accountId, username, email: email! };
  }

  /**
   * Confirms the address of the account, or changes it to the address of the link.
   * @returns the confirmed address
   * @throws InvalidLinkError
   * @throws OtherAccountError if the session is of another account
   * @throws EmailTakenError
   */
  async confirm({ accountId }: Session, token: string): Promise<string> {
    const link = await this.tokens.getWaiting('verify-email', token);
    if (link.accountId !== accountId) throw new OtherAccountError();
    const email = link.email!;
    await this.transactions.run(async (tx) => {
      await this.accounts.lockUsernamesAndEmails(tx, email);
      const account = await this.accounts.findForUpdate(tx, link.accountId);
      await this.tokens.use(tx, link);
      if (normalizeUsernameOrEmail(email) === account.normalizedEmail) await this.verify(tx, account, email);
      else await this.change(tx, account, email);
    });
    return email;
  }

  /**
   * Ends a link whose reader says that the account is not theirs. The account does not change to
   * the address, or loses it. An account without an address gets no e-mail.
   * @throws InvalidLinkError
   */
  async reject(token: string): Promise<ConfirmationTarget> {
    const link = await this.tokens.getWaiting('verify-email', token);
    const email = link.email!;
    return this.transactions.run(async (tx) => {
      await this.accounts.lockUsernamesAndEmails(tx, email);
      const account = await this.accounts.findForUpdate(tx, link.accountId);
      await this.tokens.use(tx, link);
      const isOwnAddress = normalizeUsernameOrEmail(email) === account.normalizedEmail;
      if (isOwnAddress && !account.emailVerifiedAt) await this.accounts.removeEmail(tx, account.id);
      await this.tokens.endAll(tx, account.id, { email });
      await this.audit.record(tx, { type: 'email.rejected', accountId: account.id });
      return { accountId: account.id, username: account.username, email };
    });
  }

  private async sendChangeLink(tx: EntityManager, verified: Account, email: string): Promise<void> {
    const account = await this.accounts.findForUpdate(tx, verified.id);
    assertSamePassword(account, verified, 'password');
    // Only the link of the last change works.
    await this.tokens.endAll(tx, account.id, { purpose: 'verify-email' });
    await this.takeBack.tellOldAddress(tx, account, 'emailChangeRequested', email);
    const owner = await this.accounts.findByEmail(tx, email);
    if (owner) return this.mail.enqueue(tx, owner, 'emailTaken');
    await this.sendLink(tx, account, email);
  }

  private async verify(tx: EntityManager, account: Account, email: string): Promise<void> {
    await this.accounts.updateVerifiedEmail(tx, account.id, email);
    await this.tokens.endAll(tx, account.id, { purpose: 'verify-email', email });
    await this.audit.record(tx, { type: 'email.verified', accountId: account.id });
  }

  /**
   * Ends the other links, because the old mailbox could still open them. An account can return to
   * an address that is reserved for it. Then the address that it leaves may be the one of a thief,
   * so it cannot be taken back.
   */
  private async change(tx: EntityManager, account: Account, email: string): Promise<void> {
    const isReturn = await this.tokens.endTakeBacks(tx, account.id, email);
    const isTaken = isReturn ? await this.accounts.findByEmail(tx, email) : await this.accounts.isEmailTaken(tx, email);
    if (isTaken) throw new EmailTakenError();
    await this.accounts.updateVerifiedEmail(tx, account.id, email);
    await this.tokens.endAll(tx, account.id);
    await this.audit.record(tx, { type: 'email.changed', accountId: account.id });
    if (isReturn) await this.mail.enqueue(tx, account, 'emailChanged', { values: { newEmail: email } });
    else await this.takeBack.tellOldAddress(tx, account, 'emailChanged', email);
  }
}
