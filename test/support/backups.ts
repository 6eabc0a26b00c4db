import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newSqliteDatabase, type TestDatabase } from './database.js';
import { CommandLine } from './command-line.js';
import { findPostgres } from './find-postgres.js';

/** A kind of database, with how an operator backs it up into a file and restores it from there. */
export interface Backups {
  backUp: (databaseUrl: string, file: string) => Promise<unknown>;
  /** @returns another database, with what the file holds */
  restore: (databaseUrl: string, file: string) => Promise<TestDatabase>;
}

export const SQLITE_BACKUPS: Backups = {
  backUp: (databaseUrl, file) => new CommandLine(databaseUrl).json('backup', file),
  restore: async (_, file) => {
    const restored = await newSqliteDatabase();
    await copyFile(file, restored.url.slice('sqlite:'.length));
    return restored;
  },
};

export const POSTGRES_BACKUPS: Backups = {
  backUp: (databaseUrl, file) => run('pg_dump', `--dbname=${databaseUrl}`, '--format=custom', `--file=${file}`),
  restore: async (databaseUrl, file) => {
    const restored = new URL(databaseUrl);
    restored.pathname = '/map_restored';
    await run('createdb', `--maintenance-db=${databaseUrl}`, 'map_restored');
    await run('pg_restore', `--dbname=${restored.href}`, '--no-owner', '--single-transaction', file);
    return { url: restored.href, drop: () => rm(file, { force: true }) }; // it goes with its server
  },
};

async function run(program: string, ...words: string[]): Promise<void> {
  await promisify(execFile)(join(findPostgres(), program), words);
}
