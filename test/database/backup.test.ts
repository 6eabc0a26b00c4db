import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpSqlite } from '../../src/platform/database/sqlite-backup.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

/** Rows that fill one page each, so that a backup takes several steps. */
const PAGE_COUNT = 5000;

describe('SQLite backup', () => {
  let folder: TempFolder;
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
  const findRows = (database: string): unknown => {
    const copy = new Database(database, { readonly: true });
    try {
      return copy.prepare('SELECT count(*) FROM rows').pluck().get();
    } finally {
      copy.close();
    }
  };

  it('contains the data of its start, and ends, while other connections write', async () => {
    const steps: number[] = [];
    await backUpSqlite(path, file, (done) => {
      steps.push(done);
      if (steps.length > PAGE_COUNT) throw new Error('It begins again and again.');
      writer.prepare('INSERT INTO rows (filling) VALUES (zeroblob(10))').run();
    });
    expect(steps.length).toBeGreaterThan(3);
    expect(findRows(file)).toBe(PAGE_COUNT);
    expect(findRows(path)).toBe(PAGE_COUNT + steps.length);
  });

  it('contains the data of the write-ahead log, and needs no other file', async () => {
    writer.pragma('wal_autocheckpoint = 0');
    writer.exec('DELETE FROM rows WHERE id > 10');
    await backUpSqlite(path, file, ignore);
    expect(findRows(file)).toBe(10);
    expect((await readdir(folder.path)).filter((name) => name.startsWith('backup'))).toEqual(['backup.sqlite']);
  });

  it('has file mode 600', async () => {
    const { bytes } = await backUpSqlite(path, file, ignore);
    const { mode, size } = await stat(file);
    expect([mode & 0o777, size]).toEqual([0o600, bytes]);
  });

  it('does not overwrite a file, and creates no missing database', async () => {
    await writeFile(file, 'something else');
    await expect(backUpSqlite(path, file, ignore)).rejects.toThrow('already exists');
    const nowhere = join(folder.path, 'nowhere.sqlite');
    await expect(backUpSqlite(nowhere, `${file}2`, ignore)).rejects.toThrow('There is no SQLite file');
    expect((await readdir(folder.path)).filter((name) => /part|2|nowhere/.test(name))).toEqual([]);
  });

  it('of a damaged database fails without a file', async () => {
    writer.close();
    const damage = await open(path, 'r+');
    await damage.write(Buffer.alloc(8192, 0xff), 0, 8192, 4096 * 2000);
    await damage.close();
    await expect(backUpSqlite(path, file, ignore)).rejects.toThrow('The database is damaged');
    expect(await readdir(folder.path)).toEqual(['map.sqlite']);
  });
});
