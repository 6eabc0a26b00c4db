import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { ScheduledTask } from './scheduled-task.entity.js';

/** Duration of a lease. If the process crashes, another one can run the task after this time. */
export const LEASE_MS = 15 * 60_000;

/** Gives each due task to one of several processes. */
@Injectable()
export class TaskLeaseService {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * Takes the lease of a task that is due and that no other process runs.
   * @returns whether this process now has the lease
   */
  acquire(name: string): Promise<boolean> {
    const now = new Date();
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
        { leaseExpiresAt: new Date(now.getTime() + LEASE_MS) },
      );
      return affected === 1;
    });
  }

  /** Returns the lease of a task. @param dueInMs time until the task is due again */
  async release(name: string, dueInMs: number): Promise<void> {
    const dueAt = new Date(Date.now() + dueInMs);
    await this.transactions.run((tx) => tx.update(ScheduledTask, { name }, { dueAt, leaseExpiresAt: null }));
  }
}
