import { Transactions } from '../../src/database/transactions.js';
import type { Authorship } from '../../src/history/history.service.js';
import type { ArtworkFields } from '../../src/markers/marker.dto.js';
import type { Marker } from '../../src/markers/marker.entity.js';
import { MarkersStore, type NewMarker } from '../../src/markers/markers-store.js';
import { RegionsService } from '../../src/markers/regions.service.js';
import { SEARCH_ADAPTER } from '../../src/markers/search/search-adapter.js';
import { newId } from '../../src/database/ids.js';
import { fold } from '../../src/search/fold.js';
import { newAccount, newArtist, newToken } from './factories.js';
import { onPostgres } from './database.js';
import { type Answer, type Body, Service } from './service.js';

/** A map of a test's own, who looks at it, and what changes it. */
export class MapFixture {
  private constructor(
    readonly service: Service,
    readonly token: string,
    private readonly authorId: string,
  ) {}

  static async start(): Promise<MapFixture> {
    const service = await Service.start();
    const token = await newToken(service, ['markers:read', 'artists:read']);
    return new MapFixture(service, token, (await newAccount(service)).id);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.service.call('GET', `/api${path}`, { token: this.token, headers });
  }

  find(query: Query): Promise<Answer> {
    return this.get(`/markers?${queryText(query)}`);
  }

  async titles(query: Query): Promise<string[]> {
    return (await this.all(query)).map(({ title }: Body) => title as string);
  }

  /** All that is found, page by page. */
  async all(query: Query, path = '/markers'): Promise<Body[]> {
    const found: Body[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const answer = await this.get(`${path}?${queryText({ ...query, ...(cursor && { cursor }) })}`);
      if (answer.status !== 200) throw new Error(`${queryText(query)} is answered ${JSON.stringify(answer.body)}`);
      found.push(...(answer.body.data as Body[]));
      cursor = answer.body.page.nextCursor as string | null;
    }
    return found;
  }

  /** Puts markers onto the map in one transaction, in this order. */
  add(...markers: NewMarker[]): Promise<Marker[]> {
    return this.service.get(Transactions).run((tx) => this.service.get(MarkersStore).createAll(tx, markers));
  }

  change(id: string, fields: ArtworkFields): Promise<void> {
    return this.service.get(Transactions).run(async (tx) => {
      const markers = this.service.get(MarkersStore);
      await markers.change(tx, (await markers.hold(tx, id))!, fields, this.byEdit());
    });
  }

  setDeleted(id: string, isDeleted: boolean): Promise<void> {
    return this.service.get(Transactions).run(async (tx) => {
      const markers = this.service.get(MarkersStore);
      await markers.setDeleted(tx, (await markers.hold(tx, id))!, isDeleted ? new Date() : null, this.byEdit());
    });
  }

  /** From how many rows on a search is dense, so that a small map is searched as a large one is. */
  setDensity({ few, many }: Density): Density {
    const adapter = this.service.get<Density>(SEARCH_ADAPTER as never);
    const before = { few: adapter.few, many: adapter.many };
    Object.assign(adapter, { few, many });
    return before;
  }

  /** Lets the numbers of markers to come begin far beyond those of the markers that there are. */
  async leaveGap(next: number): Promise<void> {
    const [{ id }] = (await this.add({ title: 'far away', location: { lat: 0, lon: 0 } })) as [Marker];
    await this.setDeleted(id, true);
    await this.service.get(Transactions).run(async (tx) => {
      await tx.query(`UPDATE marker_search SET seq = ${next} WHERE marker_id = '${id}'`);
      if (!onPostgres) return;
      await tx.query(`ALTER TABLE marker_search ALTER COLUMN seq RESTART WITH ${next + 1}`);
    });
  }

  async addRegionsAndArtists(): Promise<{ regions: string[]; artists: string[] }> {
    const regions = this.service.get(RegionsService);
    const [one, other] = [
      await regions.create('One', [4.9, 52, 5, 53]),
      await regions.create('Two', [179, -17, -179, -16]),
    ];
    const artists = [await newArtist(this.service), await newArtist(this.service), await newArtist(this.service)];
    return { regions: [one.id, other.id], artists: artists.map(({ id }) => id) };
  }

  private byEdit(): Authorship {
    return { editId: newId('edt'), authorId: this.authorId, at: new Date() };
  }
}

export interface Density {
  few: number;
  many: number;
}

export type Query = Record<string, string | number | boolean | string[]>;

/** A list stands for a name that is repeated. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return new URLSearchParams(pairs).toString();
}

/** The ids that a query finds among markers in the order in which they came onto the map. */
export function expectedIds(markers: Body[], query: Query): string[] {
  const found = markers.filter((marker) => fits(marker, query));
  const sort = query['sort'] ?? ('lat' in query ? 'distance' : defaultSort(query));
  const value: Record<string, (marker: Body) => number> = {
    id: () => 0,
    distance: (marker) => distanceTo(marker, query),
    updatedAt: (marker) => Date.parse(marker.updatedAt as string),
    relevance: (marker) => -rankIn(marker, String(query['q'])),
  };
  const by = value[String(sort)]!;
  return found
    .map((marker, at) => ({ id: marker.id as string, value: by(marker), at }))
    .sort((one, other) => one.value - other.value || one.at - other.at)
    .map(({ id }) => id);
}

function defaultSort(query: Query): string {
  if ('updatedSince' in query) return 'updatedAt';
  return 'q' in query && !('bbox' in query) ? 'relevance' : 'id';
}

function fits(marker: Body, query: Query): boolean {
  const { kind, status, placeType, medium, artists, region, tags, year, updatedAt } = marker;
  const artistId = artists.map(({ id }: Body) => id as string);
  const held = { kind, status, placeType, medium, artistId, regionId: region?.id, tag: tags.map(fold) };
  const isOneOf = ([name, values]: [string, unknown]): boolean =>
    !(name in query) || listOf(query, name).some((value) => [values].flat().includes(value));
  const passes = (name: string, isFine: (value: string) => boolean): boolean =>
    !(name in query) || isFine(String(query[name]));
  return (
    Object.entries(held).every(isOneOf) &&
    passes('yearFrom', (from) => year !== null && year >= Number(from)) &&
    passes('yearTo', (to) => year !== null && year <= Number(to)) &&
    passes('updatedSince', (since) => Date.parse(updatedAt) >= Date.parse(since)) &&
    passes('bbox', (box) => isIn(marker, box.split(',').map(Number))) &&
    passes('radius', (radius) => distanceTo(marker, query) <= Number(radius)) &&
    passes('q', (q) => holds(textsOf(marker), q))
  );
}

function listOf(query: Query, name: string): string[] {
  const values = [query[name]].flat().join().split(',');
  return name === 'tag' ? values.map(fold) : values;
}

function isIn({ location: { lat, lon } }: Body, [west, south, east, north]: number[]): boolean {
  const within = west! <= east! ? west! <= lon && lon <= east! : lon >= west! || lon <= east!;
  return within && south! <= lat && lat <= north!;
}

/** By the chord between the two, in whole millimetres. */
function distanceTo({ location }: Body, query: Query): number {
  const onSphere = (lat: number, lon: number): number[] => {
    const [y, x] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)];
  };
  const [one, other] = [onSphere(location.lat, location.lon), onSphere(Number(query['lat']), Number(query['lon']))];
  const chord = Math.hypot(...one.map((value, at) => value - other[at]!));
  return Math.round(2 * Math.asin(chord / 2) * 6_371_008.8 * 1000) / 1000;
}

function textsOf({ title, placeType, address, tags, description }: Body): string[] {
  return [title, placeType ?? '', address ?? '', tags.join(', '), description ?? ''].map(spaced);
}

/** Words with a space before and behind each, and so each letter of those that need none. */
function spaced(text: string): string {
  const words = fold(text).replace(/[^\p{L}\p{N}]+/gu, ' ');
  return ` ${words
    .replace(/[\u3040-\u30ff\u4e00-\u9fff]/g, ' $& ')
    .replace(/ +/g, ' ')
    .trim()} `.replace(/^ +$/, ' ');
}

/** Each term of a search, as far as it is looked for. */
function termsIn(q: string): string[] {
  const terms = q
    .split(' ')
    .flatMap((term) => fold(term).match(/[\u3040-\u30ff\u4e00-\u9fff]+|[^\u3040-\u30ff\u4e00-\u9fff]+/g) ?? []);
  return terms.map((term, at) => (at === terms.length - 1 ? spaced(term).trimEnd() : spaced(term)));
}

function holds(texts: string[], q: string): boolean {
  return termsIn(q).every((term) => texts.some((text) => text.includes(term)));
}

function rankIn(marker: Body, q: string): number {
  const title = textsOf(marker)[0]!;
  if (title === spaced(q)) return 4;
  if (title.startsWith(spaced(q).trimEnd())) return 3;
  const held = termsIn(q).filter((term) => title.includes(term)).length;
  return held === termsIn(q).length ? 2 : Math.min(held, 1);
}
