import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewMarker } from '../../src/map/markers/markers.store.js';
import { createArtist } from '../support/factories.js';
import {
  type DensityThresholds,
  computeExpectedIds,
  MapFixture,
  type SearchQuery,
  toQueryString,
} from '../support/map-fixture.js';
import type { ResponseBody } from '../support/test-server.js';

const UNKNOWN_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const toIds = (found: ResponseBody[]): string[] => found.map(({ id }) => id as string);
describe('Markers that change, and the lists that they stand in', () => {
  let map: MapFixture;

  beforeAll(async () => {
    map = await MapFixture.start();
  });
  afterAll(() => map.stop());

  it('finds a marker by what it is now, and by nothing that it was', async () => {
    const [ann, bea] = [await createArtist(map.server), await createArtist(map.server)];
    const old: NewMarker = { title: 'Fox', tags: ['red'], artistIds: [ann.id], location: { lat: 40, lon: 40 } };
    const [other, marker] = await map.createMarkers({ title: 'other', location: { lat: 0, lon: 0 } }, old);
    const lists = (q: string, bbox: string, tag: string, artistId: string, status: string): SearchQuery[] =>
      Object.entries({ q, bbox, tag, artistId, status }).map(([name, value]) => ({ [name]: value }));
    const before = lists('fox', '40,40,40,40', 'RED', ann.id, 'present');
    const after = lists('owl', '-40,-40,-40,-40', 'blue', bea.id, 'gone');
    const found = async (queries: SearchQuery[]): Promise<boolean[]> => {
      const lists = await Promise.all(queries.map((query) => map.searchAllPages(query)));
      return lists.map((list) => toIds(list).includes(marker!.id));
    };
    const [all, none] = [before.map(() => true), before.map(() => false)];
    expect([await found(before), await found(after)]).toEqual([all, none]);
    const location = { lat: -40, lon: -40 };
    await map.updateMarker(marker!.id, { title: 'Owl', location, tags: ['blue'], artistIds: [bea.id], status: 'gone' });
    expect([await found(before), await found(after)]).toEqual([none, all]);
    await map.setDeleted(marker!.id, true);
    expect([await found(before), await found(after)]).toEqual([none, none]);
    expect(await found([{}, { lat: -40, lon: -40, radius: 5 }])).toEqual([false, false]);
    await map.setDeleted(marker!.id, false);
    expect([await found(before), await found(after)]).toEqual([none, all]);
    await map.updateMarker(marker!.id, { tags: null, artistIds: null });
    expect(await found(after)).toEqual([true, true, false, false, true]);
    expect(toIds(await map.searchAllPages({}))).toEqual([other!.id, marker!.id]);
    expect(toIds(await map.searchAllPages({ sort: 'updatedAt', limit: 1 }))).toEqual([other!.id, marker!.id]);
  });

  it('leaves no trace in any list of a change that was rolled back', async () => {
    const [marker] = await map.createMarkers({ title: 'Steady', tags: ['steady'], location: { lat: 41, lon: 41 } });
    const artistIds = [`art_${UNKNOWN_ULID}`];
    await expect(map.updateMarker(marker!.id, { tags: ['gone'], artistIds })).rejects.toThrow();
    expect(toIds(await map.searchAllPages({ q: 'steady', tag: 'steady', bbox: '41,41,41,41' }))).toEqual([marker!.id]);
    expect(await map.searchAllPages({ tag: 'gone' })).toEqual([]);
  });

  it('lists what was changed since a moment, that moment included, the longest ago first', async () => {
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

  const lists: SearchQuery[] = [
    { bbox: '59,59,61,61' },
    { q: 'work', bbox: '59,59,61,61' },
    { q: 'work' },
    { lat: 60, lon: 60, radius: 50_000 },
    { tag: 'page', sort: 'id' },
    { updatedSince: '2020-01-01T00:00:00Z' },
  ];
  it.each(lists)('pages through %j, while markers come and go, and shows what stays once', async (query) => {
    const work = (n: number): NewMarker => ({
      title: `Work ${n % 3}`,
      tags: ['page'],
      location: { lat: 60 + ((n * 7) % 11) / 1e3, lon: 60 + ((n * 5) % 13) / 1e3 },
    });
    await map.createMarkers(...Array.from({ length: 40 }, (_, n) => work(n)));
    const atStart = toIds(await map.searchAllPages(query));
    const removed = atStart.filter((_, at) => at % 6 === 2);
    const seen: string[] = [];
    for (let cursor: string | null | undefined, page = 0; cursor !== null; page++) {
      const { body } = await map.search({ ...query, limit: page === 2 ? 11 : 7, ...(cursor && { cursor }) });
      seen.push(...toIds(body.data));
      cursor = body.page.nextCursor as string | null;
      if (page > 3) continue;
      for (const id of [removed.shift(), removed.pop()]) if (id) await map.setDeleted(id, true);
      await map.createMarkers(work(page), work(page + 5));
    }
    const left = new Set(toIds(await map.searchAllPages(query)));
    const stayed = atStart.filter((id) => left.has(id));
    expect(stayed.length).toBeGreaterThan(20);
    expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('refuses cursors of other filters and orders, and positions that there are none of', async () => {
    const refused = async (query: SearchQuery): Promise<void> => {
      const { status, body } = await map.search(query);
      expect([toQueryString(query), status, body.code]).toEqual([toQueryString(query), 400, 'invalid_cursor']);
    };
    for (const query of lists) {
      const cursor = (await map.search({ ...query, limit: 3 })).body.page.nextCursor as string;
      for (const other of lists) if (other !== query) await refused({ ...other, cursor });
      await refused({ ...query, cursor, status: 'present' });
      const [value, seq, list] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      const spoiled = [[], [value, list], [value, seq, 1, list], [value, -1, list], [value, 1.5, list]];
      spoiled.push([value, 2 ** 31, list], ['x', seq, list], [1e300, seq, list], [null, seq, list], [value, seq, 'x']);
      for (const position of [...spoiled, {}, 7, null]) {
        await refused({ ...query, cursor: Buffer.from(JSON.stringify(position)).toString('base64url') });
      }
    }
  });
});

describe('What many searches find by chance', () => {
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
    'is what looking at each marker finds, in the same order, where %j are dense',
    async (density) => {
      map.setDensityThresholds(typeof density === 'string' ? byDefault : density);
      expect(markers).toHaveLength(400);
      const found: number[] = [];
      for (const [n, query] of queries.entries()) {
        const expected = computeExpectedIds(markers, query);
        const limit = 1 + (n % 40) + (expected.length >> 3);
        expect({ query, ids: toIds(await map.searchAllPages({ ...query, limit })) }).toEqual({ query, ids: expected });
        const { numberMatched } = (await map.search({ ...query, count: true, limit: 1 })).body.page;
        expect([query, numberMatched]).toEqual([query, expected.length]);
        found.push(expected.length);
      }
      expect(found.filter((count) => count > 0).length).toBeGreaterThan(75);
    },
  );
});

const CITY_LOCATIONS = [
  { lat: 52.1, lon: 5 },
  { lat: 0, lon: 0 },
  { lat: -16.8, lon: 180 },
];
const WORDS = ['Fox', 'foxes', 'Łódź', 'lodzer', 'wall', 'Wałl', 'Straße', '壁画', '画', '赤い壁', 'red', 'Muñoz'];
const TAGS = ['fox', 'Łódź', 'lodz', 'night', '画', 'old wall'];
const STATUSES = ['present', 'damaged', 'gone', 'unknown'] as const;
const MEDIUMS = ['mural', 'stencil', 'paste_up', 'other'] as const;

/** Markers and queries by chance, the same in each run. */
class RandomSearchData {
  private state = 20_260_103;
  constructor(
    private readonly artistIds: string[],
    private readonly regionIds: string[],
  ) {}

  createMarker(): NewMarker {
    return {
      title: this.pickWords(3),
      location: this.pickLocation(0.02),
      artistIds: this.pickSome(this.artistIds, 2),
      status: this.pickOne(STATUSES),
      medium: this.pickSome(MEDIUMS, 3),
      tags: this.pickSome(TAGS, 3),
      year: this.pickOne([null, 1990, 2000, 2010, 2020]),
      address: this.randomBoolean(0.3) ? this.pickWords(2) : null,
      description: this.randomBoolean(0.5) ? this.pickWords(6) : null,
      placeType: this.randomBoolean(0.2) ? this.pickOne(['gallery', 'legal wall']) : null,
    };
  }

  createQuery(since: string): SearchQuery {
    const given: [number, () => SearchQuery][] = [
      [0.4, () => ({ q: this.pickWords(2) })],
      [0.2, () => ({ kind: this.pickOne(['artwork', 'place']) })],
      [0.3, () => ({ status: [...this.pickSome(STATUSES, 3), 'present'] })],
      [0.1, () => ({ placeType: this.pickOne(['gallery', 'legal wall']) })],
      [0.2, () => ({ medium: ['mural', ...this.pickSome(MEDIUMS, 2)].join() })],
      [0.2, () => ({ artistId: [this.pickOne(this.artistIds), this.pickOne(this.artistIds)] })],
      [0.2, () => ({ regionId: this.pickOne(this.regionIds) })],
      [0.3, () => ({ tag: [this.pickOne(TAGS), this.pickOne(TAGS)].join() })],
      [0.2, () => ({ yearFrom: this.pickOne([1990, 1995, 2000, 2010]) })],
      [0.2, () => ({ yearTo: this.pickOne([2000, 2005, 2020]) })],
      [0.1, () => ({ updatedSince: since })],
    ];
    const filters = Object.assign(
      {},
      ...given.map(([chance, give]) => (this.randomBoolean(chance) ? give() : {})),
    ) as SearchQuery;
    const kind = this.nextRandom();
    if (kind < 0.3) return { ...filters, ...this.pickLocation(0.02), radius: this.pickOne([200, 900, 3000, 50_000]) };
    if (kind < 0.7) filters['bbox'] = this.buildBoundingBox();
    return {
      ...filters,
      ...(this.randomBoolean(0.4) && { sort: this.pickOne(['id', 'updatedAt', 'q' in filters ? 'relevance' : 'id']) }),
    };
  }

  private pickLocation(spread: number): { lat: number; lon: number } {
    const { lat, lon } = this.pickOne(CITY_LOCATIONS);
    const off = (): number => Math.round((this.nextRandom() - 0.5) * spread * 1e4) / 1e4;
    const east = lon + off();
    const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
    return { lat: round(lat + off()), lon: round(east > 180 ? east - 360 : east) };
  }

  private buildBoundingBox(): string {
    if (this.randomBoolean(0.2)) return '-180,-90,180,90';
    const [one, other] = [this.pickLocation(0.02), this.pickLocation(0.02)];
    return [one.lon, Math.min(one.lat, other.lat), other.lon, Math.max(one.lat, other.lat)].join();
  }

  private pickWords(most: number): string {
    return Array.from({ length: 1 + Math.floor(this.nextRandom() * most) }, () => this.pickOne(WORDS)).join(' ');
  }

  private pickSome<T>(values: readonly T[], most: number): T[] {
    const count = Math.floor(this.nextRandom() * (most + 1));
    return [...new Set(Array.from({ length: count }, () => this.pickOne(values)))];
  }

  private pickOne<T>(values: readonly T[]): T {
    return values[Math.floor(this.nextRandom() * values.length)]!;
  }

  private randomBoolean(of: number): boolean {
    return this.nextRandom() < of;
  }

  private nextRandom(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
