import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { CommitInDoubtError, repeatWhileInDoubt } from '../../platform/database/commit-in-doubt.js';
import { isDatabaseOutage, isDatabaseUnavailable } from '../../platform/database/database-unavailable.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { EventLogger } from '../../platform/logging/event-logger.js';

/** Milliseconds between two attempts to undo. */
const UNDO_INTERVAL_MS = 250;

/** Milliseconds after which nothing is undone any more: the client has given up. */
const UNDO_TIMEOUT_MS = 10 * 60_000;

/** Milliseconds after an outage in which a commit may still be undone. */
const RECOVERY_PERIOD_MS = 75_000;

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
  private lastOutageAt = -Infinity;

  constructor(private readonly transactions: TransactionService) {}

  /**
   * Runs an attempt, and repeats it while its commit is in doubt.
   * @param attempt recognizes by itself that an earlier attempt was committed
   * @param undo reverses all attempts
   * @throws CommitInDoubtError after 15 seconds without the database
   */
  async resolve<T>(attempt: () => Promise<T>, undo: Undo): Promise<T> {
    try {
      return await repeatWhileInDoubt(attempt);
    } catch (error) {
      if (isDatabaseOutage(error)) this.lastOutageAt = Date.now();
      if (error instanceof CommitInDoubtError) this.undoLater(undo);
      throw error;
    }
  }

  /**
   * Whether a commit may be undone soon: the database was unavailable a short time ago.
   * @param committedAt time of the commit; null if there is none
   */
  mayBeUndone(committedAt: Date | null): boolean {
    const now = Date.now();
    if (now > this.lastOutageAt + RECOVERY_PERIOD_MS) return false;
    return committedAt !== null && committedAt.getTime() > now - UNDO_TIMEOUT_MS;
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
