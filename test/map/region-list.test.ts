import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RegionBackfillService } from '../../src/map/markers/region-backfill.service.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { issueAccessToken } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';
import type { ResponseBody } from '../support/test-server.js';

describe('The list of regions', () => {
  let map: MapFixture;

  beforeAll(async () => {
    map = await MapFixture.start();
    await map.createRegionsAndArtists();
  });
  afterAll(() => map.stop());

  const fetchCounts = async (): Promise<Record<string, number>> => {
    const regions = await map.searchAllPages({ limit: 1 }, '/markers/regions');
    return Object.fromEntries(
      regions.map(({ name, markerCount }: ResponseBody) => [name as string, markerCount as number]),
    );
  };

  it('has id, name, box and number of markers, by name', async () => {
    const { status, body } = await map.get('/markers/regions');
    expect([status, body]).toEqual([
      200,
      {
        data: [
          { id: 'reg_one', name: 'One', bbox: [4.9, 52, 5, 53], markerCount: 0 },
          { id: 'reg_two', name: 'Two', bbox: [179, -17, -179, -16], markerCount: 0 },
        ],
        page: { limit: 20, nextCursor: null },
      },
    ]);
  });

  it('counts the live markers, wherever they move', async () => {
    const inOne = { lat: 52.5, lon: 4.95 };
    const inTwo = { lat: -16.5, lon: -179.5 };
    const [one] = await map.createMarkers({ title: 'a', location: inOne }, { title: 'b', location: inOne });
    expect(await fetchCounts()).toEqual({ One: 2, Two: 0 });
    await map.updateMarker(one!.id, { location: inTwo });
    expect(await fetchCounts()).toEqual({ One: 1, Two: 1 });
    await map.setDeleted(one!.id, true);
    expect(await fetchCounts()).toEqual({ One: 1, Two: 0 });
    await map.updateMarker(one!.id, { location: inOne });
    expect(await fetchCounts()).toEqual({ One: 1, Two: 0 });
    await map.setDeleted(one!.id, false);
    expect(await fetchCounts()).toEqual({ One: 2, Two: 0 });
    await map.updateMarker(one!.id, { location: { lat: 0, lon: 0 } });
    expect(await fetchCounts()).toEqual({ One: 1, Two: 0 });
  });

  it('counts the markers that a new region gets', async () => {
    const at = (lon: number) => ({ title: 'a', location: { lat: 60, lon } });
    const [, , gone] = await map.createMarkers(at(10), at(10.1), at(10.2), at(12));
    await map.setDeleted(gone!.id, true);
    const region = await map.server.get(RegionsService).findOrCreate('New', [10, 59, 11, 61]);
    await map.server.get(RegionBackfillService).assignMarkers(region, () => undefined);
    expect((await fetchCounts())['New']).toBe(2);
    await map.setDeleted(gone!.id, false);
    expect((await fetchCounts())['New']).toBe(3);
  });

  it('rejects unknown parameters and other scopes', async () => {
    expect((await map.get('/markers/regions?bbox=0,0,1,1')).status).toBe(400);
    expect((await map.get('/markers/regions?limit=101')).status).toBe(400);
    expect((await map.get('/markers/regions?cursor=x')).body.code).toBe('invalid_cursor');
    const token = await issueAccessToken(map.server, ['artists:read']);
    for (const path of ['/api/markers/regions', '/api/markers/clusters?bbox=0,0,1,1&zoom=1'])
      expect((await map.server.request('GET', path, { token })).status).toBe(403);
  });
});
