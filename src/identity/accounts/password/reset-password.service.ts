import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import type { Account } from '../account.entity.js';
import type { AccountLink } from '../account-link.entity.js';
import { AccountLinksService } from '../account-links.service.js';
import { AccountsStore } from '../accounts.store.js';
import { hashPassword } from '../password-hashing.js';
import { assertNewPassword } from './password-rules.js';
import { PasswordUpdatesService } from './password-updates.service.js';

/** Sets a new password by a link. */
@Injectable()
export class ResetPasswordService {
  constructor(
    private readonly links: AccountLinksService,
    private readonly accounts: AccountsStore,
    private readonly passwordUpdates: PasswordUpdatesService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the account of a link that still works. @throws InvalidLinkError */
  async findAccount(token: string): Promise<Account> {
    const { accountId } = await this.links.getWaiting('reset-password', token);
    return this.accounts.get(accountId);
  }

  /**
   * Sets a new password, and ends the sessions and all other links of the account. The link is used
   * in the transaction of the change, so that it works once.
   * @throws InvalidLinkError
   * @throws InvalidFieldsError if the password is too short, too long or too easy
   */
  async reset(token: string, password: string): Promise<Account> {
    const link = await this.links.getWaiting('reset-password', token);
    await assertNewPassword(password, await this.accounts.get(link.accountId));
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, link.accountId);
      await this.links.use(tx, link);
      await this.passwordUpdates.update(tx, account, { passwordHash, event: 'password.reset' });
      await this.verifyEmail(tx, account, link);
      return account;
    });
  }

  /** A link that arrived by e-mail proves that the address belongs to the person. */
  private async verifyEmail(tx: EntityManager, account: Account, { email }: AccountLink): Promise<void> {
    if (account.emailVerifiedAt || email !== account.email) return;
    await this.accounts.updateVerifiedEmail(tx, account.id, email);
    await this.audit.record(tx, { type: 'email.verified', accountId: account.id });
  }
}
