import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type DataSource, type EntityManager } from 'typeorm';

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
    if (this.writer.options.type === 'postgres') return this.writer.transaction(work);
    const turn = this.last.then(() => this.writer.transaction(work));
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
