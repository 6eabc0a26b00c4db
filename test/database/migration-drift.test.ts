import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createDataSourceOptions } from '../../ormconfig.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { runCli } from '../support/server-process.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

describe('The migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(createDataSourceOptions(database.url, 'write')).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('make the tables that the entities describe, without drift', async () => {
    expect(await migrate(dataSource)).not.toEqual([]);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('do nothing the second time', async () => {
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('are applied once by processes that start at the same moment', async () => {
    const fresh = await createDatabase();
    const results = await Promise.all([1, 2, 3].map(() => runCli(fresh.url, 'migrate')));
    expect(results.filter(({ json }) => (json as { applied: string[] }).applied.length > 0)).toHaveLength(1);
    await fresh.drop();
  });

  it('can be taken back, one after the other, and applied again', async () => {
    const names = dataSource.migrations.map(({ name }) => name);
    for (let left = names.length; left > 0; left--) await dataSource.undoLastMigration();
    for (const { tableName } of dataSource.entityMetadatas) {
      await expect(dataSource.query(`SELECT 1 FROM ${tableName}`)).rejects.toThrow(tableName);
    }
    expect(await migrate(dataSource)).toEqual(names);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries).toEqual([]);
  });
});
