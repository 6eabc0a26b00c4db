import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpSqlite } from '../../src/platform/database/sqlite-backup.js';
import { createTempFolder } from '../support/server-process.js';

/** Rows of which each fills a page, so that a copy takes several steps. */
const PAGE_COUNT = 5000;

describe('A backup of an SQLite file', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let path: string;
  let file: string;
  let writer: Database.Database;

  beforeEach(async () => {
    folder = await createTempFolder();
    [path, file] = [join(folder.path, 'map.sqlite'), join(folder.path, 'backup.sqlite')];
    writer = new Database(path);
    writer.pragma('journal_mode = WAL');
    writer.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, filling BLOB)');
    const rows = `WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${PAGE_COUNT}) SELECT id FROM n`;
    writer.exec(`INSERT INTO rows SELECT id, zeroblob(3500) FROM (${rows})`);
  });
  afterEach(async () => {
    writer.close();
    await folder.remove();
  });

  const ignore = (): void => undefined;
  const rowsOf = (database: string): unknown => {
    const copy = new Database(database, { readonly: true });
    try {
      return copy.prepare('SELECT count(*) FROM rows').pluck().get();
    } finally {
      copy.close();
    }
  };

  it('is of the moment in which it began, and ends, although others write between all its steps', async () => {
    const steps: number[] = [];
    await backUpSqlite(path, file, (done) => {
      steps.push(done);
      if (steps.length > PAGE_COUNT) throw new Error('It begins again and again.');
      writer.prepare('INSERT INTO rows (filling) VALUES (zeroblob(10))').run();
    });
    expect(steps.length).toBeGreaterThan(3);
    expect(rowsOf(file)).toBe(PAGE_COUNT);
    expect(rowsOf(path)).toBe(PAGE_COUNT + steps.length);
  });

  it('holds what is in the log beside the file alone, and itself needs no other file', async () => {
    writer.pragma('wal_autocheckpoint = 0');
    writer.exec('DELETE FROM rows WHERE id > 10');
    await backUpSqlite(path, file, ignore);
    expect(rowsOf(file)).toBe(10);
    expect((await readdir(folder.path)).filter((name) => name.startsWith('backup'))).toEqual(['backup.sqlite']);
  });

  it('can be read by its owner alone', async () => {
    const { bytes } = await backUpSqlite(path, file, ignore);
    const { mode, size } = await stat(file);
    expect([mode & 0o777, size]).toEqual([0o600, bytes]);
  });

  it('takes the place of no file, and of a database that is not there makes none', async () => {
    await writeFile(file, 'something else');
    await expect(backUpSqlite(path, file, ignore)).rejects.toThrow('is there already');
    const nowhere = join(folder.path, 'nowhere.sqlite');
    await expect(backUpSqlite(nowhere, `${file}2`, ignore)).rejects.toThrow('There is no SQLite file');
    expect((await readdir(folder.path)).filter((name) => /part|2|nowhere/.test(name))).toEqual([]);
  });

  it('of a damaged database is none, and leaves nothing behind', async () => {
    writer.close();
    const damage = await open(path, 'r+');
    await damage.write(Buffer.alloc(8192, 0xff), 0, 8192, 4096 * 2000);
    await damage.close();
    await expect(backUpSqlite(path, file, ignore)).rejects.toThrow('The database is damaged');
    expect(await readdir(folder.path)).toEqual(['map.sqlite']);
  });
});
