import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import type { Account } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { hashPassword } from '../password-hashing.js';
import { assertOperatorPassword } from './password-rules.js';
import { PasswordUpdatesService } from './password-updates.service.js';

/** Sets passwords by command. */
@Injectable()
export class OperatorPasswordsService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwordUpdates: PasswordUpdatesService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Sets a password, and ends the sessions and the links of the account.
   * @param password 1 to 200 characters
   * @throws AccountNotFoundError, InvalidFieldsError
   */
  async set(login: string, password: string): Promise<Account> {
    assertOperatorPassword(password);
    const { id } = await this.accounts.getByLogin(login);
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, id);
      const detail = 'The operator set the password.';
      await this.passwordUpdates.update(tx, account, { passwordHash, event: 'password.reset', detail });
      return account;
    });
  }
}
