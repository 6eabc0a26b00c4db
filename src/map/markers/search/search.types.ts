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
  areas?: Area[];
  near?: PointE7 & { radius: number };
}

/** Orders of a search. `id` is the order of insertion. */
export const MARKER_SORTS = ['id', 'distance', 'relevance', 'updatedAt'] as const;
export type MarkerSort = (typeof MARKER_SORTS)[number];

/** End of a page: the sort value and the row number of the last marker. */
export type KeysetPosition = [value: number, seq: number];

/** Result of a search: a marker and its position. */
export interface SearchHit {
  id: string;
  position: KeysetPosition;
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
  searchText: string;
}

/** The columns that every search query selects. */
export interface SearchRow {
  seq: number;
  marker_id: string;
}
