import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LessThan } from 'typeorm';
import { digest } from '../crypto/opaque-secret.js';
import { holdRow } from '../database/hold-row.js';
import { Transactions } from '../database/transactions.js';
import { SignInAttempts } from './sign-in-attempts.entity.js';

/** How many attempts in a row cost no wait. */
const FREE = 5;

/** The longest wait between two attempts, in seconds: nobody is ever locked out for longer. */
const LONGEST_WAIT = 60;

/** Milliseconds after which attempts are forgotten. */
const FORGOTTEN = 3600_000;

/**
 * Slows guessing down. Each attempt counts before it is looked at, so that many at once are no way around; after a few in
 * a row each costs a wait, which doubles up to a minute. It is the same for names that nobody has.
 */
@Injectable()
export class SignInAttemptsService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Counts an attempt.
   * @param who a name, and for a browser that this person has signed in with, the browser: guessing elsewhere does not slow it
   * @returns seconds to wait first, or 0 where it may be made now
   */
  async begin(who: string): Promise<number> {
    const now = new Date();
    return this.transactions.run(async (tx) => {
      await tx.delete(SignInAttempts, { lastAt: LessThan(new Date(now.getTime() - FORGOTTEN)) });
      const attempts = await this.hold(tx, digest(who), now);
      const wait = waitOf(attempts, now);
      if (wait > 0) return wait;
      await tx.update(SignInAttempts, { digest: attempts.digest }, { count: attempts.count + 1, lastAt: now });
      return 0;
    });
  }

  /** Forgets the attempts, once one went well. */
  async forget(who: string): Promise<void> {
    await this.transactions.run((tx) => tx.delete(SignInAttempts, { digest: digest(who) }));
  }

  private async hold(tx: EntityManager, digest: string, now: Date): Promise<SignInAttempts> {
    const first = { digest, count: 0, lastAt: now };
    await tx.createQueryBuilder().insert().into(SignInAttempts).values(first).orIgnore().execute();
    return (await holdRow(tx, SignInAttempts, { where: { digest } }))!;
  }
}

function waitOf({ count, lastAt }: SignInAttempts, now: Date): number {
  if (count < FREE) return 0;
  const wait = Math.min(2 ** (count - FREE), LONGEST_WAIT);
  return Math.max(0, Math.ceil(wait - (now.getTime() - lastAt.getTime()) / 1000));
}
