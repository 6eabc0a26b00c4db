import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { migrate, UnsupportedSchemaError } from '../../src/platform/database/migrate.js';
import { runCli, runNode } from '../support/run-command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { TEST_SETTINGS } from '../support/test-settings.js';

describe('Migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(createOrmConfig(database.url, 'write')).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('create the tables that the entities describe', async () => {
    expect(await migrate(dataSource)).not.toEqual([]);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('do nothing in the second run', async () => {
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('are applied once by processes that start concurrently', async () => {
    const freshDatabase = await createDatabase();
    const results = await Promise.all([1, 2, 3].map(() => runCli(freshDatabase.url, 'migrate')));
    expect(results.filter(({ json }) => (json as { applied: string[] }).applied.length > 0)).toHaveLength(1);
    await freshDatabase.drop();
  });

  it('reject a database that an earlier development version created', async () => {
    const old = await createDatabase();
    const source = await new DataSource(createOrmConfig(old.url, 'write')).initialize();
    await migrate(source);
    await source.query(`UPDATE migrations SET name = 'Start1763600000000'`);
    await expect(migrate(source)).rejects.toThrow(UnsupportedSchemaError);
    await source.destroy();

    const environment = { ...TEST_SETTINGS, DATABASE_URL: old.url };
    for (const [program, ...words] of [['main'], ['cli', 'migrate'], ['cli', 'accounts', 'list']]) {
      const { code, stdout, stderr } = await runNode([`dist/src/${program}.js`, ...words], environment);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^(The service did not start\.\n)?This database was created by an earlier .*empty database\.\n$/,
      );
    }
    await old.drop();
  });

  it('can be reverted, and applied again', async () => {
    const names = dataSource.migrations.map(({ name }) => name);
    for (let remaining = names.length; remaining > 0; remaining--) await dataSource.undoLastMigration();
    for (const { tableName } of dataSource.entityMetadatas) {
      await expect(dataSource.query(`SELECT 1 FROM ${tableName}`)).rejects.toThrow(tableName);
    }
    expect(await migrate(dataSource)).toEqual(names);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries).toEqual([]);
  });
});
