import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line.js';
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js';
import { execute, newFolder } from '../support/processes.js';

describe('backup', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let commands: CommandLine;
  let file: string;

  beforeAll(async () => {
    [database, folder] = await Promise.all([newDatabase(), newFolder()]);
    commands = new CommandLine(database.url);
    file = join(folder.path, 'backup.sqlite');
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  if (onPostgres) {
    it('sends who has PostgreSQL to pg_dump', () => commands.expectRefused(/pg_dump/, 'backup', file));
    return;
  }

  it('copies the file and says of which moment it is', async () => {
    await commands.json('migrate');
    const before = Date.now();
    const { as_of, ...made } = await commands.json('backup', file);
    expect(made).toEqual({ file, bytes: (await stat(file)).size });
    expect(new Date(as_of).getTime()).toBeGreaterThanOrEqual(before);
    expect(await new CommandLine(`sqlite:${file}`).json('migrate')).toEqual({ applied: [] });
    await commands.expectRefused(/is there already/, 'backup', file);
  });

  it('needs no secret, and leaves the tables of an older version as they are', async () => {
    const [old, copy] = [join(folder.path, 'old.sqlite'), join(folder.path, 'copy.sqlite')];
    new Database(old).exec('CREATE TABLE of_old (id)').close();
    const environment = { DATABASE_URL: `sqlite:${old}`, NODE_ENV: 'production' };
    expect(await execute(['dist/src/cli.js', 'backup', copy], environment)).toMatchObject({ code: 0, stderr: '' });
    for (const name of [old, copy]) {
      const seen = new Database(name);
      expect(seen.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['of_old']);
      seen.close();
    }
  });

  it('refuses what is no file', async () => {
    await new CommandLine('sqlite::memory:').expectRefused(/SQLite file/, 'backup', file);
    await new CommandLine('nonsense').expectRefused(/DATABASE_URL takes/, 'backup', file);
  });
});
