import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ImportProgressStore } from '../../map/markers/import-progress.store.js';
import { ARTWORK_STATUSES, MEDIUMS } from '../../map/markers/marker.entity.js';
import { MarkersStore, type NewMarker } from '../../map/markers/markers.store.js';
import { buildDemoId, readDemoData } from './demo-data.js';

/** Key of the progress in `marker_imports`. */
const PROGRESS_KEY = 'demo --scale';

/** Number of markers per transaction. */
const BATCH_SIZE = 1000;

/** Number in the id of the first generated marker. */
const FIRST_MARKER_NUMBER = 1_000_000;

const CITY_COUNT = 400;
const CITY_SPREAD_DEGREES = 0.15;

const WORDS =
  'wall fox heron night river copper window garden tide echo paper lantern stair bridge amber crow harbour mosaic letter shadow'.split(
    ' ',
  );

/** Generates a large map of artworks, clustered in cities, for load tests. */
@Injectable()
export class GeneratedMarkersService {
  constructor(
    private readonly markers: MarkersStore,
    private readonly progress: ImportProgressStore,
  ) {}

  /**
   * Generates markers until there are `count`. The markers are the same in every database. A
   * repeated call continues after an interrupted one.
   */
  async load(
    count: number,
    onProgress: (done: number, total: number) => void,
  ): Promise<{ loaded: number; before: number }> {
    const artistIds = readDemoData().artists.map(({ id }) => id);
    const before = await this.progress.find(PROGRESS_KEY);
    let counts = before;
    while (counts.processed < count) {
      const [from, size] = [counts.processed, Math.min(BATCH_SIZE, count - counts.processed)];
      const batch = Array.from({ length: size }, (_, index) => generateMarker(from + index, artistIds));
      const write = async (tx: EntityManager): Promise<number> => (await this.markers.createMany(tx, batch)).length;
      const written = await this.progress.writeBatch(PROGRESS_KEY, counts, size, write);
      if (!written) throw new Error('Another process is creating the same markers. Wait until it ends.');
      counts = written;
      onProgress(counts.processed, count);
    }
    return { loaded: counts.processed - before.processed, before: before.processed };
  }
}

/** Generates the artwork with a number, which is always the same. */
function generateMarker(number: number, artistIds: string[]): NewMarker {
  const random = createSeededRandom(number + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const city = createSeededRandom(-1 - Math.floor(random() ** 2 * CITY_COUNT));
  const [lat, lon] = [city() * 120 - 55, city() * 360 - 180];
  const spread = (): number => (random() + random() + random() - 1.5) * CITY_SPREAD_DEGREES;
  const [word, other, rare] = [pick(WORDS), pick(WORDS), `no${number % 9973}`];
  return {
    id: buildDemoId('mrk', FIRST_MARKER_NUMBER + number),
    title: `${word} ${other} ${rare}`,
    description: random() < 0.3 ? `A ${pick(WORDS)} beside the ${pick(WORDS)}.` : null,
    location: { lat: roundDegrees(lat + spread()), lon: roundDegrees(((lon + spread() + 540) % 360) - 180) },
    status: random() < 0.85 ? 'present' : pick(ARTWORK_STATUSES),
    medium: [pick(MEDIUMS)],
    year: 1980 + Math.floor(random() * 45),
    tags: [pick(WORDS), `series ${number % 997}`],
    artistIds: random() < 0.5 ? [pick(artistIds)] : [],
  };
}

function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
function createSeededRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
