import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { runInTransaction } from './run-in-transaction.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/** What a transaction came to. */
export interface Committed<T> {
  result: T;
  /** Ends when it is on the disk. Nobody is told of the result before. */
  durable: Promise<void>;
}

/**
 * The one way to write. SQLite has one writing connection, and transactions that overlap on it become savepoints of each
 * other: one that rolls back would erase what another committed. So there they queue, and run one after the other; on
 * PostgreSQL each has a connection of its own.
 *
 * Inside `work` nothing but the database is awaited, and it never calls `run` again.
 */
@Injectable()
export class TransactionService implements OnApplicationShutdown {
  private queueTail: Promise<unknown> = Promise.resolve();
  private pending = 0;

  /**
   * @param writer the connection that writes
   * @param writeAheadLog the log of the SQLite file that it writes to, if it does; then both are ours to close
   */
  constructor(
    private readonly writer: DataSource,
    private readonly writeAheadLog?: WriteAheadLog,
  ) {}

  /** Runs `work` in a transaction: all of what it writes through `tx` is kept, or, where it throws, none. */
  async run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const { result, durable } = await this.commit(work);
    await durable;
    return result;
  }

  /** As `run`, for who has something to do while the disk writes. */
  async commit<T>(work: (tx: EntityManager) => Promise<T>): Promise<Committed<T>> {
    this.pending++;
    const turn = this.enqueue(() => runInTransaction(this.writer, ({ manager }) => work(manager)));
    const result = await turn.finally(() => this.pending--);
    const kept = this.writeAheadLog?.flush() ?? Promise.resolve();
    kept.catch(() => undefined); // where the result is a refusal, nobody waits
    return { result, durable: kept };
  }

  /** As `run`, one at a time among all processes: for what is decided by looking at a whole table, such as filling it once. */
  runExclusive<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.run(async (tx) => {
      if (this.writer.options.type === 'postgres')
        await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK_KEY]);
      return work(tx);
    });
  }

  /** How many run, or wait for their turn or for a connection. */
  get pendingCount(): number {
    return this.pending;
  }

  /** @throws Error where nothing can be written any more until the service is started again */
  assertWritable(): void {
    this.writeAheadLog?.assertWritable();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queueTail;
    if (!this.writeAheadLog) return;
    await this.writeAheadLog.close();
    await this.writer.destroy();
  }

  private enqueue<T>(transaction: () => Promise<T>): Promise<T> {
    if (this.writer.options.type === 'postgres') return transaction();
    const turn = this.queueTail.then(() => {
      this.writeAheadLog?.assertWritable();
      return transaction();
    });
    this.queueTail = turn.catch(() => undefined);
    return turn;
  }
}

/** The key of PostgreSQL's advisory lock that `runAlone` and `migrate` share: any number of our own. */
export const ADVISORY_LOCK_KEY = 7_382_114;
