import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan } from 'typeorm';
import { computeDigest } from '../crypto/opaque-secret.js';
import { BatchLoader } from '../database/batch-loader.js';
import { TransactionService } from '../database/transaction.service.js';
import { type AttemptResult, countAttempt, type FixedWindow, type Quota } from './rate-limit-policy.js';
import { RateLimitWindow } from './rate-limit-window.entity.js';

/**
 * Counts attempts in the database, so that all processes share the windows. Concurrent attempts
 * share a transaction, so a process uses one connection for them.
 */
@Injectable()
export class DatabaseWindowsService {
  private readonly attempts = new BatchLoader<Quota[], AttemptResult>((attempts) => this.incrementAll(attempts));

  constructor(private readonly transactions: TransactionService) {}

  /** Counts an attempt. On SQLite, it does not wait until the disk has the count. */
  increment(quotas: Quota[]): Promise<AttemptResult> {
    return this.attempts.enqueue(quotas);
  }

  /** Takes one attempt back. */
  async decrement(quotas: Quota[]): Promise<void> {
    const digests = quotas.map(computeQuotaDigest).sort();
    await this.transactions.commit(async (tx) => {
      for (const digest of digests) await tx.decrement(RateLimitWindow, { digest, count: MoreThan(0) }, 'count', 1);
    });
  }

  private async incrementAll(attempts: Quota[][]): Promise<AttemptResult[]> {
    const { result } = await this.transactions.commit(async (tx) => {
      const windows = await lockWindows(tx, attempts.flat());
      const results = attempts.map((quotas) =>
        countAttempt(
          quotas,
          quotas.map((quota) => windows.get(computeQuotaDigest(quota))!),
        ),
      );
      for (const [digest, { count, endsAt }] of windows)
        await tx.update(RateLimitWindow, { digest }, { count, endsAt: new Date(endsAt) });
      return results;
    });
    return result;
  }
}

/** Locks the windows of quotas, in the order of their digests. */
async function lockWindows(tx: EntityManager, quotas: Quota[]): Promise<Map<string, FixedWindow>> {
  const now = Date.now();
  const digests = new Map(quotas.map((quota) => [computeQuotaDigest(quota), quota]));
  const windows = new Map<string, FixedWindow>();
  for (const [digest, { policy }] of [...digests].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const { count, endsAt } = await lockWindow(tx, digest, policy.windowSeconds, now);
    windows.set(digest, { count, endsAt: endsAt.getTime() });
  }
  return windows;
}

function computeQuotaDigest({ policy, key }: Quota): string {
  return computeDigest(`${policy.name} ${key}`);
}

/**
 * Returns the window of a digest, a new one if it ended, and locks its row until the transaction
 * ends. The caller stores the new count. All transactions must lock windows in the same order.
 * @param now milliseconds since 1970
 */
export async function lockWindow(
  tx: EntityManager,
  digest: string,
  windowSeconds: number,
  now: number,
): Promise<RateLimitWindow> {
  const newWindow = { digest, count: 0, endsAt: new Date(now + windowSeconds * 1000) };
  await tx
    .createQueryBuilder()
    .insert()
    .into(RateLimitWindow)
    .values(newWindow)
    .orUpdate(['digest'], ['digest'])
    .execute();
  const window = await tx.findOneByOrFail(RateLimitWindow, { digest });
  return window.endsAt.getTime() > now ? window : newWindow;
}
