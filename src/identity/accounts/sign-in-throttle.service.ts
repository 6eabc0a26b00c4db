import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import { computeDigest } from '../../platform/crypto/opaque-secret.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { SignInAttemptCounter } from './sign-in-attempt-counter.entity.js';

/** How many attempts in a row cost no wait, and the longest wait that one may cost, in seconds. */
interface BackoffPolicy {
  freeAttempts: number;
  maxWaitSeconds: number;
}

/** Guessing from one place soon costs a minute each. */
const BACKOFF_PER_NETWORK: BackoffPolicy = { freeAttempts: 5, maxWaitSeconds: 60 };

/** Guessing from many places at once is slowed down too, but never so that the person themselves is kept waiting for long. */
const BACKOFF_ALL_NETWORKS: BackoffPolicy = { freeAttempts: 50, maxWaitSeconds: 2 };

/** Milliseconds after which attempts are forgotten. */
export const ATTEMPT_RETENTION_MS = 3600_000;

/** Who attempts to sign in as whom. */
export interface SignInAttempt {
  /** A name as it was typed, or a browser that this person has signed in with. */
  throttleKey: string;
  /** The network that it comes from. */
  network: string;
}

/**
 * Slows guessing down, and locks nobody out. Each attempt counts before it is looked at, so that many at once are no way
 * around. It is the same for names that nobody has.
 */
@Injectable()
export class SignInThrottleService {
  constructor(private readonly transactions: TransactionService) {}

  /** Counts an attempt. @returns seconds to wait first, or 0 where it may be made now */
  async recordAttempt({ throttleKey, network }: SignInAttempt): Promise<number> {
    const now = new Date();
    return this.transactions.run(async (tx) => {
      const all = await this.lockCounter(tx, computeDigest(throttleKey), now);
      const here = await this.lockCounter(tx, computeDigest(`${throttleKey} ${network}`), now);
      const wait = Math.max(
        calculateWaitSeconds(all, BACKOFF_ALL_NETWORKS, now),
        calculateWaitSeconds(here, BACKOFF_PER_NETWORK, now),
      );
      if (wait > 0) return wait;
      for (const { digest: digest, count } of [all, here]) {
        await tx.update(SignInAttemptCounter, { digest }, { count: count + 1, lastAttemptAt: now });
      }
      return 0;
    });
  }

  /** Forgets the attempts from a place once one went well, and counts that one no more among those from elsewhere. */
  async recordSuccess({ throttleKey, network }: SignInAttempt): Promise<void> {
    await this.transactions.run(async (tx) => {
      await tx.decrement(SignInAttemptCounter, { digest: computeDigest(throttleKey) }, 'count', 1);
      await tx.update(SignInAttemptCounter, { digest: computeDigest(`${throttleKey} ${network}`) }, { count: 0 });
    });
    const old = new Date(Date.now() - ATTEMPT_RETENTION_MS);
    await this.transactions.run((tx) => tx.delete(SignInAttemptCounter, { lastAttemptAt: LessThan(old) }));
  }

  /** The row of a digest, made where there is none, and held until the transaction ends: writing to it waits for others. */
  private async lockCounter(tx: EntityManager, digest: string, now: Date): Promise<SignInAttemptCounter> {
    const first = { digest, count: 0, lastAttemptAt: now };
    await tx
      .createQueryBuilder()
      .insert()
      .into(SignInAttemptCounter)
      .values(first)
      .orUpdate(['digest'], ['digest'])
      .execute();
    const attempts = await tx.findOneByOrFail(SignInAttemptCounter, { digest: digest });
    return now.getTime() - attempts.lastAttemptAt.getTime() < ATTEMPT_RETENTION_MS ? attempts : first;
  }
}

function calculateWaitSeconds(
  { count, lastAttemptAt }: SignInAttemptCounter,
  { freeAttempts, maxWaitSeconds }: BackoffPolicy,
  now: Date,
): number {
  if (count < freeAttempts) return 0;
  const wait = Math.min(2 ** (count - freeAttempts), maxWaitSeconds);
  return Math.max(0, Math.ceil(wait - (now.getTime() - lastAttemptAt.getTime()) / 1000));
}
