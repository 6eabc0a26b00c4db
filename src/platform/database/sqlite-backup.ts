import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Pages of 4 KiB that are copied at once; in between it is told how far the copy is. */
const PAGES_PER_STEP = 1000;

/** A copy of the database, in a file of its own. */
export interface SqliteBackup {
  file: string;
  bytes: number;
  /** What was committed by then is in it, and nothing that came later. */
  asOf: Date;
}

/** A backup that cannot be made: a sentence that says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * Copies an SQLite file, while the service writes to it, into a new file that only its owner can read. The new file bears
 * its name once it is whole, is on the disk, and was looked through.
 * @param follow hears how many pages are copied of how many
 */
export async function backUpSqlite(
  path: string,
  file: string,
  follow: (done: number, total: number) => void,
): Promise<SqliteBackup> {
  if (!existsSync(path)) throw new BackupError(`There is no SQLite file ${path} to back up.`);
  if (existsSync(file)) throw fileExistsError(file);
  if (!existsSync(dirname(file))) throw new BackupError(`There is no folder ${dirname(file)} for the backup.`);
  const draft = `${file}.${process.pid}.part`;
  await (await open(draft, 'wx', 0o600)).close();
  try {
    const asOf = await copyDatabase(path, draft, follow);
    verifyIntegrity(draft);
    await syncToDisk(draft);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? fileExistsError(file) : error; // it takes the place of no other
    });
    await syncToDisk(dirname(file));
    return { file, bytes: (await stat(file)).size, asOf };
  } finally {
    for (const rest of ['', '-journal', '-wal', '-shm']) await rm(draft + rest, { force: true });
  }
}

function fileExistsError(file: string): BackupError {
  return new BackupError(`${file} is there already: a backup goes into a new file.`);
}

/**
 * SQLite begins a copy anew whenever somebody else has written, so under load it would never end. Held in one transaction,
 * all of it is read as it is now, and others write on beside.
 */
async function copyDatabase(path: string, draft: string, follow: (done: number, total: number) => void): Promise<Date> {
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma('query_only = ON');
    database.exec('BEGIN');
    const asOf = new Date();
    database.prepare('SELECT count(*) FROM sqlite_schema').get(); // it is the first read that holds
    await database.backup(draft, {
      progress({ totalPages, remainingPages }) {
        follow(totalPages - remainingPages, totalPages);
        return PAGES_PER_STEP;
      },
    });
    return asOf;
  } finally {
    database.close();
  }
}

/** Whether the copy is sound; and it needs no other file beside it. */
function verifyIntegrity(draft: string): void {
  const database = new Database(draft, { fileMustExist: true });
  try {
    database.pragma('journal_mode = DELETE');
    const found = database.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new BackupError(`The database is damaged: ${String(found)}`);
  } finally {
    database.close();
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
