import { isInMemory, isSqlite } from '../../../platform/config/database-url.js';
import { getEnvironmentDatabaseUrl } from '../../../platform/config/config.module.js';
import { AppliedMigrations } from '../../../platform/database/database.module.js';
import { BackupError, backUpSqlite } from '../../../platform/database/sqlite-backup.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

/** Copies the SQLite file. */
export async function backUpDatabase(_: object, file = ''): Promise<object> {
  const url = getEnvironmentDatabaseUrl();
  if (!isSqlite(url) || isInMemory(url)) {
    throw new Error('DATABASE_URL must name an SQLite file. To back up PostgreSQL, use pg_dump: see docs/operate.md.');
  }
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
  return withProgress({ text: 'Copying' }, async (progress) => {
    const { bytes, asOf } = await backUpSqlite(url.slice('sqlite:'.length), file, (done, total) => {
      if (isStopped) throw new BackupError('The backup was stopped, and the incomplete copy was deleted.');
      progress.update(done, total, 'pages');
    });
    return { file, bytes, as_of: asOf.toISOString() };
  });
}

/** Returns the names of the migrations that the start of the application context applied. */
export function migrateDatabase(): Promise<object> {
  return withApplication([], (app) => Promise.resolve({ applied: app.get(AppliedMigrations).names }));
}
