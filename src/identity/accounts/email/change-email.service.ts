import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { PageError } from '../../../platform/views/page-error.js';
import type { Account } from '../account.entity.js';
import { AccountLinksService } from '../account-links.service.js';
import { EmailConfirmationService } from './email-confirmation.service.js';
import { AccountMailService } from '../account-mail.service.js';
import { AccountsStore } from '../accounts.store.js';
import { isEmailAddress } from '../email-address.js';
import { normalizeLogin } from '../normalize-login.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import type { Session } from '../sessions/session.entity.js';
import { assertSamePassword } from '../sign-in/assert-same-password.js';
import { hideDuration } from '../password/hide-duration.js';

/** Limits requested changes per account. */
const EMAIL_CHANGE_POLICY: RateLimitPolicy = {
  name: 'email-changes',
  limit: 10,
  windowSeconds: 3600,
  isSecurity: true,
};

/** Sends the links that confirm or change the e-mail address of a person who is signed in. */
@Injectable()
export class ChangeEmailService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly links: AccountLinksService,
    private readonly emailConfirmation: EmailConfirmationService,
    private readonly mail: AccountMailService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly rateLimiter: RateLimiterService,
    private readonly transactions: TransactionService,
  ) {}

  /** Whether the service can send the links. */
  get isAvailable(): boolean {
    return this.mail.isAvailable;
  }

  /**
   * Sends a link to the new address; the address changes when the person confirms it. The result
   * for an address that another account has is the same.
   * @throws InvalidFieldsError if the address is invalid or the password is wrong
   * @throws PageError 429 after too many wrong passwords, or too many changes
   */
  async requestChange(session: Session, form: URLSearchParams): Promise<void> {
    const { account } = session;
    const email = (form.get('email') ?? '').trim();
    if (!isEmailAddress(email)) throw new InvalidFieldsError([{ field: 'email', code: 'emailInvalid' }]);
    if (normalizeLogin(email) === account.normalizedEmail) {
      throw new InvalidFieldsError([{ field: 'email', code: 'emailUnchanged' }]);
    }
    await this.passwordConfirmation.verify(session, form.get('password'), 'password');
    const { isExceeded, headers } = await this.rateLimiter.consume({ policy: EMAIL_CHANGE_POLICY, key: account.id });
    if (isExceeded) throw new PageError(429, 'tooManyEmailChanges', undefined, headers);
    await hideDuration(() => this.transactions.run((tx) => this.sendChangeLink(tx, account, email)));
  }

  /** Sends another link to the address of the account, unless the address is verified. */
  async sendConfirmationAgain({ accountId }: Session): Promise<void> {
    await this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      if (!account.emailVerifiedAt) await this.emailConfirmation.sendLink(tx, account);
    });
  }

  private async sendChangeLink(tx: EntityManager, verified: Account, email: string): Promise<void> {
    const account = await this.accounts.findForUpdate(tx, verified.id);
    assertSamePassword(account, verified, 'password');
    // Only the link of the last change works.
    await this.links.endAll(tx, account.id, { purpose: 'verify-email' });
    const owner = await this.accounts.findByEmail(tx, email);
    if (owner) return this.mail.enqueue(tx, owner, 'emailTaken');
    await this.emailConfirmation.sendLink(tx, account, email);
  }
}
