import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { CommitUncertainError, CommitBlockedError, type StandbyCircuitBreaker } from './uncertain-commit.js';
import { isDatabaseOutage } from './database-unavailable.js';

/**
 * Milliseconds that a write waits for another process's write on the same SQLite file, and between
 * two attempts.
 */
const TRANSACTION_LOCK_TIMEOUT_MS = 15_000;
const LOCK_RETRY_INTERVAL_MS = 10;

/**
 * TypeORM's query runner for PostgreSQL, with a method that its public type lacks: it removes a
 * broken connection from the pool.
 */
type PostgresQueryRunner = QueryRunner & { releasePostgresConnection(error: unknown): Promise<void> };

/**
 * Runs `work` in a transaction on a separate connection. If `work` throws, the transaction is
 * rolled back. A broken PostgreSQL connection is closed instead, and the server rolls back.
 * @param breaker rejects commits after one in doubt, while a commit waits
 * @throws CommitUncertainError if the connection broke during the commit
 * @throws CommitBlockedError if the breaker rejected the commit
 */
export async function runInTransaction<T>(
  writer: DataSource,
  work: (runner: QueryRunner) => Promise<T>,
  breaker?: StandbyCircuitBreaker,
): Promise<T> {
  const runner = writer.createQueryRunner();
  try {
    await beginTransaction(runner);
    return await executeAndCommit(runner, work, breaker);
  } finally {
    await runner.release();
  }
}

async function executeAndCommit<T>(
  runner: QueryRunner,
  work: (runner: QueryRunner) => Promise<T>,
  breaker?: StandbyCircuitBreaker,
): Promise<T> {
  let isCommitting = false;
  try {
    const result = await work(runner);
    await breaker?.check(runner);
    isCommitting = true;
    await runner.commitTransaction();
    return result;
  } catch (error) {
    const isBroken = isPostgresRunner(runner) && isDatabaseOutage(error) && !(error instanceof CommitBlockedError);
    if (isBroken) await runner.releasePostgresConnection(error);
    else await runner.rollbackTransaction().catch((broken: unknown) => discardTransaction(runner, broken));
    if (!isBroken || !isCommitting) throw error;
    breaker?.open();
    throw new CommitUncertainError(error);
  }
}

/**
 * SQLite blocks the whole process while it waits for a lock, so its own timeout is short. This
 * function repeats the attempt, and the process responds to other requests in between.
 */
async function beginTransaction(runner: QueryRunner): Promise<void> {
  for (const started = performance.now(); ; await sleep(LOCK_RETRY_INTERVAL_MS)) {
    try {
      return await runner.startTransaction();
    } catch (error) {
      if (isPostgresRunner(runner)) await runner.releasePostgresConnection(error);
      if (!isSqliteBusy(error) || performance.now() - started > TRANSACTION_LOCK_TIMEOUT_MS) throw error;
    }
  }
}

/**
 * Ends a transaction whose rollback failed, so that the next one does not continue it. A PostgreSQL
 * connection is closed, and the server rolls back. SQLite has already rolled back, for example
 * because the disk is full, but TypeORM still counts the transaction until one ends.
 */
async function discardTransaction(runner: QueryRunner, error: unknown): Promise<void> {
  if (isPostgresRunner(runner)) return runner.releasePostgresConnection(error);
  await runner.query('BEGIN').catch(() => undefined);
  await runner.rollbackTransaction();
}

function isPostgresRunner(runner: QueryRunner): runner is PostgresQueryRunner {
  return runner.connection.options.type === 'postgres';
}

function isSqliteBusy(error: unknown): boolean {
  return (error as { driverError?: { code?: unknown } }).driverError?.code === 'SQLITE_BUSY';
}
