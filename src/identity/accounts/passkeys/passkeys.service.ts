import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { isId } from '../../../platform/database/ids.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AccountMailService } from '../account-mail.service.js';
import { AccountsStore } from '../accounts.store.js';
import type { Passkey } from './passkey.entity.js';
import { PasskeysStore } from './passkeys.store.js';

/** Lists and removes passkeys. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysStore,
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly mail: AccountMailService,
  ) {}

  /** Returns the passkeys of an account, the oldest first. */
  async list(accountId: string): Promise<Passkey[]> {
    return this.passkeys.list(accountId);
  }

  /** Removes a passkey of the account, and tells the person by e-mail. */
  async remove(accountId: string, id: string): Promise<void> {
    if (!isId('pky', id)) return;
    await this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      const passkey = await this.passkeys.delete(tx, accountId, id);
      if (!passkey) return;
      await this.audit.record(tx, { type: 'passkey.removed', accountId, detail: passkey.name });
      const values = { passkey: passkey.name };
      await this.mail.enqueue(tx, account, 'passkeyRemoved', { values, path: '/account/passkeys' });
    });
  }

  /** Deletes the passkeys of an account that is deleted. */
  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await this.passkeys.deleteAll(tx, accountId);
  }
}
