import type { EntityManager, EntityTarget, FindOptionsOrder, FindOptionsWhere } from 'typeorm';
import type { PartitionedTable } from '../database/partitions/partitions.js';

/** A table whose old partitions are dropped on PostgreSQL. */
export interface PartitionRetention extends PartitionedTable {
  /** Milliseconds for which `where` keeps a row after the time in `column`. */
  retentionMs: number;
  /**
   * Deletes a batch of rows that depended on the rows of dropped partitions.
   * @param after last key of the batch before, at first an empty text
   * @returns the last key of this batch, undefined after the last batch
   */
  deleteOrphans?: (tx: EntityManager, after: string) => Promise<{ deleted: number; last: string | undefined }>;
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
  beforeDelete?: (tx: EntityManager) => Promise<void>;
  /** Deletes rows that depend on the deleted ones. @returns the number of dependent rows */
  afterDelete?: (tx: EntityManager, deleted: Row[]) => Promise<number>;
}
