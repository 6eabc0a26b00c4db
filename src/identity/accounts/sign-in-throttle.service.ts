import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import { computeDigest } from '../../platform/crypto/opaque-secret.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { SignInAttemptCounter } from './sign-in-attempt-counter.entity.js';

interface BackoffPolicy {
  /** Consecutive attempts without a wait. */
  freeAttempts: number;
  maxWaitSeconds: number;
}

/** Guesses from one network soon cost a minute each. */
const BACKOFF_PER_NETWORK: BackoffPolicy = { freeAttempts: 5, maxWaitSeconds: 60 };

/** Guesses from many networks are slowed down as well, but the account's owner never waits long. */
const BACKOFF_ALL_NETWORKS: BackoffPolicy = { freeAttempts: 50, maxWaitSeconds: 2 };

/** Time after which a counter restarts at zero. */
export const ATTEMPT_RETENTION_MS = 3600_000;

/** Source and subject of a sign-in attempt. */
export interface SignInAttempt {
  /** The normalized login, or the id of a browser in which the account signed in before. */
  throttleKey: string;
  /** Network prefix of the client. */
  network: string;
}

/**
 * Delays repeated sign-in attempts, without locking an account. An attempt is counted before the
 * password is verified, so parallel attempts are counted too. Unknown logins are throttled alike.
 */
@Injectable()
export class SignInThrottleService {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * Counts an attempt, unless it must wait.
   * @returns seconds to wait, or 0 if the attempt can be made
   */
  async recordAttempt({ throttleKey, network }: SignInAttempt): Promise<number> {
    const now = new Date();
    return this.transactions.run(async (tx) => {
      const allNetworks = await this.lockCounter(tx, computeDigest(throttleKey), now);
      const thisNetwork = await this.lockCounter(tx, computeDigest(`${throttleKey} ${network}`), now);
      const waitSeconds = Math.max(
        calculateWaitSeconds(allNetworks, BACKOFF_ALL_NETWORKS, now),
        calculateWaitSeconds(thisNetwork, BACKOFF_PER_NETWORK, now),
      );
      if (waitSeconds > 0) return waitSeconds;
      for (const { digest, count } of [allNetworks, thisNetwork]) {
        await tx.update(SignInAttemptCounter, { digest }, { count: count + 1, lastAttemptAt: now });
      }
      return 0;
    });
  }

  /**
   * Resets the counter of this network, and takes the attempt back from the counter of all
   * networks.
   */
  async recordSuccess({ throttleKey, network }: SignInAttempt): Promise<void> {
    await this.transactions.run(async (tx) => {
      await tx.decrement(SignInAttemptCounter, { digest: computeDigest(throttleKey) }, 'count', 1);
      await tx.update(SignInAttemptCounter, { digest: computeDigest(`${throttleKey} ${network}`) }, { count: 0 });
    });
    const expiredBefore = new Date(Date.now() - ATTEMPT_RETENTION_MS);
    await this.transactions.run((tx) => tx.delete(SignInAttemptCounter, { lastAttemptAt: LessThan(expiredBefore) }));
  }

  /**
   * Returns the counter of a digest, creates it if necessary, and locks its row until the
   * transaction ends.
   */
  private async lockCounter(tx: EntityManager, digest: string, now: Date): Promise<SignInAttemptCounter> {
    const newCounter = { digest, count: 0, lastAttemptAt: now };
    await tx
      .createQueryBuilder()
      .insert()
      .into(SignInAttemptCounter)
      .values(newCounter)
      .orUpdate(['digest'], ['digest'])
      .execute();
    const counter = await tx.findOneByOrFail(SignInAttemptCounter, { digest });
    return now.getTime() - counter.lastAttemptAt.getTime() < ATTEMPT_RETENTION_MS ? counter : newCounter;
  }
}

function calculateWaitSeconds(
  { count, lastAttemptAt }: SignInAttemptCounter,
  { freeAttempts, maxWaitSeconds }: BackoffPolicy,
  now: Date,
): number {
  if (count < freeAttempts) return 0;
  const waitSeconds = Math.min(2 ** (count - freeAttempts), maxWaitSeconds);
  return Math.max(0, Math.ceil(waitSeconds - (now.getTime() - lastAttemptAt.getTime()) / 1000));
}
