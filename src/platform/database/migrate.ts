import { type DataSource, type Migration, MigrationExecutor } from 'typeorm';
import { applyOnline } from './postgres/apply-online.js';
import { runInTransaction } from './run-in-transaction.js';

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
