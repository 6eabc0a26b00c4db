import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { ScheduledTask } from './scheduled-task.entity.js';

/** Shares out what is done once for all processes. */
@Injectable()
export class TaskLeaseService {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * Takes a chore that is due, for a while in which nobody else gets it. Whoever took it and died leaves it for the next
   * time.
   * @param every milliseconds until it is due again
   * @returns whether it is ours to do now
   */
  acquire(name: string, every: number): Promise<boolean> {
    const now = Date.now();
    return this.transactions.run(async (tx) => {
      await tx
        .createQueryBuilder()
        .insert()
        .into(ScheduledTask)
        .values({ name, dueAt: new Date(0) })
        .orIgnore()
        .execute();
      const due = { name, dueAt: LessThanOrEqual(new Date(now)) };
      const { affected } = await tx.update(ScheduledTask, due, { dueAt: new Date(now + every) });
      return affected === 1;
    });
  }
}
