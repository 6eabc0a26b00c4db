import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThanOrEqual, type Repository } from 'typeorm';
import { lock } from '../../../platform/database/advisory-locks.js';
import { query } from '../../../platform/database/query.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { App } from '../app.entity.js';
import { FailedCall, mergeFailedCalls } from './failed-call.entity.js';

/** Number of failed calls that are stored for each app. */
export const MAX_CALLS_PER_APP = 50;

/** Reads and writes failed calls. */
@Injectable()
export class FailedCallsStore {
  constructor(
    @InjectRepository(FailedCall) private readonly calls: Repository<FailedCall>,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the failed calls of an app, the last first. */
  async list(appId: string): Promise<FailedCall[]> {
    return this.calls.find({
      where: { appId },
      order: { lastFailedAt: 'DESC', digest: 'ASC' },
      take: MAX_CALLS_PER_APP,
    });
  }

  /** Returns the number of failed calls by app, of the entries that failed since a time. */
  async sumByApp(appIds: string[], since: Date): Promise<Map<string, number>> {
    const rows = await this.calls.findBy({ appId: In(appIds), lastFailedAt: MoreThanOrEqual(since) });
    const byApp = Map.groupBy(rows, ({ appId }) => appId);
    return new Map([...byApp].map(([appId, calls]) => [appId, calls.reduce((sum, { count }) => sum + count, 0)]));
  }

  async clear(appId: string): Promise<void> {
    await this.transactions.run((tx) => this.deleteAll(tx, appId));
  }

  async deleteAll(tx: EntityManager, appId: string): Promise<void> {
    await lock(tx, 'failedCalls', appId);
    await tx.delete(FailedCall, { appId });
  }

  /**
   * Merges failed calls of an app into the stored ones, and deletes the oldest above the limit.
   * Concurrent processes do so one after the other, so none overwrites the counts of another.
   */
  async save(appId: string, calls: FailedCall[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      await lock(tx, 'failedCalls', appId);
      // A deleted app has no developer who could read them.
      if (!(await tx.existsBy(App, { id: appId, deletedAt: IsNull() }))) return;
      const stored = new Map((await tx.findBy(FailedCall, { appId })).map((call) => [call.digest, call]));
      const merged = calls.map((call) => {
        const previous = stored.get(call.digest);
        return previous ? mergeFailedCalls(previous, call) : call;
      });
      await tx.upsert(FailedCall, merged, ['digest']);
      await prune(tx, appId);
    });
  }
}

async function prune(tx: EntityManager, appId: string): Promise<void> {
  await query(
    tx,
    `DELETE FROM failed_calls WHERE app_id = :appId AND digest NOT IN
       (SELECT digest FROM failed_calls WHERE app_id = :appId ORDER BY last_failed_at DESC, digest LIMIT ${MAX_CALLS_PER_APP})`,
    { appId },
  );
}
