import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import { digest } from '../crypto/opaque-secret.js';
import { Transactions } from '../database/transactions.js';
import { SignInAttempts } from './sign-in-attempts.entity.js';

/** How many attempts in a row cost no wait, and the longest wait that one may cost, in seconds. */
interface Limit {
  free: number;
  longestWait: number;
}

/** Guessing from one place soon costs a minute each. */
const FROM_ONE_PLACE: Limit = { free: 5, longestWait: 60 };

/** Guessing from many places at once is slowed down too, but never so that the person themselves is kept waiting for long. */
const FROM_ALL_PLACES: Limit = { free: 50, longestWait: 2 };

/** Milliseconds after which attempts are forgotten. */
export const FORGOTTEN = 3600_000;

/** Who attempts to sign in as whom. */
export interface Attempt {
  /** A name as it was typed, or a browser that this person has signed in with. */
  who: string;
  /** The network that it comes from. */
  from: string;
}

/**
 * Slows guessing down, and locks nobody out. Each attempt counts before it is looked at, so that many at once are no way
 * around. It is the same for names that nobody has.
 */
@Injectable()
export class SignInAttemptsService {
  constructor(private readonly transactions: Transactions) {}

  /** Counts an attempt. @returns seconds to wait first, or 0 where it may be made now */
  async begin({ who, from }: Attempt): Promise<number> {
    const now = new Date();
    return this.transactions.run(async (tx) => {
      const all = await this.hold(tx, digest(who), now);
      const here = await this.hold(tx, digest(`${who} ${from}`), now);
      const wait = Math.max(waitOf(all, FROM_ALL_PLACES, now), waitOf(here, FROM_ONE_PLACE, now));
      if (wait > 0) return wait;
      for (const { digest, count } of [all, here]) {
        await tx.update(SignInAttempts, { digest }, { count: count + 1, lastAt: now });
      }
      return 0;
    });
  }

  /** Forgets the attempts from a place once one went well, and counts that one no more among those from elsewhere. */
  async forget({ who, from }: Attempt): Promise<void> {
    await this.transactions.run(async (tx) => {
      await tx.decrement(SignInAttempts, { digest: digest(who) }, 'count', 1);
      await tx.update(SignInAttempts, { digest: digest(`${who} ${from}`) }, { count: 0 });
    });
    const old = new Date(Date.now() - FORGOTTEN);
    await this.transactions.run((tx) => tx.delete(SignInAttempts, { lastAt: LessThan(old) }));
  }

  /** The row of a digest, made where there is none, and held until the transaction ends: writing to it waits for others. */
  private async hold(tx: EntityManager, digest: string, now: Date): Promise<SignInAttempts> {
    const first = { digest, count: 0, lastAt: now };
    await tx
      .createQueryBuilder()
      .insert()
      .into(SignInAttempts)
      .values(first)
      .orUpdate(['digest'], ['digest'])
      .execute();
    const attempts = await tx.findOneByOrFail(SignInAttempts, { digest });
    return now.getTime() - attempts.lastAt.getTime() < FORGOTTEN ? attempts : first;
  }
}

function waitOf({ count, lastAt }: SignInAttempts, { free, longestWait }: Limit, now: Date): number {
  if (count < free) return 0;
  const wait = Math.min(2 ** (count - free), longestWait);
  return Math.max(0, Math.ceil(wait - (now.getTime() - lastAt.getTime()) / 1000));
}
