import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import {
  createPartition,
  hasDefaultRows,
  listPartitions,
  type PartitionedTable,
  planPartitions,
} from '../database/partitions/partitions.js';
import { runWithLockTimeout } from '../database/postgres/run-briefly.js';
import { TransactionService } from '../database/transaction.service.js';
import { EventLogger } from '../logging/event-logger.js';

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
