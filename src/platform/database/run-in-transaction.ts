import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';

/** Milliseconds that a write waits for another process's write on the same SQLite file, and between two tries. */
const LOCK_TIMEOUT_MS = 15_000;
const LOCK_RETRY_INTERVAL_MS = 10;

/** TypeORM's runner on PostgreSQL, with what its public type leaves out: to give a connection back as a broken one. */
type PostgresQueryRunner = QueryRunner & { releasePostgresConnection(error: unknown): Promise<void> };

/** Runs `work` in a transaction on a connection of its own: all of what it writes is kept, or, where it throws, none. */
export async function runInTransaction<T>(writer: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = writer.createQueryRunner();
  try {
    await beginTransaction(runner);
    return await executeAndCommit(runner, work);
  } finally {
    await runner.release();
  }
}

async function executeAndCommit<T>(runner: QueryRunner, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  try {
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch((broken: unknown) => discardTransaction(runner, broken));
    throw error;
  }
}

/**
 * SQLite waits for a lock in a way that stops the whole process; so it waits but shortly, and the rest of the time is
 * waited here, while other requests are answered.
 */
async function beginTransaction(runner: QueryRunner): Promise<void> {
  for (const started = performance.now(); ; await sleep(LOCK_RETRY_INTERVAL_MS)) {
    try {
      return await runner.startTransaction();
    } catch (error) {
      if (isPostgresRunner(runner)) await runner.releasePostgresConnection(error);
      if (!isSqliteBusy(error) || performance.now() - started > LOCK_TIMEOUT_MS) throw error;
    }
  }
}

/**
 * A transaction that cannot be rolled back must not go on beneath the next one. A connection to PostgreSQL in that state
 * is closed, and the server rolls back. SQLite has rolled back by itself, as it does when the disk is full; TypeORM still
 * counts the transaction, until it sees one end.
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
