import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseFileError } from './database-unavailable.js';

/** Pages of 4 KiB per step; after each step the progress is reported. */
const PAGES_PER_STEP = 1000;

/** A copy of the database. */
export interface SqliteBackup {
  file: string;
  bytes: number;
  /** The copy contains exactly the commits before this time. */
  asOf: Date;
}

/** A backup that failed. The message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * Copies an SQLite file into a new file that only its owner can read, while the service can write.
 * The new file gets its name when the copy is complete, verified and on the disk.
 * @param onProgress called with the number of copied pages and their total
 * @throws DatabaseFileError if there is no SQLite file; BackupError
 */
export async function backUpSqlite(
  path: string,
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<SqliteBackup> {
  if (!existsSync(path))
    throw new DatabaseFileError(`There is no SQLite file ${path}. Set DATABASE_URL to the database of the service.`);
  if (existsSync(file)) throw fileExistsError(file);
  if (!existsSync(dirname(file))) throw new BackupError(`There is no folder ${dirname(file)}. Create it first.`);
  const draft = `${file}.${process.pid}.part`;
  await (await open(draft, 'wx', 0o600)).close();
  try {
    const asOf = await copyDatabase(path, draft, onProgress);
    verifyIntegrity(draft);
    await syncToDisk(draft);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? fileExistsError(file) : error; // never replaces a file
    });
    await syncToDisk(dirname(file));
    return { file, bytes: (await stat(file)).size, asOf };
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(draft + suffix, { force: true });
  }
}

function fileExistsError(file: string): BackupError {
  return new BackupError(`${file} already exists. Choose a new file: a backup never replaces one.`);
}

/**
 * Copies in one read transaction, which sees the database as it is now while other processes write.
 * Without it, SQLite would restart the copy after each write, and under load would never finish.
 */
async function copyDatabase(
  path: string,
  draft: string,
  onProgress: (done: number, total: number) => void,
): Promise<Date> {
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma('query_only = ON');
    database.exec('BEGIN');
    const asOf = new Date();
    // the first read starts the snapshot
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    await database.backup(draft, {
      progress({ totalPages, remainingPages }) {
        onProgress(totalPages - remainingPages, totalPages);
        return PAGES_PER_STEP;
      },
    });
    return asOf;
  } finally {
    database.close();
  }
}

/**
 * Checks the copy, and switches it to a journal mode without other files.
 * @throws BackupError if the copy is damaged
 */
function verifyIntegrity(draft: string): void {
  const database = new Database(draft, { fileMustExist: true });
  try {
    database.pragma('journal_mode = DELETE');
    const result = database.pragma('integrity_check', { simple: true });
    if (result !== 'ok')
      throw new BackupError(
        `The database is damaged, so no backup was created. The integrity check found: ${String(result)}`,
      );
  } finally {
    database.close();
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
