import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMarker } from '../support/factories.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { TestServer } from '../support/test-server.js';

const LEVELS = [16, 18, 20, 22, 24, 26];

/** A row of `marker_search`. */
interface IndexedRow {
  row_number: number;
  lat_e7: number;
  lon_e7: number;
}

describe('The cells of the map', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    await server.get(RegionsService).findOrCreate('One', [4, 51, 6, 53]);
    for (const [lat, lon] of [
      [52, 5],
      [52.0001, 5],
      [-33, -70],
      [90, 180],
      [-90, -180],
    ] as const)
      await createMarker(server, { location: { lat, lon } });
  });
  afterAll(() => server.stop());

  const query = <Row>(sql: string): Promise<Row[]> => server.entityManager.query<Row[]>(sql);

  it('count each marker once per level, and each region its markers', async () => {
    const sums = 'SELECT level, CAST(sum(marker_count) AS integer) AS total FROM marker_cells GROUP BY level';
    expect(await query(`${sums} ORDER BY level`)).toEqual(LEVELS.map((level) => ({ level, total: 5 })));
    expect(await query('SELECT marker_count FROM regions')).toEqual([{ marker_count: 2 }]);
  });

  it('have the number and the sums of their markers', async () => {
    const rows = await query<IndexedRow>('SELECT row_number, lat_e7, lon_e7 FROM marker_search');
    const expected = new Map<string, number[]>();
    for (const level of LEVELS) {
      for (const { row_number, lat_e7, lon_e7 } of rows) {
        const [x, y] = [Math.floor((lon_e7 + 1.8e9) / 2 ** level), Math.floor((lat_e7 + 9e8) / 2 ** level)];
        const [count, lat, lon, rowNumbers] = expected.get(`${level} ${x} ${y}`) ?? [0, 0, 0, 0];
        expected.set(`${level} ${x} ${y}`, [count! + 1, lat! + lat_e7, lon! + lon_e7, rowNumbers! + row_number]);
      }
    }
    const cells = await query<Record<string, number | string>>('SELECT * FROM marker_cells');
    expect(
      new Map(
        cells.map(({ level, x, y, marker_count, lat_sum, lon_sum, row_number_sum }) => [
          [level, x, y].join(' '),
          [marker_count, lat_sum, lon_sum, row_number_sum].map(Number),
        ]),
      ),
    ).toEqual(expected);
  });
});
