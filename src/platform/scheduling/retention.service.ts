import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager, ObjectLiteral } from 'typeorm';
import { lock } from '../database/advisory-locks.js';
import { TransactionService } from '../database/transaction.service.js';
import {
  DELETE_BATCH_SIZE,
  ExpiredRowDeleter,
  type PartitionRetention,
  type RetentionPolicy,
} from './retention-policy.js';
import { PartitionRetentionService } from './partitions.service.js';

/** Pause between two batches, in which other writes run. */
const BATCH_INTERVAL_MS = 50;

interface DeleteExpiredOptions {
  /** Called after each batch with the number of expired rows deleted so far. */
  onProgress?: (done: number) => void;
  /** Ends the deletion after the current batch. */
  signal?: AbortSignal;
}

/** The number of expired rows, and of deleted rows with those that depend on them. */
interface DeletedRows {
  expired: number;
  deleted: number;
}

/** Deletes expired rows by the policies that modules register. */
@Injectable()
export class RetentionService {
  private readonly deleters: ExpiredRowDeleter<ObjectLiteral>[] = [];

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
    private readonly partitions: PartitionRetentionService,
  ) {}

  /** Adds a policy. Policies are applied in the order in which they are registered. */
  register<Row extends ObjectLiteral>(policy: RetentionPolicy<Row>): void {
    this.deleters.push(new ExpiredRowDeleter(policy) as unknown as ExpiredRowDeleter<ObjectLiteral>);
  }

  /**
   * Returns the number of expired rows that the next deletion removes, without the rows that depend
   * on them.
   * @param now milliseconds since 1970
   */
  async countExpired(now: number): Promise<number> {
    let total = 0;
    for (const deleter of this.deleters) {
      const partitioned = this.getPartitioned(deleter.policy);
      total += partitioned
        ? await this.partitions.countExpired(partitioned, now)
        : await deleter.count(this.manager, now);
    }
    return total;
  }

  /**
   * Deletes the expired rows: on PostgreSQL, the old partitions of partitioned tables, and the
   * other rows in small batches. Each batch is a transaction, so that other writes wait only
   * briefly. Batches of several processes run one at a time, so that each sees complete token
   * chains. If a policy fails, for example because a long transaction uses an old partition, the
   * others are still applied.
   * @param now milliseconds since 1970, from `ClockService.startCleanUp`
   * @returns the number of deleted rows, with the rows that depend on expired ones
   * @throws the first error, after all policies
   */
  async deleteExpired(now: number, { onProgress, signal }: DeleteExpiredOptions = {}): Promise<number> {
    let [done, deletedTotal] = [0, 0];
    const errors: unknown[] = [];
    const report = ({ expired, deleted }: DeletedRows): void => {
      [done, deletedTotal] = [done + expired, deletedTotal + deleted];
      if (expired > 0) onProgress?.(done);
    };
    for (const deleter of this.deleters) {
      if (signal?.aborted) break;
      await this.applyPolicy(deleter, now, report, signal).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
    return deletedTotal;
  }

  private async applyPolicy(
    deleter: ExpiredRowDeleter<ObjectLiteral>,
    now: number,
    report: (rows: DeletedRows) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const partitioned = this.getPartitioned(deleter.policy);
    if (partitioned) report(await this.dropPartitions(partitioned, now, signal));
    const expiredAt = partitioned ? await this.partitions.getBatchTime(partitioned, now) : now;
    await this.repeat(signal, async () => {
      const rows = await this.runBatch((tx) => deleter.deleteBatch(tx, expiredAt));
      report(rows);
      return rows.expired === DELETE_BATCH_SIZE;
    });
  }

  private async dropPartitions(
    partitioned: PartitionRetention,
    now: number,
    signal?: AbortSignal,
  ): Promise<DeletedRows> {
    const expired = await this.partitions.dropOld(partitioned, now);
    const { deleteOrphans } = partitioned;
    if (expired === 0 || !deleteOrphans) return { expired, deleted: expired };
    let [deleted, after] = [expired, ''];
    await this.repeat(signal, async () => {
      const batch = await this.runBatch((tx) => deleteOrphans(tx, after, now));
      [deleted, after] = [deleted + batch.deleted, batch.last ?? after];
      return batch.last !== undefined;
    });
    return { expired, deleted };
  }

  private runBatch<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transactions.run(async (tx) => {
      await lock(tx, 'expiredRows');
      return work(tx);
    });
  }

  /** Repeats `work` while it returns true. */
  private async repeat(signal: AbortSignal | undefined, work: () => Promise<boolean>): Promise<void> {
    while (!signal?.aborted && (await work())) {
      await sleep(BATCH_INTERVAL_MS, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
  }

  private getPartitioned({ partitions }: RetentionPolicy<ObjectLiteral>): PartitionRetention | undefined {
    return this.manager.connection.options.type === 'postgres' ? partitions : undefined;
  }
}
