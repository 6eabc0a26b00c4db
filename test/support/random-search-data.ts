import type { NewMarker } from '../../src/map/markers/markers.store.js';
import type { SearchQuery } from './search-oracle.js';
import { SeededRandom } from './seeded-random.js';

const CITY_LOCATIONS = [
  { lat: 52.1, lon: 5 },
  { lat: 0, lon: 0 },
  { lat: -16.8, lon: 180 },
];
const WORDS = [
  'Fox',
  'foxes',
  'Łódź',
  'lodzer',
  'wall',
  'Wałl',
  'Straße',
  '壁画',
  '画',
  '赤い壁',
  'red',
  'Muñoz',
  '🦊',
  '🌊🦊',
];
const TAGS = ['fox', 'Łódź', 'lodz', 'night', '画', 'old wall'];
const STATUSES = ['present', 'damaged', 'gone', 'unknown'] as const;
const MEDIUMS = ['mural', 'stencil', 'paste_up', 'other'] as const;

/** Random markers and queries, the same in each run. */
export class RandomSearchData {
  private readonly random = new SeededRandom(20_260_103);

  constructor(
    private readonly artistIds: string[],
    private readonly regionIds: string[],
  ) {}

  createMarker(): NewMarker {
    return {
      title: this.pickWords(3),
      location: this.pickLocation(0.02),
      artistIds: this.pickSome(this.artistIds, 2),
      status: this.random.pickOne(STATUSES),
      medium: this.pickSome(MEDIUMS, 3),
      tags: this.pickSome(TAGS, 3),
      year: this.random.pickOne([null, 1990, 2000, 2010, 2020]),
      address: this.random.randomBoolean(0.3) ? this.pickWords(2) : null,
      description: this.random.randomBoolean(0.5) ? this.pickWords(6) : null,
      placeType: this.random.randomBoolean(0.2) ? this.random.pickOne(['gallery', 'legal wall']) : null,
    };
  }

  createQuery(since: string): SearchQuery {
    const candidates: [number, () => SearchQuery][] = [
      [0.4, () => ({ q: this.pickWords(2) })],
      [0.2, () => ({ kind: this.random.pickOne(['artwork', 'place']) })],
      [0.3, () => ({ status: [...this.pickSome(STATUSES, 3), 'present'] })],
      [0.1, () => ({ placeType: this.random.pickOne(['gallery', 'legal wall']) })],
      [0.2, () => ({ medium: ['mural', ...this.pickSome(MEDIUMS, 2)].join() })],
      [0.2, () => ({ artistId: [this.random.pickOne(this.artistIds), this.random.pickOne(this.artistIds)] })],
      [0.2, () => ({ regionId: this.random.pickOne(this.regionIds) })],
      [0.3, () => ({ tag: [this.random.pickOne(TAGS), this.random.pickOne(TAGS)].join() })],
      [0.2, () => ({ yearFrom: this.random.pickOne([1990, 1995, 2000, 2010]) })],
      [0.2, () => ({ yearTo: this.random.pickOne([2000, 2005, 2020]) })],
      [0.1, () => ({ updatedSince: since })],
    ];
    const filters = Object.assign(
      {},
      ...candidates.map(([chance, give]) => (this.random.randomBoolean(chance) ? give() : {})),
    ) as SearchQuery;
    const kind = this.random.next();
    if (kind < 0.3)
      return {
        ...filters,
        ...this.pickLocation(0.02),
        radius: this.random.pickOne([200, 900, 3000, 50_000]),
        ...('q' in filters && this.random.randomBoolean(0.5) && { sort: 'relevance' }),
      };
    if (kind < 0.7) filters['bbox'] = this.buildBoundingBox();
    return {
      ...filters,
      ...(this.random.randomBoolean(0.4) && {
        sort: this.random.pickOne(['id', 'updatedAt', 'q' in filters ? 'relevance' : 'id']),
      }),
    };
  }

  private pickLocation(spread: number): { lat: number; lon: number } {
    const { lat, lon } = this.random.pickOne(CITY_LOCATIONS);
    const off = (): number => Math.round((this.random.next() - 0.5) * spread * 1e4) / 1e4;
    const east = lon + off();
    const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
    return { lat: round(lat + off()), lon: round(east > 180 ? east - 360 : east) };
  }

  private buildBoundingBox(): string {
    if (this.random.randomBoolean(0.2)) return '-180,-90,180,90';
    const [one, other] = [this.pickLocation(0.02), this.pickLocation(0.02)];
    return [one.lon, Math.min(one.lat, other.lat), other.lon, Math.max(one.lat, other.lat)].join();
  }

  private pickWords(most: number): string {
    return Array.from({ length: 1 + Math.floor(this.random.next() * most) }, () => this.random.pickOne(WORDS)).join(
      ' ',
    );
  }

  private pickSome<T>(values: readonly T[], most: number): T[] {
    const count = Math.floor(this.random.next() * (most + 1));
    return [...new Set(Array.from({ length: count }, () => this.random.pickOne(values)))];
  }
}
