import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { inTransaction } from './in-transaction.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/** What a transaction came to. */
export interface Committed<T> {
  result: T;
  /** Ends when it is on the disk. Nobody is told of the result before. */
  kept: Promise<void>;
}

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
  private begun = 0;

  /**
   * @param writer the connection that writes
   * @param log the log of the SQLite file that it writes to, if it does; then both are ours to close
   */
  constructor(
    private readonly writer: DataSource,
    private readonly log?: WriteAheadLog,
  ) {}

  /** Runs `work` in a transaction: all of what it writes through `tx` is kept, or, where it throws, none. */
  async run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const { result, kept } = await this.commit(work);
    await kept;
    return result;
  }

  /** As `run`, for who has something to do while the disk writes. */
  async commit<T>(work: (tx: EntityManager) => Promise<T>): Promise<Committed<T>> {
    this.begun++;
    const turn = this.inTurn(() => inTransaction(this.writer, ({ manager }) => work(manager)));
    const result = await turn.finally(() => this.begun--);
    const kept = this.log?.flush() ?? Promise.resolve();
    kept.catch(() => undefined); // where the result is a refusal, nobody waits
    return { result, kept };
  }

  /** As `run`, one at a time among all processes: for what is decided by looking at a whole table, such as filling it once. */
  runAlone<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.run(async (tx) => {
      if (this.writer.options.type === 'postgres') await tx.query('SELECT pg_advisory_xact_lock($1)', [ALONE]);
      return work(tx);
    });
  }

  /** How many run, or wait for their turn or for a connection. */
  get underWay(): number {
    return this.begun;
  }

  /** @throws Error where nothing can be written any more until the service is started again */
  refuseAfterFailure(): void {
    this.log?.refuseAfterFailure();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.last;
    if (!this.log) return;
    await this.log.close();
    await this.writer.destroy();
  }

  private inTurn<T>(transaction: () => Promise<T>): Promise<T> {
    if (this.writer.options.type === 'postgres') return transaction();
    const turn = this.last.then(() => {
      this.log?.refuseAfterFailure();
      return transaction();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** The key of PostgreSQL's advisory lock that `runAlone` and `migrate` share: any number of our own. */
export const ALONE = 7_382_114;
