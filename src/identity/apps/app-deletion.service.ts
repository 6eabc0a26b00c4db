import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { lock } from '../../platform/database/advisory-locks.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { DatabasePollService } from '../../platform/scheduling/database-poll.service.js';
import { AppIconsService } from './app-icons.service.js';
import type { App } from './app.entity.js';
import { AppsStore, createAppNotFoundError } from './apps.store.js';
import { FailedCallsService } from './failed-calls/failed-calls.service.js';

/**
 * Deletes apps. A deletion writes no row of the people who use the app, however many they are: no
 * token and no consent counts without the app.
 */
@Injectable()
export class AppDeletionService {
  constructor(
    private readonly apps: AppsStore,
    private readonly failedCalls: FailedCallsService,
    private readonly icons: AppIconsService,
    private readonly databasePoll: DatabasePollService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Deletes an app. Deleting a deleted app changes nothing.
   * @param actorId the owner; null for the operator
   * @throws DomainError not_found, also for an app of another owner
   */
  async delete(id: string, actorId: string | null = null): Promise<void> {
    const { ownerId } = await this.apps.get(id);
    await this.transactions.run(async (tx) => {
      await lock(tx, 'appsOfOwner', ownerId ?? id);
      const app = await this.apps.reload(tx, id);
      if (app.deletedAt) return;
      if (actorId !== null && app.ownerId !== actorId) throw createAppNotFoundError(id);
      await this.deleteOne(tx, app);
    });
    await this.afterDelete();
  }

  /**
   * Deletes the apps of an account. The caller holds the lock `appsOfOwner`, and calls
   * `afterDelete` when the transaction has committed.
   */
  async deleteByOwner(tx: EntityManager, ownerId: string): Promise<void> {
    for (const app of await this.apps.listByOwner(ownerId, tx)) await this.deleteOne(tx, app);
  }

  /** Rejects the access tokens of the deleted apps at once in this process. */
  async afterDelete(): Promise<void> {
    await this.databasePoll.pollNow();
  }

  private async deleteOne(tx: EntityManager, { id: appId, ownerId: accountId }: App): Promise<void> {
    await this.apps.markDeleted(tx, appId);
    await this.failedCalls.deleteAll(tx, appId);
    await this.icons.delete(tx, appId);
    await this.audit.record(tx, { type: 'app.deleted', accountId, appId });
  }
}
