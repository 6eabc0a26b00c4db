import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../src/platform/database/transaction.service.js';

/** Where a transaction waits: before its last write, or between its last write and its commit. */
export type HoldPoint = 'before the last write' | 'before the commit';

class AbortedError extends Error {}

/** A transaction that waits until the test releases it. */
export class HeldTransaction {
  /** Resolves when the transaction waits, or has failed. */
  readonly reached: Promise<void>;
  /** Whether the transaction was committed. Rejects if it failed without `abort`. */
  readonly ended: Promise<boolean>;
  private hasReached = false;
  private hasEnded = false;
  private markReached!: () => void;
  private readonly released: Promise<'commit' | 'abort'>;
  private resolveRelease!: (end: 'commit' | 'abort') => void;

  constructor(transactions: TransactionService, point: HoldPoint, work: (tx: EntityManager) => Promise<void>) {
    this.reached = new Promise((resolve) => (this.markReached = resolve));
    this.released = new Promise((resolve) => (this.resolveRelease = resolve));
    const run = transactions.run(async (tx) => {
      await work(tx);
      if (point === 'before the commit') transactions.beforeCommit(tx, () => this.hold());
      else await this.hold();
    });
    this.ended = run.then(
      () => true,
      (error: unknown) => {
        if (error instanceof AbortedError) return false;
        throw error;
      },
    );
    void this.ended.catch(() => undefined).finally(() => this.finish());
  }

  get isHeld(): boolean {
    return this.hasReached && !this.hasEnded;
  }

  release(end: 'commit' | 'abort'): void {
    this.hasEnded = true;
    this.resolveRelease(end);
  }

  private async hold(): Promise<void> {
    this.hasReached = true;
    this.markReached();
    if ((await this.released) === 'abort') throw new AbortedError('The test aborts the transaction.');
  }

  private finish(): void {
    this.hasEnded = true;
    this.markReached();
  }
}
