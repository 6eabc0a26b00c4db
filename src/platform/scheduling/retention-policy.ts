import {
  type EntityManager,
  type EntityTarget,
  type FindOptionsOrder,
  type FindOptionsWhere,
  In,
  type ObjectLiteral,
} from 'typeorm';
import type { PartitionedTable } from '../database/partitions.js';

/** A table whose old partitions are dropped on PostgreSQL. */
export interface PartitionRetention extends PartitionedTable {
  /** Milliseconds for which `where` keeps a row after the time in `column`. */
  retentionMs: number;
  /**
   * Deletes a batch of rows that depended on the rows of dropped partitions.
   * @param after last key of the batch before, at first an empty text
   * @param now milliseconds since 1970
   * @returns the last key of this batch, undefined after the last batch
   */
  deleteOrphans?: (
    tx: EntityManager,
    after: string,
    now: number,
  ) => Promise<{ deleted: number; last: string | undefined }>;
}

/** A rule that selects the expired rows of a table. The module that owns the table registers it. */
export interface RetentionPolicy<Row> {
  entity: EntityTarget<Row>;
  /** The property of the primary key. */
  key: keyof Row & string;
  /**
   * Selects the expired rows. An index must support it, in the order of `order`, so that a batch
   * reads no other rows.
   * @param now milliseconds since 1970
   */
  where: (now: number) => FindOptionsWhere<Row>;
  order: FindOptionsOrder<Row>;
  partitions?: PartitionRetention;
  /** Runs in each transaction that deletes rows, before the deletion. */
  beforeDelete?: (tx: EntityManager, now: number) => Promise<void>;
  /** Deletes rows that depend on the deleted ones. @returns the number of dependent rows */
  afterDelete?: (tx: EntityManager, deleted: Row[]) => Promise<number>;
}

/** Rows that one transaction deletes. On SQLite, no other write runs during the transaction. */
export const DELETE_BATCH_SIZE = 500;

/** Counts and deletes the expired rows of one table. */
export class ExpiredRowDeleter<Row extends ObjectLiteral> {
  constructor(readonly policy: RetentionPolicy<Row>) {}

  count(manager: EntityManager, now: number): Promise<number> {
    return manager.countBy(this.policy.entity, this.policy.where(now));
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
    await beforeDelete?.(tx, now);
    await tx.delete(entity, { [key]: In(rows.map((row) => row[key])) });
    return { expired: rows.length, deleted: rows.length + ((await afterDelete?.(tx, rows)) ?? 0) };
  }
}
