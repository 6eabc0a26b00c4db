import { type EntityManager, In, type ObjectLiteral } from 'typeorm';
import type { RetentionPolicy } from './retention-policy.js';

/** Rows that one transaction deletes. On SQLite, no other write runs during the transaction. */
export const DELETE_BATCH_SIZE = 500;

/** Counts and deletes the expired rows of one table. */
export class ExpiredRowDeleter<Row extends ObjectLiteral> {
  constructor(readonly policy: RetentionPolicy<Row>) {}

  /** Returns the number of expired rows. */
  count(manager: EntityManager): Promise<number> {
    return manager.countBy(this.policy.entity, this.policy.where(Date.now()));
  }

  /**
   * Deletes a batch of expired rows and the rows that depend on them. Skips rows that another
   * transaction has locked; a later batch deletes them.
   * @param now time at which the rows must have expired
   * @returns `expired`: the expired rows, fewer than a batch only if none is left; `deleted`: with
   * the dependent rows
   */
  async deleteBatch(tx: EntityManager, now: number): Promise<{ expired: number; deleted: number }> {
    const { entity, key, where, order, beforeDelete, afterDelete } = this.policy;
    const isPostgres = tx.connection.options.type === 'postgres';
    const rows = await tx.find(entity, {
      where: where(now),
      order,
      take: DELETE_BATCH_SIZE,
      ...(isPostgres && { lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } }),
    });
    if (rows.length === 0) return { expired: 0, deleted: 0 };
    await beforeDelete?.(tx);
    await tx.delete(entity, { [key]: In(rows.map((row) => row[key])) });
    return { expired: rows.length, deleted: rows.length + ((await afterDelete?.(tx, rows)) ?? 0) };
  }
}
