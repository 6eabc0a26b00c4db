import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { setTimeout as pass } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { DELETE_BATCH_SIZE } from './expired-row-deleter.js';
import { RETENTION_POLICIES } from './retention-policies.js';

/** Milliseconds between two batches, for everybody else. */
const BATCH_INTERVAL_MS = 50;

/** How a clean-up is followed and ended. */
interface DeleteExpiredOptions {
  /** Is told how many of the stale rows are gone. */
  onProgress?: (done: number) => void;
  /** Ends it after the batch at hand; the rest is for another time. */
  signal?: AbortSignal;
}

/** Deletes the rows that can no longer matter to anybody. */
@Injectable()
export class RetentionService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
  ) {}

  /** How many rows are stale. */
  async countExpired(): Promise<number> {
    let total = 0;
    for (const rows of RETENTION_POLICIES) total += await rows.count(this.manager);
    return total;
  }

  /**
   * Deletes in small batches, each in a transaction of its own, so that nobody waits for long. Batches of several processes
   * take turns: each sees whole chains.
   * @returns how many rows are gone, with those that went along
   */
  async deleteExpired({ onProgress, signal }: DeleteExpiredOptions = {}): Promise<number> {
    let [done, gone] = [0, 0];
    for (const rows of RETENTION_POLICIES) {
      for (let isMore = true; isMore && !signal?.aborted;) {
        const { stale, deleted } = await this.transactions.runExclusive((tx) => rows.deleteBatch(tx));
        [done, gone] = [done + stale, gone + deleted];
        isMore = stale === DELETE_BATCH_SIZE;
        if (stale > 0) onProgress?.(done);
        if (isMore) await pass(BATCH_INTERVAL_MS, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      }
    }
    return gone;
  }
}
