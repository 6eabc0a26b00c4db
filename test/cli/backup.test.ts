import { beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Cli, CliFixture } from '../support/cli.js';
import { isPostgres } from '../support/database.js';
import { runNode } from '../support/run-command.js';

describe('backup', () => {
  const fixture = CliFixture.use();
  let file: string;

  beforeAll(() => {
    file = join(fixture.folder.path, 'backup.sqlite');
  });

  if (isPostgres) {
    it('points to pg_dump on PostgreSQL', () => fixture.cli.expectFailure(1, /pg_dump/, 'backup', file));
    return;
  }

  it('copies the file, and prints its time', async () => {
    await fixture.cli.runJson('migrate');
    const before = Date.now();
    const { as_of, ...created } = await fixture.cli.runJson('backup', file);
    expect(created).toEqual({ file, bytes: (await stat(file)).size });
    expect(new Date(as_of).getTime()).toBeGreaterThanOrEqual(before);
    expect(await new Cli(`sqlite:${file}`).runJson('migrate')).toEqual({ applied: [] });
    await fixture.cli.expectFailure(1, /already exists/, 'backup', file);
  });

  it('needs no secret, and does not migrate the database', async () => {
    const [old, copy] = [join(fixture.folder.path, 'old.sqlite'), join(fixture.folder.path, 'copy.sqlite')];
    new Database(old).exec('CREATE TABLE of_old (id)').close();
    const environment = { DATABASE_URL: `sqlite:${old}`, NODE_ENV: 'production' };
    expect(await runNode(['dist/src/cli.js', 'backup', copy], environment)).toMatchObject({ code: 0, stderr: '' });
    for (const name of [old, copy]) {
      const results = new Database(name);
      expect(results.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['of_old']);
      results.close();
    }
  });

  it('rejects an unknown NODE_ENV', async () => {
    const environment = { DATABASE_URL: fixture.database.url, NODE_ENV: 'prod' };
    const { code, stderr } = await runNode(['dist/src/cli.js', 'backup', `${file}-2`], environment);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'NODE_ENV must be development, test or production.\n' });
  });

  it('rejects a database that is no file', async () => {
    await new Cli('sqlite::memory:').expectFailure(1, /SQLite file/, 'backup', file);
    await new Cli('nonsense').expectFailure(1, /DATABASE_URL must be/, 'backup', file);
  });
});
