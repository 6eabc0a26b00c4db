import type { EntityManager } from 'typeorm';
import type { Area } from '../../regions/geo.js';
import type { IndexedMarker, SqlFragment } from './search.types.js';

/**
 * What one kind of database adds to the search: how it finds by place and by word. All else, and so the order of what is
 * found, is the same for both.
 */
export interface SearchAdapter {
  /** So many rows of an area are cheaper to sort than the map is to walk; and so many, once walking has found too few. */
  readonly maxRowsToSort: number;
  readonly maxRowsToSortAfterScan: number;
  /** Whether rows come in the order of what leads to them: then no more of them are looked at than are wanted. */
  readonly preservesOrder: boolean;
  /** An expression for the words of the row `s`. */
  readonly searchTextExpression: string;

  /** Selects `seq` of what lies in areas. */
  selectInAreas(areas: Area[]): SqlFragment;
  /** Selects `seq` of what holds the terms. */
  selectByTerms(terms: string[]): SqlFragment;
  /** Whether the row `s` holds the terms. */
  buildTermCondition(terms: string[]): SqlFragment;
  /** `s`, of what holds the terms, after `:after`, in order: a FROM and a WHERE. */
  buildTermScan(terms: string[]): SqlFragment;

  /** What a row holds besides what it holds on both. */
  toColumns(marker: IndexedMarker): Record<string, unknown>;
  /** Leads to rows by place and words, where that lies outside of the row. */
  insertIndexEntries(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void>;
  deleteIndexEntries(tx: EntityManager, seq: number): Promise<void>;
}

export interface IndexedMarkerRow {
  seq: number;
  marker: IndexedMarker;
}

/** What the adapter for the database at hand is injected by. */
export const SEARCH_ADAPTER = Symbol('search adapter');
