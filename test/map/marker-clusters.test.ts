import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MarkersStore, type NewMarker } from '../../src/map/markers/markers.store.js';
import { MapFixture } from '../support/map-fixture.js';
import type { SearchQuery } from '../support/search-oracle.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { ResponseBody } from '../support/test-server.js';

const WORLD = '-180,-90,180,90';

/** More markers than one statement reads. */
const MARKER_COUNT = 12_000;

interface Point {
  lat: number;
  lon: number;
}

describe('Clusters', () => {
  let map: MapFixture;
  const points: Point[] = [];

  beforeAll(async () => {
    map = await MapFixture.start();
    await map.createRegionsAndArtists();
    for (let start = 0; start < MARKER_COUNT; start += 2000) await addMarkers(createMarkers(start, 2000));
  }, 60_000);
  afterAll(() => map.stop());

  async function addMarkers(markers: NewMarker[]): Promise<void> {
    points.push(...markers.map(({ location }) => location));
    await map.server
      .get(TransactionService)
      .run((tx) => map.server.get(MarkersStore).createMany(tx, markers))
      .then(() => undefined);
  }

  const getClusters = (query: SearchQuery): Promise<ResponseBody> =>
    map.get(`/markers/clusters?${new URLSearchParams(query as Record<string, string>).toString()}`);
  const fetchClusters = async (query: SearchQuery): Promise<ResponseBody[]> => {
    const { status, body } = await getClusters(query);
    expect({ query, status, error: body.error, zoom: body.zoom }).toEqual({
      query,
      status: 200,
      error: undefined,
      zoom: Number(query['zoom']),
    });
    expect(Object.keys(body).sort()).toEqual(['data', 'zoom']);
    return body.data as ResponseBody[];
  };
  const countAll = (clusters: ResponseBody[]): number =>
    clusters.reduce((sum: number, { count }: ResponseBody) => sum + (count as number), 0);

  it('count each marker of a box once, at every zoom level and on every plan', async () => {
    const boxes = [
      [-180, -90, 180, 90],
      [-10, 35.5, 40.1234567, 70.7654321],
      [-179.5, -89, 179.5, 89],
      [170, -60, -170, 60],
      [20, -5, 10, 5],
      [4.9, 52, 5.2, 52.2],
      [5.0001, 52.05, 5.1001, 52.15],
      [0, 0, 0, 0],
      [180, -90, 180, 90],
      [-180, -90, -180, 90],
    ] as const;
    for (const [west, south, east, north] of boxes) {
      const isInside = ({ lat, lon }: Point): boolean =>
        lat >= south && lat <= north && (isLonInside(lon) || (Math.abs(lon) === 180 && isLonInside(-lon)));
      const isLonInside = (lon: number): boolean =>
        west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
      const expected = points.filter(isInside).length;
      for (const zoom of [0, 3, 4, 7, 10, 13, 20]) {
        const bbox = [west, south, east, north].join();
        const clusters = await fetchClusters({ bbox, zoom });
        expect({ bbox, zoom, total: countAll(clusters) }).toEqual({ bbox, zoom, total: expected });
        expect(clusters.length).toBeLessThanOrEqual(2000);
        expect(clusters.filter((cluster) => !isInside(cluster as Point))).toEqual([]);
        const filtered = await fetchClusters({ bbox, zoom, kind: 'artwork' });
        expect({ bbox, zoom, total: countAll(filtered) }).toEqual({ bbox, zoom, total: expected });
      }
    }
  }, 60_000);

  it.each([
    ['few markers', { few: 8_000, many: 50_000 }],
    ['many markers in a box', { few: 1, many: 50_000 }],
    ['a scan of the map', { few: 1, many: 1 }],
  ])(
    'use the filters of the list, with %s',
    async (_, density) => {
      const before = map.setDensityThresholds(density);
      const filters: SearchQuery[] = [
        { status: 'gone' },
        { tag: 'rare' },
        { tag: 'common,rare', yearFrom: 2010 },
        { q: 'fox' },
        { q: 'common', medium: 'mural', yearTo: 2005 },
        { regionId: 'reg_one', status: 'present,gone' },
        { kind: 'place' },
        { updatedSince: '2999-01-01T00:00:00Z' },
      ];
      for (const filter of filters) {
        const matches = await map.searchAllPages({ ...filter, bbox: WORLD, limit: 500, sort: 'id' });
        expect({ filter, total: countAll(await fetchClusters({ ...filter, bbox: WORLD, zoom: 3 })) }).toEqual({
          filter,
          total: matches.length,
        });
      }
      map.setDensityThresholds(before);
    },
    60_000,
  );

  it('have the mean of their markers, and the id of a single marker', async () => {
    const at = (lat: number, lon: number): NewMarker => ({ title: 'x', tags: ['pair'], location: { lat, lon } });
    const [one] = await map.createMarkers(at(-80, 100), at(-80.0000002, 100.0000004), at(-81.5, -100));
    points.push({ lat: -80, lon: 100 }, { lat: -80.0000002, lon: 100.0000004 }, { lat: -81.5, lon: -100 });
    const clusters = await fetchClusters({ bbox: WORLD, zoom: 8, tag: 'pair' });
    expect(clusters.map(({ markerId: _, ...cluster }: ResponseBody) => cluster as object)).toEqual([
      { lat: -81.5, lon: -100, count: 1 },
      { lat: -80.0000001, lon: 100.0000002, count: 2 },
    ]);
    expect(clusters.map(({ markerId }: ResponseBody) => typeof markerId)).toEqual(['string', 'undefined']);
    const [single] = await fetchClusters({ bbox: '100,-80,100,-80', zoom: 20 });
    expect(single).toEqual({ lat: -80, lon: 100, count: 1, markerId: one!.id });
    const { body } = await map.get(`/markers/${clusters[0].markerId as string}`);
    expect(body.location).toEqual({ lat: -81.5, lon: -100 });
  });

  it('name a single marker among the stored cells', async () => {
    const clusters = await fetchClusters({ bbox: WORLD, zoom: 4 });
    const singles = clusters.filter(({ count }: ResponseBody) => count === 1);
    expect(singles.length).toBeGreaterThan(0);
    for (const { lat, lon, markerId } of singles.slice(0, 5)) {
      const { body } = await map.get(`/markers/${markerId as string}`);
      expect(body.location).toEqual({ lat, lon });
    }
  });

  it('stay on both sides of the 180th meridian', async () => {
    const at = (lon: number): NewMarker => ({ title: 'x', tags: ['dateline'], location: { lat: -85, lon } });
    await addMarkers([at(179.9), at(179.7), at(-179.9), at(-179.7), at(180)]);
    const clusters = await fetchClusters({ bbox: '179,-86,-179,-84', zoom: 0, tag: 'dateline' });
    const expected = [
      { lat: -85, lon: 179.8666667, count: 3 },
      { lat: -85, lon: -179.8, count: 2 },
    ];
    expect(clusters).toEqual(expected);
    const all = await fetchClusters({ bbox: '179,-86,-179,-84', zoom: 0 });
    expect(all.every(({ lon }: ResponseBody) => Math.abs(lon as number) >= 179)).toBe(true);
  });

  it('follow markers that move, are deleted and are restored', async () => {
    const [marker] = await map.createMarkers({ title: 'x', location: { lat: 80, lon: 0 } });
    const total = async (): Promise<number> => countAll(await fetchClusters({ bbox: WORLD, zoom: 2 }));
    const north = async (): Promise<number[]> =>
      (await fetchClusters({ bbox: '-180,79,180,90', zoom: 2 })).map(({ lon }: ResponseBody) => lon as number);
    const before = await total();
    expect(before).toBe(points.length + 1);
    await map.updateMarker(marker!.id, { location: { lat: 80, lon: 90 } });
    expect([await total(), await north()]).toEqual([before, [90]]);
    await map.updateMarker(marker!.id, { title: 'y' });
    await map.setDeleted(marker!.id, true);
    expect([await total(), await north()]).toEqual([before - 1, []]);
    await map.setDeleted(marker!.id, false);
    expect([await total(), await north()]).toEqual([before, [90]]);
    await map.setDeleted(marker!.id, true);
  });

  it('reject other parameters, and a missing or invalid box or zoom level', async () => {
    const expectError = async (query: SearchQuery, path: string): Promise<void> => {
      const { status, body } = await getClusters(query);
      expect({ query, status, code: body.code, path: body.details?.[0].path as unknown }).toEqual({
        query,
        status: 400,
        code: 'invalid_request',
        path,
      });
    };
    await expectError({ zoom: 3 }, 'bbox');
    await expectError({ bbox: WORLD }, 'zoom');
    for (const zoom of [-1, 21, 1.5, '', 'x']) await expectError({ bbox: WORLD, zoom }, 'zoom');
    for (const bbox of ['', '1,2,3', '1,2,3,4,5', '0,10,1,9', '-181,0,0,1'])
      await expectError({ bbox, zoom: 1 }, 'bbox');
    const other = { ids: 'x', cursor: 'x', limit: 5, sort: 'id', format: 'json', lat: 1, count: 'true', fields: 'id' };
    for (const [name, value] of Object.entries(other)) await expectError({ bbox: WORLD, zoom: 1, [name]: value }, name);
    await expectError({ bbox: WORLD, zoom: 1, kind: 'x' }, 'kind');
  });
});

/** Half of the markers are in one city, half are all over the map. */
function createMarkers(from: number, count: number): NewMarker[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const seeded = new SeededRandom(number + 1);
    const random = (): number => seeded.next();
    const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
    const isInCity = number % 2 === 0;
    const lat = isInCity ? 52 + random() * 0.2 : random() * 150 - 75;
    const lon = isInCity ? 4.9 + random() * 0.3 : random() * 360 - 180;
    return {
      title: number % 50 === 0 ? 'A fox' : 'A common wall',
      status: number % 3 === 0 ? 'gone' : 'present',
      medium: number % 5 === 0 ? ['mural'] : ['other'],
      year: 2000 + (number % 20),
      tags: number % 1000 === 0 ? ['rare', 'common'] : ['common'],
      location: number % 500 === 1 ? { lat: round(lat), lon: 180 } : { lat: round(lat), lon: round(lon) },
    };
  });
}
