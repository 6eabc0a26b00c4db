import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSqliteDatabase, type TestDatabase } from './database.js';
import { Cli } from './cli.js';
import { findPostgres } from './find-postgres.js';

/** A kind of database, with how an operator backs it up into a file and restores it from there. */
export interface BackupMethod {
  backUp: (databaseUrl: string, file: string) => Promise<unknown>;
  /** @returns another database, with what the file holds */
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
    return { url: restored.href, drop: () => rm(file, { force: true }) }; // it goes with its server
  },
};

async function runPostgresProgram(program: string, ...words: string[]): Promise<void> {
  await promisify(execFile)(join(findPostgres(), program), words);
}
