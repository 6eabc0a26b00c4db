import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { CommitInDoubtError, repeatWhileInDoubt } from '../../platform/database/commit-in-doubt.js';
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { EventLogger } from '../../platform/logging/event-logger.js';

/** Milliseconds between two attempts to undo. */
const UNDO_INTERVAL_MS = 250;

/** Milliseconds after which nothing is undone any more: the client has given up. */
const UNDO_TIMEOUT_MS = 10 * 60_000;

/** Earliest and latest age of a commit at which the client of an undone commit retries. */
const MIN_RETRY_AGE_MS = 10_000;
const MAX_RETRY_AGE_MS = 120_000;

/** Milliseconds that a request waits until a commit is undone. */
const UNDO_WAIT_MS = 5_000;

/** Reverses a committed transaction, and does nothing if it was not committed. */
type Undo = (tx: EntityManager) => Promise<void>;

/**
 * Finds out whether a transaction was committed whose connection broke. If it is still unknown
 * after 15 seconds, the client gets a 503 and the transaction is undone as soon as the database is
 * available, so that the client can repeat its request. No client has received the tokens of such a
 * transaction.
 */
@Injectable()
export class CommitsInDoubt {
  private readonly logger = new EventLogger(CommitsInDoubt.name);
  private readonly pending = new Map<Undo, number>();

  constructor(private readonly transactions: TransactionService) {}

  /**
   * Runs an attempt, and repeats it while its commit is in doubt. If no attempt succeeds, all of
   * them are undone.
   * @param attempt recognizes by itself that an earlier attempt was committed
   * @param undo reverses all attempts
   * @throws CommitInDoubtError after 15 seconds without the database
   */
  async resolve<T>(attempt: () => Promise<T>, undo: Undo): Promise<T> {
    let isInDoubt = false;
    const watchedAttempt = (): Promise<T> =>
      attempt().catch((error: unknown) => {
        isInDoubt ||= error instanceof CommitInDoubtError;
        throw error;
      });
    try {
      return await repeatWhileInDoubt(watchedAttempt);
    } catch (error) {
      if (isInDoubt) this.undoLater(undo);
      throw error;
    }
  }

  private undoLater(undo: Undo): void {
    this.pending.set(undo, Date.now() + UNDO_TIMEOUT_MS);
    if (this.pending.size === 1) void this.undoAll();
  }

  private async undoAll(): Promise<void> {
    while (this.pending.size > 0) {
      for (const [undo, expiresAt] of this.pending) {
        if (Date.now() < expiresAt && !(await this.tryToUndo(undo))) break;
        this.pending.delete(undo);
      }
      if (this.pending.size > 0) await sleep(UNDO_INTERVAL_MS, undefined, { ref: false });
    }
  }

  /** @returns false if the database is not available */
  private async tryToUndo(undo: Undo): Promise<boolean> {
    try {
      await this.transactions.run(undo);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return false;
      this.logger.log('commit_undo_failed', 'A commit in doubt cannot be undone.', { error });
    }
    return true;
  }
}

/**
 * Whether a commit may be undone soon, possibly by another process: its client got a 503 at least
 * 15 seconds later, and retries now.
 * @param waitingSince time of `performance.now()` at which the request began to wait for this
 */
export function mayBeUndone(committedAt: Date | null, waitingSince: number): boolean {
  if (committedAt === null || performance.now() > waitingSince + UNDO_WAIT_MS) return false;
  const age = Date.now() - committedAt.getTime();
  return age > MIN_RETRY_AGE_MS && age < MAX_RETRY_AGE_MS;
}
