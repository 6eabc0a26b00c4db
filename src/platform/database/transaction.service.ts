import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isPostgresDiskFull } from './database-unavailable.js';
import { StandbyCircuitBreaker } from './uncertain-commit.js';
import { runInTransaction } from './run-in-transaction.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/** A transaction that committed, but that the disk may not have written. */
export interface PendingCommit<T> {
  result: T;
  /** Resolves when the commit is on the disk. Callers await it before they disclose the result. */
  durable: Promise<void>;
}

/** Writes through `tx` only. */
type TransactionWork = (tx: EntityManager) => Promise<void>;

/**
 * Runs all writes of the service in transactions. On PostgreSQL, each transaction has its own
 * connection. SQLite has one connection for writes, on which overlapping transactions would become
 * savepoints of each other, so that a rollback would undo the writes of another transaction.
 * Therefore they run one after the other.
 *
 * `work` awaits only database calls, and does not call `run`.
 */
@Injectable()
export class TransactionService implements OnApplicationShutdown {
  private queueTail: Promise<unknown> = Promise.resolve();
  private pending = 0;
  /** Whether the disk of PostgreSQL was full at the last write. The write probe ends this state. */
  isDiskFull = false;
  private readonly standbyBreaker = new StandbyCircuitBreaker();
  private readonly beforeCommitWork = new WeakMap<EntityManager, TransactionWork[]>();

  /**
   * @param writer the connection for writes
   * @param writeAheadLog the log of the SQLite file that `writer` has open, if it has one. The
   * service closes both.
   */
  constructor(
    private readonly writer: DataSource,
    private readonly writeAheadLog?: WriteAheadLog,
  ) {}

  /**
   * Runs `work` in a transaction. If `work` throws, the transaction is rolled back.
   * @param work writes through `tx` only
   */
  async run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const { result, durable } = await this.commit(work);
    await durable;
    return result;
  }

  /**
   * Does the same as `run`, but returns before the disk has written, so that the caller can do
   * other work in the meantime.
   */
  async commit<T>(work: (tx: EntityManager) => Promise<T>): Promise<PendingCommit<T>> {
    this.pending++;
    const execute = ({ manager }: QueryRunner): Promise<T> => this.execute(manager, work);
    const turn = this.enqueue(() => runInTransaction(this.writer, execute, this.standbyBreaker));
    turn.catch((error: unknown) => (this.isDiskFull ||= isPostgresDiskFull(error)));
    const result = await turn.finally(() => this.pending--);
    const durable = this.writeAheadLog?.flush() ?? Promise.resolve();
    durable.catch(() => undefined); // callers that reject the request do not await it
    return { result, durable };
  }

  /**
   * Runs `work` at the end of an open transaction, after all its other writes and immediately
   * before the commit. A lock that many transactions need is held shortest there. If the
   * transaction fails before, `work` does not run.
   */
  beforeCommit(tx: EntityManager, work: TransactionWork): void {
    const registered = this.beforeCommitWork.get(tx);
    if (!registered) throw new Error('beforeCommit needs an open transaction of TransactionService.');
    registered.push(work);
  }

  /** Number of transactions that run, or wait for their turn or for a connection. */
  get pendingCount(): number {
    return this.pending;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queueTail;
    if (!this.writeAheadLog) return;
    await this.writeAheadLog.close();
    await this.writer.destroy();
  }

  private async execute<T>(tx: EntityManager, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const registered: TransactionWork[] = [];
    this.beforeCommitWork.set(tx, registered);
    const result = await work(tx).finally(() => this.beforeCommitWork.delete(tx));
    for (const last of registered) await last(tx);
    return result;
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
