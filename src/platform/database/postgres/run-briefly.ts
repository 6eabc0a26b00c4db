import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { lock } from '../advisory-locks.js';
import type { TransactionService } from '../transaction.service.js';

/**
 * Milliseconds that a change of tables waits for its locks. Other statements on the table wait
 * behind it.
 */
const DDL_LOCK_TIMEOUT_MS = 300;

const MAX_ATTEMPTS = 10;
const RETRY_INTERVAL_MS = 500;

/** The code of PostgreSQL for a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Changes the partitions of a table while other transactions use it, in one process at a time. If
 * a lock of a table is not granted in a short time, it gives way to the other statements and tries
 * again.
 * @throws QueryFailedError if no attempt gets the lock
 */
export async function runWithLockTimeout<T>(
  transactions: TransactionService,
  table: string,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactions.run(async (tx) => {
        await lock(tx, 'partitions', table);
        await tx.query(`SET LOCAL lock_timeout = ${DDL_LOCK_TIMEOUT_MS}`);
        return work(tx);
      });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLockTimeout(error)) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { driverError?: { code?: unknown } }).driverError?.code === LOCK_NOT_AVAILABLE;
}
