import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { ALONE } from './transactions.js';

/**
 * Brings the database up to date, in one transaction. Processes that start at once take turns, and the second finds
 * nothing left to do.
 * @returns the names of the migrations that were applied now
 */
export async function migrate(writer: DataSource): Promise<string[]> {
  const runner = writer.createQueryRunner();
  await runner.beforeMigration();
  try {
    await runner.startTransaction();
    return await applyWithin(runner);
  } finally {
    await runner.afterMigration();
    await runner.release();
  }
}

async function applyWithin(runner: QueryRunner): Promise<string[]> {
  try {
    if (runner.connection.options.type === 'postgres') await runner.query('SELECT pg_advisory_xact_lock($1)', [ALONE]);
    const applied = await new MigrationExecutor(runner.connection, runner).executePendingMigrations();
    await runner.commitTransaction();
    return applied.map(({ name }) => name);
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
