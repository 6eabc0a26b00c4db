import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { toNetworkPrefix } from '../../../platform/http/client-address.js';
import { lockWindow } from '../../../platform/rate-limiting/database-windows.service.js';
import { RateLimitWindow } from '../../../platform/rate-limiting/rate-limit-window.entity.js';
import {
  type CountedWindows,
  NetworkFailureLimiterService,
  type NetworkFailurePolicy,
} from './network-failure-limiter.service.js';
import { SignInAttemptCounter } from './sign-in-attempt-counter.entity.js';

/** Consecutive failures without a wait, for a name from one network, or in a known browser. */
const FREE_ATTEMPTS = 5;

/** The same without a known browser, while many networks guess. */
const FREE_ATTEMPTS_UNDER_ATTACK = 2;

/** Failures for a name without a known browser, from which many networks guess. */
const ATTACK_THRESHOLD = 50;

/** Longest wait for a name from one network, or in a known browser. */
const MAX_WAIT_SECONDS = 60;

/** Time after which a counter of a name or a browser restarts at zero. */
export const ATTEMPT_RETENTION_MS = 3600_000;

/** Failures from one network for all names together: guesses of common passwords. */
const SIGN_IN_FAILURES: NetworkFailurePolicy = {
  name: 'sign-in',
  windowSeconds: 600,
  limits: { address: 20, '/56': 60, '/48': 200 },
};

/** Correct sign-ins of an account without a known browser. Further ones count as failures. */
const MAX_SIGN_INS = 30;

/** Interval of `MAX_SIGN_INS`. */
const SIGN_IN_WINDOW_SECONDS = 600;

/** Source and subject of a sign-in attempt. */
export interface SignInAttempt {
  /** The normalized username or e-mail address, or the id of an account. */
  name: string;
  /** IP address of the client. */
  address: string;
  /** Digest of a browser in which the account signed in before. */
  knownBrowser: string | undefined;
}

/** A counted attempt, or the time to wait for one that was not counted. */
export type CountedAttempt =
  { waitSeconds: number; counted: null } | { waitSeconds: 0; counted: { digests: string[]; windows: CountedWindows } };

/**
 * Delays repeated sign-in attempts, without locking an account. An attempt is counted before the
 * password is verified, so parallel attempts are counted too. Unknown names are delayed too.
 *
 * A browser in which the account signed in before has a counter of its own. A network has one for
 * each name. The limit by network for all names does not apply to a browser in which the account
 * signed in before. A network has no such exception, so the responses do not tell who signed in
 * from it.
 */
@Injectable()
export class SignInThrottleService {
  private readonly isEnabled: boolean;

  constructor(
    private readonly transactions: TransactionService,
    private readonly networkFailures: NetworkFailureLimiterService,
    settings: Settings,
  ) {
    this.isEnabled = settings.RATE_LIMITS === 'on';
  }

  /** Counts an attempt, unless it must wait. */
  async recordAttempt(attempt: SignInAttempt): Promise<CountedAttempt> {
    if (!this.isEnabled) return { waitSeconds: 0, counted: { digests: [], windows: [] } };
    return this.transactions.run((tx) => this.count(tx, attempt));
  }

  /**
   * Resets the counter of this network or browser, and takes the attempt back from the counters
   * that it shares with others. After 30 correct sign-ins of an account, it stays counted.
   * @param accountId the account whose correct sign-ins count; null in a known browser
   */
  async recordSuccess(
    { digests: [own, ...shared], windows }: NonNullable<CountedAttempt['counted']>,
    accountId: string | null,
  ): Promise<void> {
    if (own === undefined) return;
    const expiredBefore = new Date(Date.now() - ATTEMPT_RETENTION_MS);
    await this.transactions.run(async (tx) => {
      if (accountId !== null && !(await countSignIn(tx, accountId))) return;
      await this.networkFailures.refund(tx, windows);
      await tx.update(SignInAttemptCounter, { digest: own }, { count: 0 });
      for (const digest of shared) await tx.decrement(SignInAttemptCounter, { digest }, 'count', 1);
    });
    await this.transactions.run((tx) => tx.delete(SignInAttemptCounter, { lastAttemptAt: LessThan(expiredBefore) }));
  }

  private async count(tx: EntityManager, { name, address, knownBrowser }: SignInAttempt): Promise<CountedAttempt> {
    const isUnknown = knownBrowser === undefined;
    const { waitSeconds, counted: windows } = isUnknown
      ? await this.networkFailures.count(tx, SIGN_IN_FAILURES, address)
      : { waitSeconds: 0, counted: [] };
    if (windows === null) return { waitSeconds, counted: null };
    const now = new Date();
    const own = await lockCounter(tx, computeOwnDigest({ name, address, knownBrowser }), now);
    const shared = isUnknown ? [await lockCounter(tx, computeDigest(name), now)] : [];
    const isUnderAttack = shared.some(({ count }) => count >= ATTACK_THRESHOLD);
    const ownWait = calculateWaitSeconds(own, isUnderAttack ? FREE_ATTEMPTS_UNDER_ATTACK : FREE_ATTEMPTS, now);
    if (ownWait > 0) {
      await this.networkFailures.refund(tx, windows);
      return { waitSeconds: ownWait, counted: null };
    }
    const counters = [own, ...shared];
    for (const { digest, count } of counters) {
      await tx.update(SignInAttemptCounter, { digest }, { count: count + 1, lastAttemptAt: now });
    }
    return { waitSeconds: 0, counted: { digests: counters.map(({ digest }) => digest), windows } };
  }
}

/** Counts a correct sign-in. @returns false if the account has too many */
async function countSignIn(tx: EntityManager, accountId: string): Promise<boolean> {
  const digest = computeDigest(`correct sign-ins ${accountId}`);
  const { count, endsAt } = await lockWindow(tx, digest, SIGN_IN_WINDOW_SECONDS, Date.now());
  if (count >= MAX_SIGN_INS) return false;
  await tx.update(RateLimitWindow, { digest }, { count: count + 1, endsAt });
  return true;
}

function computeOwnDigest({ name, address, knownBrowser }: SignInAttempt): string {
  return computeDigest(knownBrowser === undefined ? `${name} ${toNetworkPrefix(address)}` : `browser ${knownBrowser}`);
}

/**
 * Returns the counter of a digest, creates it if necessary, and locks its row until the transaction
 * ends.
 */
async function lockCounter(tx: EntityManager, digest: string, now: Date): Promise<SignInAttemptCounter> {
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

function calculateWaitSeconds({ count, lastAttemptAt }: SignInAttemptCounter, freeAttempts: number, now: Date): number {
  if (count < freeAttempts) return 0;
  const waitSeconds = Math.min(2 ** (count - freeAttempts), MAX_WAIT_SECONDS);
  return Math.max(0, Math.ceil(waitSeconds - (now.getTime() - lastAttemptAt.getTime()) / 1000));
}
