import type { ObjectLiteral } from 'typeorm';
import type { ArtworkStatus, MarkerKind, Medium } from '../marker.entity.js';
import type { Area, Place } from './places.js';

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
  near?: Place & { radius: number };
}

/** `id` is the order in which markers came onto the map. */
export const MARKER_SORTS = ['id', 'distance', 'relevance', 'updatedAt'] as const;
export type MarkerSort = (typeof MARKER_SORTS)[number];

/** Where a page ended: the value that it is sorted by, and the number of the row. */
export type Position = [value: number, seq: number];

/** A marker that was found. */
export interface Hit {
  id: string;
  position: Position;
}

/** A page of what was found, and where the next begins; a page may hold less than was asked for and not be the last. */
export interface Hits {
  hits: Hit[];
  next: Position | null;
}

/** A piece of SQL and its parameters, which have names that no other piece uses. */
export interface Piece {
  sql: string;
  parameters: ObjectLiteral;
}

/** What the index holds of a marker. */
export interface Indexed {
  markerId: string;
  live: boolean;
  place: Place;
  /** Of its row. */
  columns: Record<string, unknown>;
  facets: string[];
  words: string;
}

/** A row that a query found; what else it was asked for beside. */
export interface FoundRow {
  seq: number;
  marker_id: string;
}
