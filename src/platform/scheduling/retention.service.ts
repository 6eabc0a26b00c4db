import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager, ObjectLiteral } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { DELETE_BATCH_SIZE, ExpiredRowDeleter } from './expired-row-deleter.js';
import type { RetentionPolicy } from './retention-policy.js';

/** Pause between two batches, in which other writes run. */
const BATCH_INTERVAL_MS = 50;

interface DeleteExpiredOptions {
  /** Called after each batch with the number of expired rows deleted so far. */
  onProgress?: (done: number) => void;
  /** Ends the deletion after the current batch. */
  signal?: AbortSignal;
}

/** Deletes expired rows by the policies that modules register. */
@Injectable()
export class RetentionService {
  private readonly deleters: ExpiredRowDeleter<ObjectLiteral>[] = [];

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
  ) {}

  /** Adds a policy. Policies are applied in the order in which they are registered. */
  register<Row extends ObjectLiteral>(policy: RetentionPolicy<Row>): void {
    this.deleters.push(new ExpiredRowDeleter(policy) as unknown as ExpiredRowDeleter<ObjectLiteral>);
  }

  /** Returns the number of expired rows, without the rows that depend on them. */
  async countExpired(): Promise<number> {
    let total = 0;
    for (const deleter of this.deleters) total += await deleter.count(this.manager);
    return total;
  }

  /**
   * Deletes the expired rows in small batches, each in its own transaction, so that other writes
   * wait only briefly. Batches of several processes run one at a time, so that each sees complete
   * token chains.
   * @returns the number of deleted rows, with the rows that depend on expired ones
   */
  async deleteExpired({ onProgress, signal }: DeleteExpiredOptions = {}): Promise<number> {
    let [done, deletedTotal] = [0, 0];
    for (const deleter of this.deleters) {
      for (let isMore = true; isMore && !signal?.aborted;) {
        const { expired, deleted } = await this.transactions.runExclusive((tx) => deleter.deleteBatch(tx));
        [done, deletedTotal] = [done + expired, deletedTotal + deleted];
        isMore = expired === DELETE_BATCH_SIZE;
        if (expired > 0) onProgress?.(done);
        if (isMore) await sleep(BATCH_INTERVAL_MS, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      }
    }
    return deletedTotal;
  }
}
