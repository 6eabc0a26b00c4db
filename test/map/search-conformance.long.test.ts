import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewMarker } from '../../src/map/markers/markers.store.js';
import { createArtist } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';
import { computeExpectedIds, type SearchQuery } from '../support/search-oracle.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { ResponseBody } from '../support/test-server.js';

const MARKER_COUNT = 200_000;
const BATCH_SIZE = 2_000;

/** Common words first: a word is picked with a probability that falls with its place. */
const WORDS = 'the night of fox heron wall river a light paper amber crow mosaic harbour letter stair'.split(' ');
const PLANTED: Partial<NewMarker>[] = [
  { title: 'The Night Heron' },
  { title: 'the night heron' },
  { title: 'The Night Heron of the River' },
  { title: 'Großer Łódź Fuchs' },
  { title: '夜の壁画' },
  { title: 'Wave 🌊', tags: ['🌊', '海'] },
  { title: 'Untitled', description: 'A night heron on the wall of a mosaic.' },
  { title: 'Untitled', address: 'Night Heron Street 7' },
  { title: 'Untitled', tags: ['night heron'] },
];

const QUERIES: SearchQuery[] = [
  { q: 'the night heron' },
  { q: 'night heron' },
  { q: 'heron the night' },
  { q: 'anonymous heron' },
  { q: 'anonymous heron no17' },
  { q: 'grosser lodz' },
  { q: 'GROSSER ŁÓDŹ FUCHS' },
  { q: '壁画' },
  { q: '🌊' },
  { q: '海' },
  { q: 'untitled' },
  { q: 'n' },
  { q: 'no1' },
  { q: 'no17' },
  { q: 'the a of night fox' },
  { q: 'nothing at all' },
  { q: 'heron heron heron' },
  { q: 'night fox night' },
  { q: 'the river wall riv' },
  { q: 'riv river wall' },
  { q: '壁画 壁' },
  { q: 'by' },
  { q: 'by the' },
  { q: 'san marco' },
  { q: 'san marco', sort: 'id' },
  { q: 'marco san', status: 'gone' },
  { q: 'san marco', lat: 5, lon: 5, radius: 50_000, sort: 'relevance' },
  { q: 'heron', sort: 'id' },
  { q: 'the night heron', tag: 'fox' },
  { q: 'heron', tag: ['fox', 'river', 'amber'] },
  { q: 'night', bbox: '0,0,3,3', sort: 'relevance' },
  { q: 'night heron', lat: 5, lon: 5, radius: 50_000, sort: 'relevance' },
  { q: 'heron', lat: 5, lon: 5, radius: 20_000 },
  { q: 'heron', status: 'gone', kind: 'place' },
  { q: 'heron', yearFrom: 2024, sort: 'updatedAt' },
  { tag: ['fox', 'river', 'amber'], status: 'damaged' },
  { tag: 'fox', kind: 'place' },
  { bbox: '0,0,10,10', status: 'gone', medium: 'mosaic' },
  { lat: 5, lon: 5, radius: 50_000, medium: 'mosaic', status: 'gone' },
];

describe(`Search in ${MARKER_COUNT.toLocaleString('en')} markers`, () => {
  let map: MapFixture;
  let markers: ResponseBody[];

  beforeAll(async () => {
    map = await MapFixture.start();
    const heron = await createArtist(map.server, 'Anonymous Heron');
    const random = new SeededRandom(20_261_123);
    for (let from = 0; from < MARKER_COUNT; from += BATCH_SIZE) {
      const batch = Array.from({ length: BATCH_SIZE }, (_, index) => createMarker(random, from + index, heron.id));
      await map.createMarkers(...batch);
    }
    markers = await map.searchAllPages({ limit: 500 });
  }, 300_000);
  afterAll(() => map.stop());

  it('has all markers', () => {
    expect(markers).toHaveLength(MARKER_COUNT);
  });

  it.each(QUERIES)(
    'finds every match of %j in the expected order, and counts them',
    async (query) => {
      const expected = computeExpectedIds(markers, query);
      const found = await map.searchAllPages({ ...query, limit: 500 });
      expect(found.map(({ id }: ResponseBody) => id as string)).toEqual(expected);
      const { page } = (await map.search({ ...query, count: true, limit: 1 })).body;
      expect(page).toMatchObject({
        numberMatched: Math.min(expected.length, 10_000),
        numberMatchedIsLowerBound: expected.length > 10_000,
      });
    },
    600_000,
  );

  it.each(QUERIES.filter(({ q, lat }) => q !== undefined && lat === undefined))(
    'ends after the last possible row of %j',
    async (query) => {
      const { nextCursor } = (await map.search({ ...query, limit: 1 })).body.page as { nextCursor: string | null };
      if (nextCursor === null) return;
      const position = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[];
      position[position.length - 2] = 2 ** 31 - 1;
      const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
      expect((await map.search({ ...query, cursor, limit: 1 })).status).toBe(200);
    },
    30_000,
  );
});

/** Two words always occur together, so the database underestimates how often both occur. */
function createAddress(random: SeededRandom, pickWord: () => string, number: number): string | null {
  if (number % 20 === 7) return `San Marco ${number % 50}`;
  return random.randomBoolean(0.1) ? `${pickWord()} street ${number % 50}` : null;
}

function createMarker(random: SeededRandom, number: number, artistId: string): NewMarker {
  const pickWord = (): string => WORDS[Math.floor(random.next() ** 2 * WORDS.length)]!;
  const planted = number % 20_011 === 0 ? (PLANTED[number / 20_011] ?? {}) : {};
  return {
    title: `${pickWord()} ${pickWord()} ${pickWord()} no${number % 997}`,
    description: random.randomBoolean(0.3) ? `${pickWord()} ${pickWord()} by the ${pickWord()}` : null,
    address: createAddress(random, pickWord, number),
    tags: random.randomBoolean(0.5) ? [pickWord()] : [],
    location: { lat: Math.round(random.next() * 1e8) / 1e7, lon: Math.round(random.next() * 1e8) / 1e7 },
    status: random.pickOne(['present', 'present', 'damaged', 'gone']),
    medium: [random.pickOne(['mural', 'mosaic', 'stencil'])],
    year: 1990 + (number % 35),
    artistIds: number % 5_003 === 0 ? [artistId] : [],
    ...planted,
  };
}
