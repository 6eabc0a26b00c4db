import type { ObjectLiteral } from 'typeorm';
import type { ArtworkStatus, MarkerKind, Medium } from '../marker.entity.js';
import type { Area, PointE7 } from '../../regions/geo.js';

/** Which markers are wanted. Values of one filter are alternatives; all filters must hold. */
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
  /** What was searched for, as `searchTerms` takes it apart. */
  terms?: string[];
  areas?: Area[];
  near?: PointE7 & { radius: number };
}

/** `id` is the order in which markers came onto the map. */
export const MARKER_SORTS = ['id', 'distance', 'relevance', 'updatedAt'] as const;
export type MarkerSort = (typeof MARKER_SORTS)[number];

/** Where a page ended: the value that it is sorted by, and the number of the row. */
export type KeysetPosition = [value: number, seq: number];

/** A marker that was found. */
export interface SearchHit {
  id: string;
  position: KeysetPosition;
}

/** A page of what was found, and where the next begins; a page may hold less than was asked for and not be the last. */
export interface SearchHitPage {
  hits: SearchHit[];
  next: KeysetPosition | null;
}

/** A piece of SQL and its parameters, which have names that no other piece uses. */
export interface SqlFragment {
  sql: string;
  parameters: ObjectLiteral;
}

/** What the index holds of a marker. */
export interface IndexedMarker {
  markerId: string;
  live: boolean;
  location: PointE7;
  /** Of its row. */
  columns: Record<string, unknown>;
  facets: string[];
  searchText: string;
}

/** A row that a query found; what else it was asked for beside. */
export interface SearchRow {
  seq: number;
  marker_id: string;
}
