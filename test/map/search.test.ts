import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewMarker } from '../../src/map/markers/markers.store.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { createArtist } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';
import { type SearchQuery } from '../support/search-oracle.js';
import type { ResponseBody } from '../support/test-server.js';

describe('Search', () => {
  let map: MapFixture;
  let spot = 0;

  beforeAll(async () => {
    map = await MapFixture.start();
    const regions = map.server.get(RegionsService);
    await regions.findOrCreate('Nordlys Bay', [18, 69, 19, 70]);
    await regions.findOrCreate('Tavu Point', [179.8, -17, -179.8, -16.6]);
  });
  afterAll(() => map.stop());

  /**
   * Moves to a new location for each test, so that a box of one degree has only the test's markers.
   */
  beforeEach(() => {
    spot += 2;
  });
  const first = (): SearchQuery => ({ bbox: [spot, 10, spot + 1, 11].join() });
  const add = (title: string, overrides: Partial<NewMarker> = {}): Promise<{ id: string }> =>
    map.createMarkers({ title, location: { lat: 10.5, lon: spot + 0.5 }, ...overrides }).then(([marker]) => marker!);
  const titles = (query: SearchQuery): Promise<string[]> => map.searchTitles({ ...first(), ...query });
  const expectError = async (query: SearchQuery, path: string): Promise<void> => {
    const { status, body } = await map.search(query);
    expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'invalid_request' });
    expect(body.details).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
  };

  describe('by bounding box', () => {
    const of = (...bbox: (number | string)[]): Promise<string[]> => map.searchTitles({ bbox: bbox.join(), limit: 2 });
    const at = async (...places: [title: string, lat: number, lon: number][]): Promise<void> => {
      await map.createMarkers(...places.map(([title, lat, lon]) => ({ title, location: { lat, lon } })));
    };

    it('includes its edges with seven decimals, and may have no width', async () => {
      await at(['corner', -40.1234567, 20.1], ['inside', -40.1, 20.1000001], ['edge', -40.0000001, 20.3]);
      expect(await of(20.1, -40.1234567, 20.3, -40.0000001)).toEqual(['corner', 'inside', 'edge']);
      expect(await of(20.1000001, -40.1234567, 20.3, -40.0000001)).toEqual(['inside', 'edge']);
      expect(await of(20.1, -40.1234566, 20.2999999, -40.0000001)).toEqual(['inside']);
      expect(await of(20.1, -40.1234567, 20.1, -40.1234567)).toEqual(['corner']);
      expect(await of(20.1, -41, 20.3, -40.1)).toEqual(['corner', 'inside']);
    });

    it('crosses the antimeridian when west is greater than east', async () => {
      await at(['west of it', -50, 179.9], ['on it', -50, 180], ['on it too', -50, -180], ['east of it', -50, -179.9]);
      expect(await of(179.9, -51, -179.9, -49)).toEqual(['west of it', 'on it', 'on it too', 'east of it']);
      expect(await of(179.9000001, -50, -179.9000001, -50)).toEqual(['on it', 'on it too']);
      expect(await of(180, -51, -180, -49)).toEqual(['on it', 'on it too']);
      expect(await of(179, -51, 180, -49)).toEqual(['west of it', 'on it', 'on it too']);
      expect(await of(-180, -51, -179, -49)).toEqual(['on it', 'on it too', 'east of it']);
      expect(await of(-180, -51, 180, -49)).toEqual(['west of it', 'on it', 'on it too', 'east of it']);
    });

    it('includes the poles', async () => {
      await at(['north', 90, 12], ['nearly', 89.9999999, -77], ['south', -90, 0]);
      expect(await of(-180, 89, 180, 90)).toEqual(['north', 'nearly']);
      expect(await of(-180, 90, 180, 90)).toEqual(['north']);
      expect(await of(-1, -90, 1, -89)).toEqual(['south']);
    });

    it('rejects an invalid box', async () => {
      const none = [
        '1,2,3',
        '1,2,3,4,5',
        '0,2,1,1',
        '-181,0,0,1',
        '0,-91,1,0',
        '0,0,1,x',
        '',
        '1e1,0,2,3',
        'NaN,0,1,1',
      ];
      for (const bbox of [...none, ['0,0,1,1', '2,2,3,3']]) await expectError({ bbox }, 'bbox');
    });
  });

  describe('by distance', () => {
    const near = (lat: number, lon: number, radius: number, overrides: SearchQuery = {}): Promise<ResponseBody[]> =>
      map.searchAllPages({ lat, lon, radius, limit: 2, ...overrides });
    const listNames = (results: ResponseBody[]): string[] => results.map(({ title }) => title as string);

    it('sorts by the distance on the sphere, and returns it', async () => {
      const [lat, lon] = [69.6, 18.9];
      await map.createMarkers(
        { title: '111 m north', location: { lat: lat + 0.001, lon } },
        { title: '78 m east', location: { lat, lon: lon + 0.002 } },
        { title: '39 m west', location: { lat, lon: lon - 0.001 } },
        { title: '388 m east', location: { lat, lon: lon + 0.01 } },
        { title: '5 km south', location: { lat: lat - 0.045, lon } },
      );
      const results = await near(lat, lon, 50_000);
      expect(listNames(results)).toEqual(['39 m west', '78 m east', '111 m north', '388 m east', '5 km south']);
      const expected = [38.76, 77.52, 111.2, 387.6, 5003.8];
      results.forEach(({ distanceMeters }, n) => expect(Math.abs(distanceMeters - expected[n]!)).toBeLessThan(0.05));
      const farthest = results[3].distanceMeters as number;
      expect(listNames(await near(lat, lon, farthest))).toHaveLength(4);
      expect(listNames(await near(lat, lon, farthest - 0.001))).toHaveLength(3);
      expect(await map.searchTitles({ ...{ lat, lon, radius: 500 }, q: 'm east', sort: 'distance' })).toHaveLength(2);
    });

    it('crosses the antimeridian and the poles', async () => {
      await map.createMarkers(
        { title: 'beyond', location: { lat: -60, lon: -179.999 } },
        { title: 'before', location: { lat: -60, lon: 179.997 } },
        { title: 'upon', location: { lat: -60, lon: -180 } },
        { title: 'over the pole', location: { lat: -89.99, lon: 100 } },
      );
      expect(listNames(await near(-60, 179.9995, 1000))).toEqual(['upon', 'beyond', 'before']);
      expect(listNames(await near(-60, 180, 60))).toEqual(['upon', 'beyond']);
      expect(listNames(await near(-89.99, -80, 3000, { q: 'over' }))).toEqual(['over the pole']);
    });

    it('sorts equal distances by creation', async () => {
      const location = { lat: -30, lon: 30 };
      await map.createMarkers(...['c', 'a', 'b', 'e', 'd'].map((title) => ({ title, location })));
      expect(listNames(await near(-30, 30, 1))).toEqual(['c', 'a', 'b', 'e', 'd']);
    });

    it('rejects an incomplete location, a bounding box, another sort order, and a radius out of range', async () => {
      const place = { lat: 1, lon: 1, radius: 10 };
      await expectError({ lat: 1, lon: 1 }, 'radius');
      await expectError({ lat: 1, radius: 10 }, 'lon');
      await expectError({ radius: 10 }, 'lat');
      await expectError({ ...place, bbox: '0,0,1,1' }, 'bbox');
      for (const sort of ['id', 'updatedAt']) await expectError({ ...place, sort, q: 'x' }, 'sort');
      await expectError({ ...place, sort: 'relevance' }, 'sort');
      await expectError({ sort: 'distance' }, 'sort');
      for (const radius of [0.5, 50_000.1, '1e3']) await expectError({ ...place, radius }, 'radius');
      await expectError({ ...place, lat: 90.1 }, 'lat');
      await expectError({ ...place, lon: -180.1 }, 'lon');
    });
  });

  it('applies each filter, with repeated or comma-separated alternatives, and all filters together', async () => {
    const [anna, ben] = [await createArtist(map.server, 'Anna'), await createArtist(map.server, 'Ben')];
    await add('mural', { medium: ['mural', 'stencil'], tags: ['Fox', 'Łódź'], year: 1999, artistIds: [anna.id] });
    await add('both', { artistIds: [anna.id, ben.id], status: 'gone', year: 2010, tags: ['owl'], medium: ['mosaic'] });
    await add('bare', { status: 'damaged' });
    await add('gallery', { placeType: 'gallery', year: 2010 });
    const cases: [SearchQuery, string[]][] = [
      [{}, ['mural', 'both', 'bare', 'gallery']],
      [{ kind: 'artwork' }, ['mural', 'both', 'bare']],
      [{ status: 'gone,damaged' }, ['both', 'bare']],
      [{ status: ['gone', 'damaged,unknown'] }, ['both', 'bare']],
      [{ placeType: 'gallery' }, ['gallery']],
      [{ medium: 'stencil,mosaic' }, ['mural', 'both']],
      [{ artistId: anna.id }, ['mural', 'both']],
      [{ artistId: [ben.id, anna.id] }, ['mural', 'both']],
      [{ tag: 'lodz' }, ['mural']],
      [{ tag: ['FOX', 'owl'] }, ['mural', 'both']],
      [{ yearFrom: 2000 }, ['both', 'gallery']],
      [{ yearFrom: 1999, yearTo: 1999 }, ['mural']],
      [
        { artistId: anna.id, status: 'gone', tag: 'fox,owl', medium: 'mosaic', yearTo: 2010, kind: 'artwork' },
        ['both'],
      ],
      [{ regionId: 'reg_nordlys-bay' }, []],
    ];
    for (const [query, expected] of cases)
      expect([query, await titles({ limit: 1, ...query })]).toEqual([query, expected]);
    await map.createMarkers(
      { title: 'polar', location: { lat: 69.5, lon: 18 } },
      { title: 'tavu', location: { lat: -17, lon: 180 } },
    );
    expect(await map.searchTitles({ regionId: 'reg_nordlys-bay,reg_tavu-point', q: 'polar' })).toEqual(['polar']);
    expect(await map.searchTitles({ regionId: 'reg_tavu-point', yearTo: 3000 })).toEqual([]);
    for (const name of ['kind', 'status', 'medium', 'artistId', 'yearFrom', 'updatedSince', 'count', 'sort']) {
      await expectError({ [name]: 'nothing' }, name);
    }
  });
});
