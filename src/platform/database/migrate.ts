import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { runInTransaction } from './run-in-transaction.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCKS } from './advisory-locks.js';

/** The database was created by a version whose migrations this version does not have. */
export class UnsupportedSchemaError extends Error {
  override readonly name = 'UnsupportedSchemaError';

  constructor({ options }: DataSource) {
    const remedy = options.type === 'better-sqlite3' ? `delete ${String(options.database)} or ` : '';
    super(
      `This database was created by an earlier development version and cannot be upgraded: ${remedy}set DATABASE_URL to an empty database.`,
    );
  }
}

/**
 * Applies all pending migrations: on SQLite in one transaction, on PostgreSQL while other processes
 * use the tables. Processes that start at the same time take turns; the second one finds no pending
 * migration.
 * @param report receives a sentence for the operator when a migration waits
 * @returns the names of the migrations that this call applied
 * @throws UnsupportedSchemaError if the database has migrations, but not the first one of this
 * version
 */
export async function migrate(
  writer: DataSource,
  report: (message: string) => void = () => undefined,
): Promise<string[]> {
  return writer.options.type === 'postgres'
    ? applyOnline(writer, () => findPendingMigrations(writer), report)
    : applyInOneTransaction(writer);
}

async function applyInOneTransaction(writer: DataSource): Promise<string[]> {
  const foreignKeys = writer.createQueryRunner();
  await foreignKeys.beforeMigration();
  try {
    return await runInTransaction(writer, async (runner) => {
      const executor = new MigrationExecutor(writer, runner);
      const pending = await findPendingMigrations(writer, executor);
      for (const migration of pending) await executor.executeMigration(migration);
      return pending.map(({ name }) => name);
    });
  } finally {
    await foreignKeys.afterMigration();
    await foreignKeys.release();
  }
}

async function findPendingMigrations(
  writer: DataSource,
  executor = new MigrationExecutor(writer),
): Promise<Migration[]> {
  const executed = (await executor.getExecutedMigrations()).map(({ name }) => name);
  if (executed.length > 0 && !executed.includes(writer.migrations[0]!.name!)) throw new UnsupportedSchemaError(writer);
  return executor.getPendingMigrations();
}

/** Milliseconds between two questions whether another process has finished. */
const POLL_INTERVAL_MS = 500;

/**
 * Milliseconds that a migration waits for a lock. Other statements on the table wait behind it, so
 * the time is short. Between two attempts, they continue.
 */
const MIGRATION_LOCK_TIMEOUT_MS = 2_000;
const RETRY_INTERVAL_MS = 5_000;

/** Codes of a lock that was not granted in time, and of a deadlock. */
const LOCK_CODES = ['55P03', '40P01'];

/** The role or PgBouncer may have set other timeouts. */
const ONLINE_TIMEOUTS = [
  `SET LOCAL lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`,
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
].join('; ');

/**
 * Applies the pending migrations while other processes use the tables. Each migration is its own
 * transaction, so a process that starts after a crash continues with the next one. A migration with
 * `transaction = false` must be repeatable, because a crash can come before its record.
 *
 * One process migrates, and the others wait. The lock belongs to an open transaction on a separate
 * connection: so it works with PgBouncer in transaction mode, and ends with the process. That
 * transaction has no snapshot, and waiting processes have no open statement, because both would
 * block CREATE INDEX CONCURRENTLY.
 * @param findPending finds the migrations that are not applied
 * @param report receives a sentence for the operator when the process or a migration waits
 * @returns the names of the migrations that this call applied
 */
async function applyOnline(
  writer: DataSource,
  findPending: () => Promise<Migration[]>,
  report: (message: string) => void,
): Promise<string[]> {
  for (let hasReported = false; (await findPending()).length > 0; hasReported = true) {
    const applied = await runInTransaction(writer, async (lock) => {
      const isLocked = await tryLock(lock);
      return isLocked ? applyAll(writer, lock, await findPending(), report) : undefined;
    });
    if (applied) return applied;
    if (!hasReported) report('Another process migrates the database. This process waits for it.');
    await sleep(POLL_INTERVAL_MS);
  }
  return [];
}

async function tryLock(lock: QueryRunner): Promise<boolean> {
  await lock.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED'); // a stricter one keeps a snapshot
  await lock.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  const rows = (await lock.query(`SELECT pg_try_advisory_xact_lock(${LOCKS.migration}) AS locked`)) as {
    locked: boolean;
  }[];
  return rows[0]!.locked;
}

async function applyAll(
  writer: DataSource,
  lock: QueryRunner,
  pending: Migration[],
  report: (message: string) => void,
): Promise<string[]> {
  for (const migration of pending) {
    for (let hasReported = false; !(await tryApply(writer, lock, migration)); hasReported = true) {
      if (!hasReported) report(`Migration ${migration.name} ${WAITS}`);
      await sleep(RETRY_INTERVAL_MS);
    }
  }
  return pending.map(({ name }) => name);
}

const WAITS = `waits for a lock that another transaction holds. It tries again every ${RETRY_INTERVAL_MS / 1000} seconds.`;

/** @returns false if another transaction holds a lock that the migration needs */
async function tryApply(writer: DataSource, lock: QueryRunner, migration: Migration): Promise<boolean> {
  const apply = async (runner: QueryRunner): Promise<void> => {
    await new MigrationExecutor(writer, runner).executeMigration(migration);
    await lock.query('SELECT 1'); // fails if the lock was lost with its connection
  };
  try {
    if (migration.instance?.transaction === false) await runAlone(writer, apply);
    else
      await runInTransaction(writer, async (runner) => {
        await runner.query(ONLINE_TIMEOUTS);
        await apply(runner);
      });
    return true;
  } catch (error) {
    if (LOCK_CODES.includes((error as { driverError?: { code?: string } }).driverError?.code ?? '')) return false;
    throw error;
  }
}

async function runAlone(writer: DataSource, work: (runner: QueryRunner) => Promise<void>): Promise<void> {
  const runner = writer.createQueryRunner();
  await work(runner).finally(() => runner.release());
}
