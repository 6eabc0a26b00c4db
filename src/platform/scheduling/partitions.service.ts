import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import {
  countRowsBefore,
  createPartition,
  dropPartition,
  hasDefaultRows,
  listPartitions,
  type PartitionedTable,
  planPartitions,
  runWithLockTimeout,
} from '../database/partitions.js';
import { TransactionService } from '../database/transaction.service.js';
import { EventLogger } from '../logging/event-logger.js';
import type { PartitionRetention } from './retention-policy.js';

/** Milliseconds by which a partition is created ahead: 32 days. */
const AHEAD_MS = 32 * 24 * 3600_000;

/** A table whose partitions are created ahead. */
interface ManagedTable extends PartitionedTable {
  /** Length of a partition in months. */
  months: number;
  /** Milliseconds from now to the latest time that a new row can have. */
  reachMs: number;
}

/**
 * Creates the partitions of tables ahead on PostgreSQL. Rows without a partition of their own go to
 * the DEFAULT partition, so no insert fails. On SQLite, the tables have no partitions.
 */
@Injectable()
export class PartitionsService implements OnApplicationBootstrap {
  private readonly logger = new EventLogger(PartitionsService.name);
  private readonly tables: ManagedTable[] = [];

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
  ) {}

  /** Adds a table. Modules call this while they are initialized. */
  register(table: ManagedTable): void {
    if (this.manager.connection.options.type === 'postgres') this.tables.push(table);
  }

  /** The settings may reach further than the existing partitions. */
  async onApplicationBootstrap(): Promise<void> {
    await this.createAhead();
  }

  /** Creates the partitions that rows will need soon. A failure is logged. */
  async createAhead(): Promise<void> {
    for (const table of this.tables) {
      try {
        await this.createMissing(table);
      } catch (error) {
        this.logger.log('partitions_not_created', 'Partitions of a table cannot be created.', {
          table: table.table,
          error,
        });
      }
    }
  }

  /** A period of which the DEFAULT partition has rows gets no partition. */
  private async createMissing(table: ManagedTable): Promise<void> {
    const now = Date.now();
    const range = { from: now, until: now + table.reachMs + AHEAD_MS, months: table.months };
    const plan = async (manager: EntityManager) => planPartitions(table, await listPartitions(manager, table), range);
    if ((await plan(this.manager)).length === 0) return;
    await runWithLockTimeout(this.transactions, table.table, async (tx) => {
      for (const partition of await plan(tx)) {
        if (!(await hasDefaultRows(tx, table, partition))) await createPartition(tx, table, partition);
      }
    });
  }
}

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
  async dropOld(table: PartitionRetention, now: number): Promise<number> {
    const cutoff = now - table.retentionMs;
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
  async getBatchTime(table: PartitionRetention, now: number): Promise<number> {
    const cutoff = now - table.retentionMs;
    const current = (await listPartitions(this.manager, table)).find(({ from, to }) => from <= cutoff && cutoff < to);
    if (!current) return now;
    const part = { ...table, table: current.name };
    const rows = await countRowsBefore(this.manager, part, cutoff, MAX_SINGLE_DELETIONS + 1);
    return (rows > MAX_SINGLE_DELETIONS ? current.from : cutoff) + table.retentionMs;
  }

  /** Returns the number of rows that are deleted next, at most a million. */
  async countExpired(table: PartitionRetention, now: number): Promise<number> {
    const cutoff = (await this.getBatchTime(table, now)) - table.retentionMs;
    return countRowsBefore(this.manager, table, cutoff, MAX_COUNT);
  }
}
