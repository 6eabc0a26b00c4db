import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { ScheduledTask } from './scheduled-task.entity.js';

/** Duration of a lease. If the process crashes, another one can run the task after this time. */
export const TASK_LEASE_MS = 15 * 60_000;

/** Gives each due task to one of several processes. */
@Injectable()
export class TaskLeaseService {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * Takes the lease of a task that is due and that no other process runs.
   * @returns the time at which the lease expires; undefined if this process did not get it
   */
  acquire(name: string): Promise<Date | undefined> {
    const now = new Date();
    const leaseExpiresAt = new Date(now.getTime() + TASK_LEASE_MS);
    return this.transactions.run(async (tx) => {
      await tx
        .createQueryBuilder()
        .insert()
        .into(ScheduledTask)
        .values({ name, dueAt: new Date(0), leaseExpiresAt: null })
        .orIgnore()
        .execute();
      const due = { name, dueAt: LessThanOrEqual(now) };
      const { affected } = await tx.update(
        ScheduledTask,
        [
          { ...due, leaseExpiresAt: IsNull() },
          { ...due, leaseExpiresAt: LessThanOrEqual(now) },
        ],
        { leaseExpiresAt },
      );
      return affected === 1 ? leaseExpiresAt : undefined;
    });
  }

  /**
   * Returns the lease of a task, unless another process took it after it expired.
   * @param leaseExpiresAt the result of `acquire`
   * @param dueInMs time until the task is due again
   */
  async release(name: string, leaseExpiresAt: Date, dueInMs: number): Promise<void> {
    const dueAt = new Date(Date.now() + dueInMs);
    await this.transactions.run((tx) =>
      tx.update(ScheduledTask, { name, leaseExpiresAt }, { dueAt, leaseExpiresAt: null }),
    );
  }
}
