import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { AccountMailService } from '../account-mail.service.js';
import { type Account, isEmailAddress, normalizeUsernameOrEmail } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { EmailTokensService } from '../email-tokens.service.js';
import { withConstantDuration } from '../password/with-constant-duration.js';
import type { Session } from '../sessions/session.entity.js';
import { assertSamePassword, PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';

/** Lifetime of a link that confirms an e-mail address: 24 hours. */
const CONFIRMATION_LIFETIME_MS = 24 * 3600_000;

/** Limits requested changes per account. */
const EMAIL_CHANGE_POLICY: RateLimitPolicy = {
  name: 'email-changes',
  limit: 10,
  windowSeconds: 3600,
  isSecurity: true,
};

/** Another account took the e-mail address before the person confirmed it. */
export class EmailTakenError extends Error {
  override readonly name = 'EmailTakenError';
}

/** Confirms and changes the e-mail addresses of accounts, by links in e-mails. */
@Injectable()
export class EmailAddressesService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly tokens: EmailTokensService,
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
  async sendLink(tx: EntityManager, account: Account, email = account.email): Promise<void> {
    if (!this.mail.isAvailable) return;
    const { token, expiresAt: linkExpiresAt } = await this.tokens.create(tx, {
      purpose: 'verify-email',
      accountId: account.id,
      email,
      lifetimeMs: CONFIRMATION_LIFETIME_MS,
    });
    // The reader may be a stranger, who must not learn the person's name.
    const values = { name: account.username };
    const path = `/verify-email?token=${token}`;
    await this.mail.enqueue(tx, account, 'confirmEmail', { email, values, path, linkExpiresAt });
  }

  /** Sends another link to the address of the account, unless the address is verified. */
  async sendLinkAgain({ accountId }: Session): Promise<void> {
    await this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      if (!account.emailVerifiedAt) await this.sendLink(tx, account);
    });
  }

  /**
   * Sends a link to the new address; the address changes when the person confirms it. The result
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

  /** Returns the address that a link confirms. @throws InvalidLinkError */
  async findEmail(token: string): Promise<string> {
    const { email } = await this.tokens.getWaiting('verify-email', token);
    return email!;
  }

  /**
   * Confirms the address of the account, or changes it to the address of the link.
   * @returns the confirmed address
   * @throws InvalidLinkError
   * @throws EmailTakenError
   */
  async confirm(token: string): Promise<string> {
    const link = await this.tokens.getWaiting('verify-email', token);
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

  private async sendChangeLink(tx: EntityManager, verified: Account, email: string): Promise<void> {
    const account = await this.accounts.findForUpdate(tx, verified.id);
    assertSamePassword(account, verified, 'password');
    // Only the link of the last change works.
    await this.tokens.endAll(tx, account.id, { purpose: 'verify-email' });
    const owner = await this.accounts.findByEmail(tx, email);
    if (owner) return this.mail.enqueue(tx, owner, 'emailTaken');
    await this.sendLink(tx, account, email);
  }

  private async verify(tx: EntityManager, account: Account, email: string): Promise<void> {
    await this.accounts.updateVerifiedEmail(tx, account.id, email);
    await this.tokens.endAll(tx, account.id, { purpose: 'verify-email', email });
    await this.audit.record(tx, { type: 'email.verified', accountId: account.id });
  }

  /** Ends all links, because the old mailbox could still open them. */
  private async change(tx: EntityManager, account: Account, email: string): Promise<void> {
    if (await this.accounts.isEmailTaken(tx, email)) throw new EmailTakenError();
    await this.accounts.updateVerifiedEmail(tx, account.id, email);
    await this.tokens.endAll(tx, account.id);
    await this.audit.record(tx, { type: 'email.changed', accountId: account.id });
    await this.mail.enqueue(tx, account, 'emailChanged', { values: { newEmail: email } });
  }
}
