import { TransactionService } from '../../src/platform/database/transaction.service.js';
import type { Authorship } from '../../src/map/history/history.service.js';
import type { ArtworkFields } from '../../src/map/markers/marker.dto.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { MarkersStore, type NewMarker } from '../../src/map/markers/markers.store.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { SEARCH_ADAPTER, type SearchAdapter } from '../../src/map/markers/search/search-adapter.js';
import { generateId } from '../../src/platform/database/ids.js';
import { foldText } from '../../src/map/text-search/text-folding.js';
import { createAccount, createArtist, issueAccessToken } from './factories.js';
import { isPostgres } from './database.js';
import { type TestResponse, type ResponseBody, TestServer } from './test-server.js';

/** A map of a test's own, who looks at it, and what changes it. */
export class MapFixture {
  private constructor(
    readonly server: TestServer,
    readonly token: string,
    private readonly authorId: string,
  ) {}

  static async start(): Promise<MapFixture> {
    const service = await TestServer.start();
    const token = await issueAccessToken(service, ['markers:read', 'artists:read']);
    return new MapFixture(service, token, (await createAccount(service)).id);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  get(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.server.request('GET', `/api${path}`, { token: this.token, headers });
  }

  search(query: SearchQuery): Promise<TestResponse> {
    return this.get(`/markers?${toQueryString(query)}`);
  }

  async searchTitles(query: SearchQuery): Promise<string[]> {
    return (await this.searchAllPages(query)).map(({ title }: ResponseBody) => title as string);
  }

  /** All that is found, page by page. */
  async searchAllPages(query: SearchQuery, path = '/markers'): Promise<ResponseBody[]> {
    const found: ResponseBody[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const answer = await this.get(`${path}?${toQueryString({ ...query, ...(cursor && { cursor }) })}`);
      if (answer.status !== 200) throw new Error(`${toQueryString(query)} is answered ${JSON.stringify(answer.body)}`);
      found.push(...(answer.body.data as ResponseBody[]));
      cursor = answer.body.page.nextCursor as string | null;
    }
    return found;
  }

  /** Puts markers onto the map in one transaction, in this order. */
  createMarkers(...markers: NewMarker[]): Promise<Marker[]> {
    return this.server.get(TransactionService).run((tx) => this.server.get(MarkersStore).createMany(tx, markers));
  }

  updateMarker(id: string, fields: ArtworkFields): Promise<void> {
    return this.server.get(TransactionService).run(async (tx) => {
      const markers = this.server.get(MarkersStore);
      await markers.update(tx, (await markers.findForUpdate(tx, id))!, fields, this.createAuthorship());
    });
  }

  setDeleted(id: string, isDeleted: boolean): Promise<void> {
    return this.server.get(TransactionService).run(async (tx) => {
      const markers = this.server.get(MarkersStore);
      await markers.setDeleted(
        tx,
        (await markers.findForUpdate(tx, id))!,
        isDeleted ? new Date() : null,
        this.createAuthorship(),
      );
    });
  }

  /** From how many rows on a search is dense, so that a small map is searched as a large one is. */
  setDensityThresholds({ few, many }: DensityThresholds): DensityThresholds {
    const adapter = this.server.get<SearchAdapter>(SEARCH_ADAPTER as never);
    const before = { few: adapter.maxRowsToSort, many: adapter.maxRowsToSortAfterScan };
    Object.assign(adapter, { maxRowsToSort: few, maxRowsToSortAfterScan: many });
    return before;
  }

  /** Lets the numbers of markers to come begin far beyond those of the markers that there are. */
  async skipSequenceTo(next: number): Promise<void> {
    const [{ id }] = (await this.createMarkers({ title: 'far away', location: { lat: 0, lon: 0 } })) as [Marker];
    await this.setDeleted(id, true);
    await this.server.get(TransactionService).run(async (tx) => {
      await tx.query(`UPDATE marker_search SET seq = ${next} WHERE marker_id = '${id}'`);
      if (!isPostgres) return;
      await tx.query(`ALTER TABLE marker_search ALTER COLUMN seq RESTART WITH ${next + 1}`);
    });
  }

  async createRegionsAndArtists(): Promise<{ regions: string[]; artists: string[] }> {
    const regions = this.server.get(RegionsService);
    const [one, other] = [
      await regions.findOrCreate('One', [4.9, 52, 5, 53]),
      await regions.findOrCreate('Two', [179, -17, -179, -16]),
    ];
    const artists = [await createArtist(this.server), await createArtist(this.server), await createArtist(this.server)];
    return { regions: [one.id, other.id], artists: artists.map(({ id }) => id) };
  }

  private createAuthorship(): Authorship {
    return { editId: generateId('edt'), authorId: this.authorId, createdAt: new Date() };
  }
}

export interface DensityThresholds {
  few: number;
  many: number;
}

export type SearchQuery = Record<string, string | number | boolean | string[]>;

/** A list stands for a name that is repeated. */
export function toQueryString(query: SearchQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return new URLSearchParams(pairs).toString();
}

/** The ids that a query finds among markers in the order in which they came onto the map. */
export function computeExpectedIds(markers: ResponseBody[], query: SearchQuery): string[] {
  const found = markers.filter((marker) => matchesQuery(marker, query));
  const sort = query['sort'] ?? ('lat' in query ? 'distance' : resolveDefaultSort(query));
  const value: Record<string, (marker: ResponseBody) => number> = {
    id: () => 0,
    distance: (marker) => computeDistance(marker, query),
    updatedAt: (marker) => Date.parse(marker.updatedAt as string),
    relevance: (marker) => -computeRank(marker, String(query['q'])),
  };
  const by = value[String(sort)]!;
  return found
    .map((marker, at) => ({ id: marker.id as string, value: by(marker), at }))
    .sort((one, other) => one.value - other.value || one.at - other.at)
    .map(({ id }) => id);
}

function resolveDefaultSort(query: SearchQuery): string {
  if ('updatedSince' in query) return 'updatedAt';
  return 'q' in query && !('bbox' in query) ? 'relevance' : 'id';
}

function matchesQuery(marker: ResponseBody, query: SearchQuery): boolean {
  const { kind, status, placeType, medium, artists, region, tags, year, updatedAt } = marker;
  const artistId = artists.map(({ id }: ResponseBody) => id as string);
  const held = { kind, status, placeType, medium, artistId, regionId: region?.id, tag: tags.map(foldText) };
  const isOneOf = ([name, values]: [string, unknown]): boolean =>
    !(name in query) || parseList(query, name).some((value) => [values].flat().includes(value));
  const passes = (name: string, isFine: (value: string) => boolean): boolean =>
    !(name in query) || isFine(String(query[name]));
  return (
    Object.entries(held).every(isOneOf) &&
    passes('yearFrom', (from) => year !== null && year >= Number(from)) &&
    passes('yearTo', (to) => year !== null && year <= Number(to)) &&
    passes('updatedSince', (since) => Date.parse(updatedAt) >= Date.parse(since)) &&
    passes('bbox', (box) => isInBoundingBox(marker, box.split(',').map(Number))) &&
    passes('radius', (radius) => computeDistance(marker, query) <= Number(radius)) &&
    passes('q', (q) => containsAllTerms(collectSearchTexts(marker), q))
  );
}

function parseList(query: SearchQuery, name: string): string[] {
  const values = [query[name]].flat().join().split(',');
  return name === 'tag' ? values.map(foldText) : values;
}

function isInBoundingBox({ location: { lat, lon } }: ResponseBody, [west, south, east, north]: number[]): boolean {
  const within = west! <= east! ? west! <= lon && lon <= east! : lon >= west! || lon <= east!;
  return within && south! <= lat && lat <= north!;
}

/** By the chord between the two, in whole millimetres. */
function computeDistance({ location }: ResponseBody, query: SearchQuery): number {
  const onSphere = (lat: number, lon: number): number[] => {
    const [y, x] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)];
  };
  const [one, other] = [onSphere(location.lat, location.lon), onSphere(Number(query['lat']), Number(query['lon']))];
  const chord = Math.hypot(...one.map((value, at) => value - other[at]!));
  return Math.round(2 * Math.asin(chord / 2) * 6_371_008.8 * 1000) / 1000;
}

function collectSearchTexts({ title, placeType, address, tags, description }: ResponseBody): string[] {
  return [title, placeType ?? '', address ?? '', tags.join(', '), description ?? ''].map(padTokens);
}

/** Words with a space before and behind each, and so each letter of those that need none. */
function padTokens(text: string): string {
  const words = foldText(text).replace(/[^\p{L}\p{N}]+/gu, ' ');
  return ` ${words
    .replace(/[\u3040-\u30ff\u4e00-\u9fff]/g, ' $& ')
    .replace(/ +/g, ' ')
    .trim()} `.replace(/^ +$/, ' ');
}

/** Each term of a search, as far as it is looked for. */
function parseSearchTerms(q: string): string[] {
  const terms = q
    .split(' ')
    .flatMap((term) => foldText(term).match(/[\u3040-\u30ff\u4e00-\u9fff]+|[^\u3040-\u30ff\u4e00-\u9fff]+/g) ?? []);
  return terms.map((term, at) => (at === terms.length - 1 ? padTokens(term).trimEnd() : padTokens(term)));
}

function containsAllTerms(texts: string[], q: string): boolean {
  return parseSearchTerms(q).every((term) => texts.some((text) => text.includes(term)));
}

function computeRank(marker: ResponseBody, q: string): number {
  const title = collectSearchTexts(marker)[0]!;
  if (title === padTokens(q)) return 4;
  if (title.startsWith(padTokens(q).trimEnd())) return 3;
  const held = parseSearchTerms(q).filter((term) => title.includes(term)).length;
  return held === parseSearchTerms(q).length ? 2 : Math.min(held, 1);
}
