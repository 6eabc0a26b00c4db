import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { TransactionService } from './transaction.service.js';

/** Limit of concurrent batches that use the reserved connections, for each kind of batch. */
const MAX_CONCURRENT_BATCHES = 2;

/**
 * Database connections that only refreshes of tokens use. On PostgreSQL, they are a separate pool,
 * so that other requests never delay a refresh, even if all their connections wait. On SQLite, they
 * are the connections of all requests.
 */
export class ReservedConnections implements OnApplicationShutdown {
  /**
   * @param manager for reads
   * @param transactions for writes
   * @param pool the separate pool, which closes with the service
   */
  constructor(
    readonly manager: EntityManager,
    readonly transactions: TransactionService,
    readonly pool?: DataSource,
  ) {}

  /** Number of batches that may run at the same time. SQLite runs one write at a time. */
  get maxConcurrentBatches(): number {
    return this.pool ? MAX_CONCURRENT_BATCHES : 1;
  }

  /** Number of transactions of the separate pool that run or wait. */
  get pendingCount(): number {
    return this.pool ? this.transactions.pendingCount : 0;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }
}
