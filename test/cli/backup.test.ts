import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Cli } from '../support/cli.js';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { runNode, createTempFolder } from '../support/server-process.js';

describe('backup', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let commands: Cli;
  let file: string;

  beforeAll(async () => {
    [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
    commands = new Cli(database.url);
    file = join(folder.path, 'backup.sqlite');
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  if (isPostgres) {
    it('sends who has PostgreSQL to pg_dump', () => commands.expectFailure(/pg_dump/, 'backup', file));
    return;
  }

  it('copies the file and says of which moment it is', async () => {
    await commands.runJson('migrate');
    const before = Date.now();
    const { as_of, ...made } = await commands.runJson('backup', file);
    expect(made).toEqual({ file, bytes: (await stat(file)).size });
    expect(new Date(as_of).getTime()).toBeGreaterThanOrEqual(before);
    expect(await new Cli(`sqlite:${file}`).runJson('migrate')).toEqual({ applied: [] });
    await commands.expectFailure(/is there already/, 'backup', file);
  });

  it('needs no secret, and leaves the tables of an older version as they are', async () => {
    const [old, copy] = [join(folder.path, 'old.sqlite'), join(folder.path, 'copy.sqlite')];
    new Database(old).exec('CREATE TABLE of_old (id)').close();
    const environment = { DATABASE_URL: `sqlite:${old}`, NODE_ENV: 'production' };
    expect(await runNode(['dist/src/cli.js', 'backup', copy], environment)).toMatchObject({ code: 0, stderr: '' });
    for (const name of [old, copy]) {
      const seen = new Database(name);
      expect(seen.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['of_old']);
      seen.close();
    }
  });

  it('refuses what is no file', async () => {
    await new Cli('sqlite::memory:').expectFailure(/SQLite file/, 'backup', file);
    await new Cli('nonsense').expectFailure(/DATABASE_URL takes/, 'backup', file);
  });
});
