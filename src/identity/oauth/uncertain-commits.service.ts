import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUncertainError, repeatWhileUncertain } from '../../platform/database/uncertain-commit.js';
import { isDatabaseOutage, isDatabaseUnavailable } from '../../platform/database/database-unavailable.js';
import { ReservedConnections } from '../../platform/database/reserved-connections.js';
import { EventLogger } from '../../platform/logging/event-logger.js';
import { runOutsideRequest } from '../../platform/logging/request-context.js';

/** Milliseconds between two attempts to undo. */
const UNDO_INTERVAL_MS = 250;

/** Milliseconds after which nothing is undone any more: the client has given up. */
const UNDO_TIMEOUT_MS = 10 * 60_000;

/** Limit of undos at the same time. */
const MAX_CONCURRENT_UNDOS = 2;

/** Youngest age of a commit that may be undone: its client gets the 503 later than that. */
const MIN_UNDO_AGE_MS = 10_000;

/** Milliseconds that a request waits until a commit is undone. */
const UNDO_WAIT_MS = 5_000;

/** A request that commits a transaction, which can be repeated and undone. */
export interface UndoableAttempt<T> {
  /** Runs the request. In a repetition it recognizes by itself that it was committed before. */
  run: () => Promise<T>;
  /** Reverses committed transactions, and does nothing if they were not committed. */
  undo: () => Promise<void>;
  /** Returns the app and the account of the request, for the log. */
  getSubject: () => { app_id: string; account_id: string | undefined };
}

type PendingUndo = Omit<UndoableAttempt<unknown>, 'run'>;

/**
 * Finds out whether a transaction was committed whose connection broke. If it is still unknown
 * after 15 seconds, the client gets a 503 and the transaction is undone as soon as the database is
 * available, so that the client can repeat its request. No client has received the tokens of such a
 * transaction.
 */
@Injectable()
export class UncertainCommitsService implements OnApplicationShutdown {
  private readonly logger = new EventLogger(UncertainCommitsService.name, { commit_undo_failed: 'error' });
  private readonly pending = new Map<PendingUndo, number>();

  constructor(private readonly reserved: ReservedConnections) {}

  /**
   * Runs an attempt, and repeats it while it is uncertain whether it was committed. If no
   * repetition succeeds, undoes all of them.
   * @throws CommitUncertainError after 15 seconds without the database
   */
  async runWithCertainty<T>(attempt: UndoableAttempt<T>): Promise<T> {
    let isUncertain = false;
    const watchedRun = (): Promise<T> =>
      attempt.run().catch((error: unknown) => {
        isUncertain ||= error instanceof CommitUncertainError;
        throw error;
      });
    try {
      return await repeatWhileUncertain(watchedRun);
    } catch (error) {
      if (isUncertain) this.undoLater(attempt);
      throw error;
    }
  }

  /**
   * Whether a commit may be undone soon, possibly by another process: its client got a 503, and
   * retries now. On SQLite, no commit is uncertain.
   * @param waitingSince time of `performance.now()` at which the request began to wait for this
   */
  isWithinUndoTime(committedAt: Date | null, waitingSince: number): boolean {
    if (!this.reserved.pool || committedAt === null) return false;
    if (performance.now() > waitingSince + UNDO_WAIT_MS) return false;
    const age = Date.now() - committedAt.getTime();
    return age > MIN_UNDO_AGE_MS && age < UNDO_TIMEOUT_MS;
  }

  /** Tries once more to undo. The connections close after this service. */
  async onApplicationShutdown(): Promise<void> {
    await this.undoPending();
    for (const [attempt] of this.pending) this.giveUp(attempt, 'The process stopped before the commit was undone.');
  }

  private undoLater(attempt: PendingUndo): void {
    this.pending.set(attempt, Date.now() + UNDO_TIMEOUT_MS);
    if (this.pending.size === 1) void runOutsideRequest(() => this.undoAll());
  }

  private async undoAll(): Promise<void> {
    while (this.pending.size > 0) {
      await this.undoPending();
      if (this.pending.size > 0) await sleep(UNDO_INTERVAL_MS, undefined, { ref: false });
    }
  }

  private async undoPending(): Promise<void> {
    const queue = [...this.pending].values();
    await Promise.all(Array.from({ length: MAX_CONCURRENT_UNDOS }, () => this.undoUntilOutage(queue)));
  }

  /** An outage affects all undos, so the rest of the queue waits for the next round. */
  private async undoUntilOutage(queue: Iterable<[attempt: PendingUndo, expiresAt: number]>): Promise<void> {
    for (const [attempt, expiresAt] of queue) {
      if (Date.now() > expiresAt) {
        this.giveUp(attempt, 'The commit could not be undone within 10 minutes.');
        continue;
      }
      try {
        await attempt.undo();
        this.pending.delete(attempt);
      } catch (error) {
        if (isDatabaseOutage(error)) return;
        if (isDatabaseUnavailable(error)) continue; // a locked row
        this.giveUp(attempt, String(error));
      }
    }
  }

  /** Logs the reason as text, because the log counts a repeated `error` and omits its members. */
  private giveUp(attempt: PendingUndo, reason: string): void {
    if (!this.pending.delete(attempt)) return;
    this.logger.log('commit_undo_failed', 'A commit in doubt was not undone.', { ...attempt.getSubject(), reason });
  }
}
