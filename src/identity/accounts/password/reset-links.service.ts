import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AccountLinksService } from '../account-links.service.js';
import { AccountMailService } from '../account-mail.service.js';
import { AccountNotFoundError } from '../account-errors.js';
import { AccountsStore } from '../accounts.store.js';

/** Lifetime of a link that is sent by e-mail: 30 minutes. */
const MAILED_LINK_LIFETIME_MS = 30 * 60_000;

/** Lifetime of a link that a command makes: 24 hours. */
const OPERATOR_LINK_LIFETIME_MS = 24 * 3600_000;

/** Makes links that set a new password. */
@Injectable()
export class ResetLinksService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly links: AccountLinksService,
    private readonly mail: AccountMailService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly settings: Settings,
  ) {}

  /** Sends a link to the address of an account. An unknown login has no effect. */
  async send(login: string): Promise<void> {
    const found = await this.accounts.findByLogin(login);
    if (!found || found.deletedAt) return;
    await this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, found.id);
      const { path } = await this.create(tx, account.id, account.email, MAILED_LINK_LIFETIME_MS);
      await this.mail.enqueue(tx, account, 'resetPassword', { path });
    });
  }

  /** Returns a link for the operator to hand over. @throws AccountNotFoundError */
  async createForOperator(login: string): Promise<{ url: string; expiresAt: Date }> {
    const { id } = await this.accounts.getByLogin(login);
    const { path, expiresAt } = await this.transactions.run(async (tx) => {
      const { deletedAt } = await this.accounts.findForUpdate(tx, id);
      if (deletedAt) throw new AccountNotFoundError(login);
      await this.audit.record(tx, { type: 'password.link_created', accountId: id });
      return this.create(tx, id, null, OPERATOR_LINK_LIFETIME_MS);
    });
    return { url: this.settings.BASE_URL + path, expiresAt };
  }

  private async create(
    tx: EntityManager,
    accountId: string,
    email: string | null,
    lifetimeMs: number,
  ): Promise<{ path: string; expiresAt: Date }> {
    const link = { purpose: 'reset-password', accountId, email, lifetimeMs } as const;
    const { token, expiresAt } = await this.links.create(tx, link);
    return { path: `/reset-password?token=${token}`, expiresAt };
  }
}
