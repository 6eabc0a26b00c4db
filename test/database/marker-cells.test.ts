import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createMarker } from '../support/factories.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { TestServer } from '../support/test-server.js';

describe('The migration of the marker cells', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    const server = await TestServer.start({ DATABASE_URL: database.url });
    await server.get(RegionsService).findOrCreate('One', [4, 51, 6, 53]);
    for (const [lat, lon] of [
      [52, 5],
      [52.0001, 5],
      [-33, -70],
      [90, 180],
      [-90, -180],
    ] as const)
      await createMarker(server, { location: { lat, lon } });
    await server.stop();
    dataSource = await new DataSource(createOrmConfig(database.url, 'write')).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const readCounts = async (): Promise<string> => {
    const cells = await dataSource.query<object[]>('SELECT * FROM marker_cells ORDER BY level, x, y');
    const regions = await dataSource.query<object[]>('SELECT id, marker_count FROM regions ORDER BY id');
    return JSON.stringify([cells, regions]);
  };

  it('counts existing markers as the triggers count new ones', async () => {
    const before = await readCounts();
    const sums = 'SELECT level, CAST(sum(marker_count) AS integer) AS total FROM marker_cells GROUP BY level';
    const levels = await dataSource.query<object[]>(`${sums} ORDER BY level`);
    expect(levels).toEqual([16, 18, 20, 22, 24, 26].map((level) => ({ level, total: 5 })));
    expect(before).toContain('"marker_count":2}]]');
    while ((await dataSource.query<object[]>(`SELECT 1 FROM migrations WHERE name LIKE 'AddMarkerCells%'`)).length > 0)
      await dataSource.undoLastMigration();
    await expect(readCounts()).rejects.toThrow();
    await migrate(dataSource);
    expect(await readCounts()).toBe(before);
  });
});
