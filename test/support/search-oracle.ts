import { foldText } from '../../src/map/text-search/text-folding.js';
import type { ResponseBody } from './test-server.js';

/** The query of a search; a list stands for a repeated parameter. */
export type SearchQuery = Record<string, string | number | boolean | string[]>;

/** Encodes a query; a list becomes a repeated parameter. */
export function toQueryString(query: SearchQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return new URLSearchParams(pairs).toString();
}

/**
 * Computes the results of a search a second time, without a database.
 * @param markers all markers, in the order of their creation
 * @returns the ids of the results, in the order of the response
 */
export function computeExpectedIds(markers: ResponseBody[], query: SearchQuery): string[] {
  const results = markers.filter((marker) => matchesQuery(marker, query));
  const sort = query['sort'] ?? ('lat' in query ? 'distance' : resolveDefaultSort(query));
  const distance = (marker: ResponseBody): number => ('lat' in query ? computeDistance(marker, query) : 0);
  const sortKeys: Record<string, (marker: ResponseBody) => number[]> = {
    id: () => [],
    distance: (marker) => [distance(marker)],
    updatedAt: (marker) => [Date.parse(marker.updatedAt as string)],
    relevance: (marker) => [computeRank(marker, String(query['q'])), distance(marker)],
  };
  const sortKey = sortKeys[String(sort)]!;
  return results
    .map((marker, index) => ({ id: marker.id as string, key: [...sortKey(marker), index] }))
    .sort((one, other) => one.key.map((value, index) => value - other.key[index]!).find((value) => value !== 0) ?? 0)
    .map(({ id }) => id);
}

function resolveDefaultSort(query: SearchQuery): string {
  if ('updatedSince' in query) return 'updatedAt';
  return 'q' in query && !('bbox' in query) ? 'relevance' : 'id';
}

function matchesQuery(marker: ResponseBody, query: SearchQuery): boolean {
  const { kind, status, placeType, medium, artists, region, tags, year, updatedAt } = marker;
  const artistId = artists.map(({ id }: ResponseBody) => id as string);
  const attributes = { kind, status, placeType, medium, artistId, regionId: region?.id, tag: tags.map(foldText) };
  const isOneOf = ([name, values]: [string, unknown]): boolean =>
    !(name in query) || parseList(query, name).some((value) => [values].flat().includes(value));
  const passes = (name: string, isMatch: (value: string) => boolean): boolean =>
    !(name in query) || isMatch(String(query[name]));
  return (
    Object.entries(attributes).every(isOneOf) &&
    passes('yearFrom', (from) => year !== null && year >= Number(from)) &&
    passes('yearTo', (to) => year !== null && year <= Number(to)) &&
    passes('updatedSince', (since) => Date.parse(updatedAt) >= Date.parse(since)) &&
    passes('bbox', (box) => isInBoundingBox(marker, box.split(',').map(Number))) &&
    passes('radius', (radius) => computeDistance(marker, query) <= Number(radius)) &&
    passes('q', (q) => containsAllTerms(collectSearchTexts(marker).flat(), q))
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

/** Returns the distance in meters, computed from the chord and rounded to millimeters. */
function computeDistance({ location }: ResponseBody, query: SearchQuery): number {
  const onSphere = (lat: number, lon: number): number[] => {
    const [y, x] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)];
  };
  const [one, other] = [onSphere(location.lat, location.lon), onSphere(Number(query['lat']), Number(query['lon']))];
  const chord = Math.hypot(...one.map((value, index) => value - other[index]!));
  return Math.round(2 * Math.asin(chord / 2) * 6_371_008.8 * 1000) / 1000;
}

const textsByMarker = new WeakMap<ResponseBody, string[][]>();

/** Returns the texts of each field. */
function collectSearchTexts(marker: ResponseBody): string[][] {
  const texts = textsByMarker.get(marker) ?? readSearchTexts(marker);
  textsByMarker.set(marker, texts);
  return texts;
}

function readSearchTexts({ title, artists, placeType, address, tags, description }: ResponseBody): string[][] {
  const names = artists.map(({ name }: ResponseBody) => name as string) as string[];
  const fields = [[title], names, tags, [address ?? ''], [description ?? '', placeType ?? '']] as string[][];
  return fields.map((texts) => texts.map(padTokens));
}

/** Puts a space around each word, and around each letter of scripts that write no spaces. */
function padTokens(text: string): string {
  const args = foldText(text).replace(/[^\p{L}\p{N}\p{ExtPict}]+/gu, ' ');
  return ` ${args
    .replace(/[\u3040-\u30ff\u4e00-\u9fff\p{ExtPict}]/gu, ' $& ')
    .replace(/ +/g, ' ')
    .trim()} `.replace(/^ +$/, ' ');
}

/** Returns the folded terms of a search; the last one matches as a prefix. */
function parseSearchTerms(q: string): string[] {
  const terms = q
    .split(' ')
    .flatMap(
      (term) =>
        foldText(term).match(/[\u3040-\u30ff\u4e00-\u9fff\p{ExtPict}]+|[^\u3040-\u30ff\u4e00-\u9fff\p{ExtPict}]+/gu) ??
        [],
    );
  return terms.map((term, index) => (index === terms.length - 1 ? padTokens(term).trimEnd() : padTokens(term)));
}

function containsAllTerms(texts: string[], q: string): boolean {
  return parseSearchTerms(q).every((term) => texts.some((text) => text.includes(term)));
}

/**
 * Returns 0 and 1 for a title that equals or starts with the words; otherwise one more than the
 * number of fields that together contain all words.
 */
function computeRank(marker: ResponseBody, q: string): number {
  const fields = collectSearchTexts(marker);
  const title = fields[0]![0]!;
  if (title === padTokens(q)) return 0;
  if (title.startsWith(padTokens(q).trimEnd())) return 1;
  return 2 + fields.findIndex((_, index) => containsAllTerms(fields.slice(0, index + 1).flat(), q));
}
