import { type DataSource, MigrationExecutor } from 'typeorm';
import { runInTransaction } from './run-in-transaction.js';
import { ADVISORY_LOCK_KEY } from './transaction.service.js';

/**
 * Brings the database up to date, in one transaction. Processes that start at once take turns, and the second finds
 * nothing left to do.
 * @returns the names of the migrations that were applied now
 */
export async function migrate(writer: DataSource): Promise<string[]> {
  const keys = writer.createQueryRunner();
  await keys.beforeMigration();
  try {
    return await runInTransaction(writer, async (runner) => {
      if (writer.options.type === 'postgres')
        await runner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK_KEY]);
      const applied = await new MigrationExecutor(writer, runner).executePendingMigrations();
      return applied.map(({ name }) => name);
    });
  } finally {
    await keys.afterMigration();
    await keys.release();
  }
}
