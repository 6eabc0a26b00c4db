import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { countRowsBefore, dropPartition, listPartitions } from '../database/partitions/partitions.js';
import { runWithLockTimeout } from '../database/postgres/run-briefly.js';
import { TransactionService } from '../database/transaction.service.js';
import type { PartitionRetention } from './retention-policy.js';

/**
 * Expired rows of a partition that are deleted row by row. More rows wait until the whole partition
 * is old, because dropping it costs nothing for each row.
 */
export const MAX_SINGLE_DELETIONS = 10_000;

/** Limit of the count of expired rows of one table, because counting many rows is slow. */
const MAX_COUNT = 1_000_000;

/** Drops old partitions on PostgreSQL, and decides which other rows are deleted row by row. */
@Injectable()
export class PartitionRetentionService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Drops the partitions whose rows have all expired.
   * @returns the number of their rows, an estimate for large partitions
   */
  async dropOld(table: PartitionRetention): Promise<number> {
    const cutoff = getCutoff(table);
    let rows = 0;
    for (const { name, to } of await listPartitions(this.manager, table)) {
      if (to <= cutoff)
        rows += await runWithLockTimeout(this.transactions, table.table, (tx) => dropPartition(tx, name));
    }
    return rows;
  }

  /**
   * Returns the time at which rows must have expired to be deleted row by row: now, or the start of
   * the current partition if it has too many expired rows.
   */
  async getBatchTime(table: PartitionRetention): Promise<number> {
    const cutoff = getCutoff(table);
    const current = (await listPartitions(this.manager, table)).find(({ from, to }) => from <= cutoff && cutoff < to);
    if (!current) return cutoff + table.retentionMs;
    const part = { ...table, table: current.name };
    const rows = await countRowsBefore(this.manager, part, cutoff, MAX_SINGLE_DELETIONS + 1);
    return (rows > MAX_SINGLE_DELETIONS ? current.from : cutoff) + table.retentionMs;
  }

  /** Returns the number of rows that are deleted next, at most a million. */
  async countExpired(table: PartitionRetention): Promise<number> {
    const cutoff = (await this.getBatchTime(table)) - table.retentionMs;
    return countRowsBefore(this.manager, table, cutoff, MAX_COUNT);
  }
}

function getCutoff({ retentionMs }: PartitionRetention): number {
  return Date.now() - retentionMs;
}
