import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import type { FieldError } from '../../platform/i18n/form-validation-error.js';
import type { Account } from './account.entity.js';
import { InvalidAccountError } from './account-errors.js';
import { AccountsStore } from './accounts.store.js';
import { assertValidNewAccount, buildAccount, type NewAccount } from './new-account.js';

/** Creates, blocks and unblocks accounts. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates an account. A name that is taken is rejected before the password is hashed.
   * @param additionalErrors errors of the calling form, reported together with the errors found
   * here
   * @param afterInsert runs in the transaction of the insertion
   * @throws FormValidationError if a field is invalid, or the username or e-mail address is taken
   * @throws InvalidAccountError if the role is unknown
   */
  async create(
    newAccount: NewAccount,
    additionalErrors: readonly FieldError[] = [],
    afterInsert?: (tx: EntityManager, account: Account) => Promise<void>,
  ): Promise<Account> {
    assertValidNewAccount(newAccount, additionalErrors);
    await this.accounts.assertAvailable(newAccount);
    const account = await buildAccount(newAccount);
    return this.transactions.runExclusive(async (tx) => {
      await this.accounts.insert(tx, account);
      await afterInsert?.(tx, account);
      return account;
    });
  }

  /**
   * Blocks an account: its apps get no new tokens, and existing access tokens can only read.
   * @param reason shown to the person
   * @throws AccountNotFoundError, InvalidAccountError if the reason is empty
   */
  async block(login: string, reason: string): Promise<Account> {
    if (!reason.trim()) throw new InvalidAccountError('--reason must not be empty: the person sees it.');
    return this.setBlock(login, { blockedAt: new Date(), blockedReason: reason });
  }

  /** Ends a block. @throws AccountNotFoundError */
  async unblock(login: string): Promise<Account> {
    return this.setBlock(login, { blockedAt: null, blockedReason: null });
  }

  private async setBlock(login: string, block: Pick<Account, 'blockedAt' | 'blockedReason'>): Promise<Account> {
    const account = await this.accounts.getByLogin(login);
    await this.transactions.run(async (tx) => {
      await this.accounts.updateBlock(tx, account.id, block);
      await this.audit.record(tx, {
        type: block.blockedAt ? 'account.blocked' : 'account.unblocked',
        accountId: account.id,
        detail: block.blockedReason,
      });
    });
    return { ...account, ...block };
  }
}
