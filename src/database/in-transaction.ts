import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';

/** Milliseconds that a write waits for another process's write on the same SQLite file, and between two tries. */
const PATIENCE = 15_000;
const PAUSE = 10;

/** TypeORM's runner on PostgreSQL, with what its public type leaves out: to give a connection back as a broken one. */
type PostgresRunner = QueryRunner & { releasePostgresConnection(error: unknown): Promise<void> };

/** Runs `work` in a transaction on a connection of its own: all of what it writes is kept, or, where it throws, none. */
export async function inTransaction<T>(writer: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = writer.createQueryRunner();
  try {
    await begin(runner);
    return await finish(runner, work);
  } finally {
    await runner.release();
  }
}

async function finish<T>(runner: QueryRunner, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  try {
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch((broken: unknown) => abandon(runner, broken));
    throw error;
  }
}

/**
 * SQLite waits for a lock in a way that stops the whole process; so it waits but shortly, and the rest of the time is
 * waited here, while other requests are answered.
 */
async function begin(runner: QueryRunner): Promise<void> {
  for (const started = performance.now(); ; await sleep(PAUSE)) {
    try {
      return await runner.startTransaction();
    } catch (error) {
      if (isOnPostgres(runner)) await runner.releasePostgresConnection(error);
      if (!isBusy(error) || performance.now() - started > PATIENCE) throw error;
    }
  }
}

/**
 * A transaction that cannot be rolled back must not go on beneath the next one. A connection to PostgreSQL in that state
 * is closed, and the server rolls back. SQLite has rolled back by itself, as it does when the disk is full; TypeORM still
 * counts the transaction, until it sees one end.
 */
async function abandon(runner: QueryRunner, error: unknown): Promise<void> {
  if (isOnPostgres(runner)) return runner.releasePostgresConnection(error);
  await runner.query('BEGIN').catch(() => undefined);
  await runner.rollbackTransaction();
}

function isOnPostgres(runner: QueryRunner): runner is PostgresRunner {
  return runner.connection.options.type === 'postgres';
}

function isBusy(error: unknown): boolean {
  return (error as { driverError?: { code?: unknown } }).driverError?.code === 'SQLITE_BUSY';
}
