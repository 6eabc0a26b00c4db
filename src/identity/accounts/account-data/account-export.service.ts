import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AccountDataRegistry } from './account-data-registry.js';

/** Creates the export of all data about a person. */
@Injectable()
export class AccountExportService {
  constructor(
    private readonly registry: AccountDataRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the data of an account, and records the export. */
  async export(accountId: string): Promise<Record<string, unknown>> {
    await this.transactions.run((tx) => this.audit.record(tx, { type: 'account.exported', accountId }));
    return { exported_at: new Date().toISOString(), ...(await this.registry.export(accountId)) };
  }
}
