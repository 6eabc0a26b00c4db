import { type DataSource, MigrationExecutor } from 'typeorm';
import { runInTransaction } from './run-in-transaction.js';
import { ADVISORY_LOCK_KEY } from './transaction.service.js';

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
 * Applies all pending migrations in one transaction. Processes that start at the same time take
 * turns; the second one finds no pending migration.
 * @returns the names of the migrations that this call applied
 * @throws UnsupportedSchemaError if the database has migrations, but not the first one of this
 * version
 */
export async function migrate(writer: DataSource): Promise<string[]> {
  const foreignKeys = writer.createQueryRunner();
  await foreignKeys.beforeMigration();
  try {
    return await runInTransaction(writer, async (runner) => {
      if (writer.options.type === 'postgres')
        await runner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK_KEY]);
      const executor = new MigrationExecutor(writer, runner);
      const executed = (await executor.getExecutedMigrations()).map(({ name }) => name);
      if (executed.length > 0 && !executed.includes(writer.migrations[0]!.name!)) {
        throw new UnsupportedSchemaError(writer);
      }
      const applied = await executor.executePendingMigrations();
      return applied.map(({ name }) => name);
    });
  } finally {
    await foreignKeys.afterMigration();
    await foreignKeys.release();
  }
}
