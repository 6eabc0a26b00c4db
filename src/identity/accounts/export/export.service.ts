import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { createAccountNotFoundError } from '../account-errors.js';
import { AccountsStore } from '../accounts.store.js';
import { PersonalDataRegistry } from '../personal-data.registry.js';

/** Creates the export of all data about a person. */
@Injectable()
export class ExportService {
  constructor(
    private readonly registry: PersonalDataRegistry,
    private readonly accounts: AccountsStore,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the data of an account, and records the export. @throws DomainError not_found */
  async export(accountId: string): Promise<Record<string, unknown>> {
    await this.transactions.run(async (tx) => {
      const { deletedAt, username } = await this.accounts.findForUpdate(tx, accountId);
      if (deletedAt) throw createAccountNotFoundError(username);
      await this.audit.record(tx, { type: 'account.exported', accountId });
    });
    return { exported_at: new Date().toISOString(), ...(await this.registry.export(accountId)) };
  }
}
