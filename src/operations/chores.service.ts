import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { Transactions } from '../database/transactions.js';
import { Chore } from './chore.entity.js';

/** Shares out what is done once for all processes. */
@Injectable()
export class Chores {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Takes a chore that is due, for a while in which nobody else gets it. Whoever took it and died leaves it for the next
   * time.
   * @param every milliseconds until it is due again
   * @returns whether it is ours to do now
   */
  take(name: string, every: number): Promise<boolean> {
    const now = Date.now();
    return this.transactions.run(async (tx) => {
      await tx
        .createQueryBuilder()
        .insert()
        .into(Chore)
        .values({ name, dueAt: new Date(0) })
        .orIgnore()
        .execute();
      const due = { name, dueAt: LessThanOrEqual(new Date(now)) };
      const { affected } = await tx.update(Chore, due, { dueAt: new Date(now + every) });
      return affected === 1;
    });
  }
}
