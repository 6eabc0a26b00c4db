import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import type { Account } from '../account.entity.js';
import { AccountLinksService } from '../account-links.service.js';
import { AccountMailService } from '../account-mail.service.js';
import { AccountsStore } from '../accounts.store.js';
import { normalizeLogin } from '../normalize-login.js';
import { EmailTakenError } from './email-taken-error.js';

/** Confirms e-mail addresses by a link. */
@Injectable()
export class VerifyEmailService {
  constructor(
    private readonly links: AccountLinksService,
    private readonly accounts: AccountsStore,
    private readonly mail: AccountMailService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the address that a link confirms. @throws InvalidLinkError */
  async findEmail(token: string): Promise<string> {
    const { email } = await this.links.getWaiting('verify-email', token);
    return email!;
  }

  /**
   * Confirms the address of the account, or changes it to the address of the link.
   * @returns the confirmed address
   * @throws InvalidLinkError
   * @throws EmailTakenError
   */
  async confirm(token: string): Promise<string> {
    const link = await this.links.getWaiting('verify-email', token);
    const email = link.email!;
    await this.transactions.run(async (tx) => {
      await this.accounts.lockLogins(tx, email);
      const account = await this.accounts.findForUpdate(tx, link.accountId);
      await this.links.use(tx, link);
      if (normalizeLogin(email) === account.normalizedEmail) await this.verify(tx, account, email);
      else await this.change(tx, account, email);
    });
    return email;
  }

  private async verify(tx: EntityManager, account: Account, email: string): Promise<void> {
    await this.accounts.updateVerifiedEmail(tx, account.id, email);
    await this.links.endAll(tx, account.id, { purpose: 'verify-email', email });
    await this.audit.record(tx, { type: 'email.verified', accountId: account.id });
  }

  /** Ends all links, because the old mailbox could still open them. */
  private async change(tx: EntityManager, account: Account, email: string): Promise<void> {
    if (await this.accounts.isEmailTaken(tx, email)) throw new EmailTakenError();
    await this.accounts.updateVerifiedEmail(tx, account.id, email);
    await this.links.endAll(tx, account.id);
    await this.audit.record(tx, { type: 'email.changed', accountId: account.id });
    await this.mail.enqueue(tx, account, 'emailChanged', { values: { newEmail: email } });
  }
}
