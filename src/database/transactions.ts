import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
  private readonly gathered: Gathered[] = [];
  private group: Promise<void> | undefined;

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

  /**
   * As `run`, in one transaction with all others that wait meanwhile (group commit): what is written to the disk once costs
   * once. For work that decides by its writes and throws for no reason of its own, since all of them would fail with it.
   * @param key tells work on the same row: all processes write in its order, so that none waits for another in a ring
   */
  together<T>(key: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = async (tx: EntityManager): Promise<() => void> => {
        const result = await work(tx);
        return () => resolve(result);
      };
      this.gathered.push({ key, settle, reject });
      this.group ??= this.runGathered();
    });
  }

  /** Writes group after group until nobody waits. */
  private async runGathered(): Promise<void> {
    while (this.gathered.length > 0) {
      await nextTurn(); // for all whose requests have come already
      const group = this.gathered.splice(0).sort((one, other) => (one.key < other.key ? -1 : 1));
      try {
        const settled = await this.run(async (tx) => {
          const all = [];
          for (const { settle } of group) all.push(await settle(tx));
          return all;
        });
        for (const settle of settled) settle();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.group = undefined;
  }

  /** As `run`, one at a time among all processes: for what is decided by looking at a whole table, such as filling it once. */
  runAlone<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.run(async (tx) => {
      if (this.writer.options.type === 'postgres') await tx.query('SELECT pg_advisory_xact_lock($1)', [ALONE]);
      return work(tx);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.group;
    await this.last;
    if (this.ownsWriter) await this.writer.destroy();
  }
}

/** Work that waits for the next transaction of its kind. `settle` does it, and gives what tells so once it is kept. */
interface Gathered {
  key: string;
  settle: (tx: EntityManager) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/** The key of PostgreSQL's advisory lock that `runAlone` and `migrate` share: any number of our own. */
export const ALONE = 7_382_114;
