import type { ObjectLiteral } from 'typeorm';
import type { ArtworkStatus, MarkerKind, Medium } from '../marker.entity.js';
import type { Area, PointE7 } from '../../regions/geo.js';

/** Filters of a search. Values of one filter are alternatives; all filters must match. */
export interface MarkerFilters {
  kind?: MarkerKind[];
  status?: ArtworkStatus[];
  placeType?: string[];
  medium?: Medium[];
  regionId?: string[];
  artistId?: string[];
  tag?: string[];
  yearFrom?: number;
  yearTo?: number;
  updatedSince?: Date;
  /** Search terms, from `parseSearchTerms`. */
  terms?: string[];
  /** The words of the index that start with the last word of the terms, if they are few. */
  lastWords?: string[];
  areas?: Area[];
  near?: PointE7 & { radius: number };
}

/** Orders of a search. `id` is the order of insertion. */
export const MARKER_SORTS = ['id', 'distance', 'relevance', 'updatedAt'] as const;
export type MarkerSort = (typeof MARKER_SORTS)[number];

/**
 * End of a page: the values by which the list is sorted, and the row number of the last marker.
 * They are numbers: the rank for relevance, meters, milliseconds.
 */
export type KeysetPosition = number[];

/** Filters, order, start and size of a page. */
export interface MarkerSearchQuery {
  filters: MarkerFilters;
  sort: MarkerSort;
  after?: KeysetPosition | undefined;
  limit: number;
}

/** Result of a search: a marker and its position. */
export interface SearchHit {
  id: string;
  position: KeysetPosition;
  /** Distance from the point of the search, in meters. */
  distance?: number;
}

/**
 * A page of results. `next` is null on the last page. Other pages can have fewer results than
 * requested, too.
 */
export interface SearchHitPage {
  hits: SearchHit[];
  next: KeysetPosition | null;
}

/** Part of an SQL statement with its parameters, whose names are unique in the statement. */
export interface SqlFragment {
  sql: string;
  parameters: ObjectLiteral;
}

/** A marker as the index stores it. */
export interface IndexedMarker {
  markerId: string;
  live: boolean;
  location: PointE7;
  /** Columns of the row in `marker_search`. */
  columns: Record<string, unknown>;
  facets: string[];
  /** One text per field, from `toSearchText`. */
  searchTexts: string[];
}

/** The columns that every search query selects. */
export interface SearchRow {
  seq: number;
  marker_id: string;
}

/** Compares two positions of one list. */
export function comparePositions(one: KeysetPosition, other: KeysetPosition): number {
  const index = one.findIndex((value, place) => value !== other[place]);
  return index < 0 ? 0 : one[index]! - other[index]!;
}

/** Sorts hits, and returns a page of those after a position. */
export function createPage(hits: SearchHit[], after: KeysetPosition | undefined, limit: number): SearchHitPage {
  const rest = hits
    .filter(({ position }) => !after || comparePositions(position, after) > 0)
    .sort((one, other) => comparePositions(one.position, other.position));
  const page = rest.slice(0, limit);
  return { hits: page, next: rest.length > limit ? page.at(-1)!.position : null };
}
