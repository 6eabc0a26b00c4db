import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSqliteDatabase, type TestDatabase } from './database.js';
import { Cli } from './cli.js';
import { findPostgres } from './find-postgres.js';

/** The backup and the restore of one kind of database. */
export interface BackupMethod {
  backUp: (databaseUrl: string, file: string) => Promise<unknown>;
  /** @returns a new database with the data of the file */
  restore: (databaseUrl: string, file: string) => Promise<TestDatabase>;
}

export const SQLITE_BACKUP_METHOD: BackupMethod = {
  backUp: (databaseUrl, file) => new Cli(databaseUrl).runJson('backup', file),
  restore: async (_, file) => {
    const restored = await createSqliteDatabase();
    await copyFile(file, restored.url.slice('sqlite:'.length));
    return restored;
  },
};

export const POSTGRES_BACKUP_METHOD: BackupMethod = {
  backUp: (databaseUrl, file) =>
    runPostgresProgram('pg_dump', `--dbname=${databaseUrl}`, '--format=custom', `--file=${file}`),
  restore: async (databaseUrl, file) => {
    const restored = new URL(databaseUrl);
    restored.pathname = '/map_restored';
    await runPostgresProgram('createdb', `--maintenance-db=${databaseUrl}`, 'map_restored');
    await runPostgresProgram('pg_restore', `--dbname=${restored.href}`, '--no-owner', '--single-transaction', file);
    // the cluster drops the database
    return { url: restored.href, drop: () => rm(file, { force: true }) };
  },
};

async function runPostgresProgram(program: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(join(findPostgres(), program), args);
}
