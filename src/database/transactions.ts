import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { inTransaction } from './in-transaction.js';

/**
 * The one way to write. SQLite has one writing connection, and transactions that overlap on it become savepoints of each
 * other: one that rolls back would erase what another committed. So there they queue, and run one after the other; on
 * PostgreSQL each has a connection of its own.
 *
 * Inside `work` nothing but the database is awaited, and it never calls `run` again.
 */
@Injectable()
export class Transactions implements OnApplicationShutdown {
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param writer the connection that writes
   * @param ownsWriter whether the writer is ours to close, being another than the one that repositories read from
   */
  constructor(
    private readonly writer: DataSource,
    private readonly ownsWriter: boolean,
  ) {}

  /** Runs `work` in a transaction: all of what it writes through `tx` is kept, or, where it throws, none. */
  run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const transaction = (): Promise<T> => inTransaction(this.writer, ({ manager }) => work(manager));
    if (this.writer.options.type === 'postgres') return transaction();
    const turn = this.last.then(transaction);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** As `run`, one at a time among all processes: for what is decided by looking at a whole table, such as filling it once. */
  runAlone<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.run(async (tx) => {
      if (this.writer.options.type === 'postgres') await tx.query('SELECT pg_advisory_xact_lock($1)', [ALONE]);
      return work(tx);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.last;
    if (this.ownsWriter) await this.writer.destroy();
  }
}

/** The key of PostgreSQL's advisory lock that `runAlone` and `migrate` share: any number of our own. */
export const ALONE = 7_382_114;
