import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewMarker } from '../../src/map/markers/markers.store.js';
import { createArtist } from '../support/factories.js';
import { type DensityThresholds, MapFixture } from '../support/map-fixture.js';
import { RandomSearchData } from '../support/random-search-data.js';
import { computeExpectedIds, type SearchQuery, toQueryString } from '../support/search-oracle.js';
import type { ResponseBody } from '../support/test-server.js';

const UNKNOWN_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const toIds = (markers: ResponseBody[]): string[] => markers.map(({ id }) => id as string);
describe('Search results after changes', () => {
  let map: MapFixture;

  beforeAll(async () => {
    map = await MapFixture.start();
  });
  afterAll(() => map.stop());

  it('match the current fields of a marker only', async () => {
    const [ann, bea] = [await createArtist(map.server), await createArtist(map.server)];
    const old: NewMarker = { title: 'Fox', tags: ['red'], artistIds: [ann.id], location: { lat: 40, lon: 40 } };
    const [other, marker] = await map.createMarkers({ title: 'other', location: { lat: 0, lon: 0 } }, old);
    const collections = (q: string, bbox: string, tag: string, artistId: string, status: string): SearchQuery[] =>
      Object.entries({ q, bbox, tag, artistId, status }).map(([name, value]) => ({ [name]: value }));
    const before = collections('fox', '40,40,40,40', 'RED', ann.id, 'present');
    const after = collections('owl', '-40,-40,-40,-40', 'blue', bea.id, 'gone');
    const matchEach = async (queries: SearchQuery[]): Promise<boolean[]> => {
      const collections = await Promise.all(queries.map((query) => map.searchAllPages(query)));
      return collections.map((list) => toIds(list).includes(marker!.id));
    };
    const [all, none] = [before.map(() => true), before.map(() => false)];
    expect([await matchEach(before), await matchEach(after)]).toEqual([all, none]);
    const location = { lat: -40, lon: -40 };
    await map.updateMarker(marker!.id, { title: 'Owl', location, tags: ['blue'], artistIds: [bea.id], status: 'gone' });
    expect([await matchEach(before), await matchEach(after)]).toEqual([none, all]);
    await map.setDeleted(marker!.id, true);
    expect([await matchEach(before), await matchEach(after)]).toEqual([none, none]);
    expect(await matchEach([{}, { lat: -40, lon: -40, radius: 5 }])).toEqual([false, false]);
    await map.setDeleted(marker!.id, false);
    expect([await matchEach(before), await matchEach(after)]).toEqual([none, all]);
    await map.updateMarker(marker!.id, { tags: null, artistIds: null });
    expect(await matchEach(after)).toEqual([true, true, false, false, true]);
    expect(toIds(await map.searchAllPages({}))).toEqual([other!.id, marker!.id]);
    expect(toIds(await map.searchAllPages({ sort: 'updatedAt', limit: 1 }))).toEqual([other!.id, marker!.id]);
  });

  it('are not affected by a rollback', async () => {
    const [marker] = await map.createMarkers({ title: 'Steady', tags: ['steady'], location: { lat: 41, lon: 41 } });
    const artistIds = [`art_${UNKNOWN_ULID}`];
    await expect(map.updateMarker(marker!.id, { tags: ['gone'], artistIds })).rejects.toThrow();
    expect(toIds(await map.searchAllPages({ q: 'steady', tag: 'steady', bbox: '41,41,41,41' }))).toEqual([marker!.id]);
    expect(await map.searchAllPages({ tag: 'gone' })).toEqual([]);
  });

  it('contain the markers that changed since a time, inclusive, the oldest change first', async () => {
    const markers = await map.createMarkers(
      ...['s1', 's2', 's3'].map((title) => ({ title, location: { lat: 42, lon: 42 } })),
    );
    await map.updateMarker(markers[1]!.id, { year: 2001 });
    await map.updateMarker(markers[0]!.id, { year: 2001 });
    const list = await map.searchAllPages({ updatedSince: '2020-01-01T01:00:00+01:00', limit: 1, bbox: '42,42,42,42' });
    expect(toIds(list)).toEqual([markers[2], markers[1], markers[0]].map((marker) => marker!.id));
    const { updatedAt: since } = list[1];
    const rest = list.filter(({ updatedAt }) => updatedAt >= since);
    expect(toIds(await map.searchAllPages({ updatedSince: since, bbox: '42,42,42,42' }))).toEqual(toIds(rest));
  });

  const LISTS: SearchQuery[] = [
    { bbox: '59,59,61,61' },
    { q: 'work', bbox: '59,59,61,61' },
    { q: 'work' },
    { q: 'work', lat: 60, lon: 60, radius: 50_000, sort: 'relevance' },
    { lat: 60, lon: 60, radius: 50_000 },
    { tag: 'page', sort: 'id' },
    { updatedSince: '2020-01-01T00:00:00Z' },
  ];
  it.each(LISTS)(
    'page through %j, and contain each remaining marker once while markers are created and deleted',
    async (query) => {
      const work = (n: number): NewMarker => ({
        title: `Work ${n % 3}`,
        tags: ['page'],
        location: { lat: 60 + ((n * 7) % 11) / 1e3, lon: 60 + ((n * 5) % 13) / 1e3 },
      });
      await map.createMarkers(...Array.from({ length: 40 }, (_, n) => work(n)));
      const atStart = toIds(await map.searchAllPages(query));
      const removed = atStart.filter((_, index) => index % 6 === 2);
      const results: string[] = [];
      for (let cursor: string | null | undefined, page = 0; cursor !== null; page++) {
        const { body } = await map.search({ ...query, limit: page === 2 ? 11 : 7, ...(cursor && { cursor }) });
        results.push(...toIds(body.data));
        cursor = body.page.nextCursor as string | null;
        if (page > 3) continue;
        for (const id of [removed.shift(), removed.pop()]) if (id) await map.setDeleted(id, true);
        await map.createMarkers(work(page), work(page + 5));
      }
      const remaining = new Set(toIds(await map.searchAllPages(query)));
      const stayed = atStart.filter((id) => remaining.has(id));
      expect(stayed.length).toBeGreaterThan(20);
      expect(results.filter((id) => stayed.includes(id))).toEqual(stayed);
      expect(new Set(results).size).toBe(results.length);
    },
  );

  it('reject cursors of other filters and sort orders, and invalid positions', async () => {
    const rejection = async (query: SearchQuery): Promise<void> => {
      const { status, body } = await map.search(query);
      expect([toQueryString(query), status, body.code]).toEqual([toQueryString(query), 400, 'invalid_cursor']);
    };
    for (const query of LISTS) {
      const cursor = (await map.search({ ...query, limit: 3 })).body.page.nextCursor as string;
      for (const other of LISTS) if (other !== query) await rejection({ ...other, cursor });
      await rejection({ ...query, cursor, status: 'present' });
      const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      const [list, rowNumber, ...values] = parts.toReversed();
      const malformed = [
        [],
        [list],
        [...values, rowNumber, 1, list],
        [rowNumber, rowNumber, rowNumber, rowNumber, list],
        [...values, rowNumber, 'x'],
      ];
      for (const invalid of [-1, 1.5, 2 ** 31, 'x', null]) malformed.push([...values, invalid, list]);
      for (const invalid of ['x', 1e300, null]) if (values.length > 0) malformed.push([invalid, rowNumber, list]);
      const isByRank = query.q !== undefined && values.length > 0;
      if (isByRank)
        for (const rank of [1e15, 2 ** 31, -(2 ** 31), -1, 7])
          malformed.push([rank, ...values.slice(1), rowNumber, list]);
      for (const position of [...malformed, {}, 7, null]) {
        await rejection({ ...query, cursor: Buffer.from(JSON.stringify(position)).toString('base64url') });
      }
    }
  });
});

describe('Random searches', () => {
  let map: MapFixture;
  let byDefault: DensityThresholds;
  let markers: ResponseBody[];
  let queries: SearchQuery[];

  beforeAll(async () => {
    map = await MapFixture.start();
    const { regions, artists } = await map.createRegionsAndArtists();
    const random = new RandomSearchData(artists, regions);
    for (let batch = 0; batch < 8; batch++) {
      await map.createMarkers(...Array.from({ length: 50 }, () => random.createMarker()));
      if (batch === 3) await map.skipSequenceTo(300_000);
    }
    byDefault = map.setDensityThresholds({ few: 1, many: 1 });
    markers = await map.searchAllPages({ limit: 500 });
    queries = Array.from({ length: 150 }, () => random.createQuery(markers[200]!.updatedAt as string));
  });
  afterAll(() => map.stop());

  it.each(['as many as by default', { few: 5, many: 20 }, { few: 1, many: 1 }])(
    'return the same markers in the same order as the search oracle with the thresholds %j',
    async (density) => {
      map.setDensityThresholds(typeof density === 'string' ? byDefault : density);
      expect(markers).toHaveLength(400);
      const counts: number[] = [];
      for (const [n, query] of queries.entries()) {
        const expected = computeExpectedIds(markers, query);
        const limit = 1 + (n % 40) + (expected.length >> 3);
        expect({ query, ids: toIds(await map.searchAllPages({ ...query, limit })) }).toEqual({ query, ids: expected });
        const { numberMatched, numberMatchedIsLowerBound } = (await map.search({ ...query, count: true, limit: 1 }))
          .body.page;
        // A count ends early on a busy machine.
        const counted = numberMatchedIsLowerBound ? expected.slice(0, numberMatched as number) : expected;
        expect([query, numberMatched]).toEqual([query, counted.length]);
        counts.push(expected.length);
      }
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(75);
    },
  );
});
