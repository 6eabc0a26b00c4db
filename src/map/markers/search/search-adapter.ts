import type { EntityManager } from 'typeorm';
import type { Area } from '../../regions/geo.js';
import type { IndexedMarker, SqlFragment } from './search.types.js';

/**
 * The part of the search that depends on the database: finding rows by area and by term. The rest
 * of the search, and so the order of the results, is the same for both databases.
 */
export interface SearchAdapter {
  /**
   * If an area has fewer rows, sorting them is cheaper than a scan of the map. The second limit
   * applies after a scan.
   */
  readonly maxRowsToSort: number;
  readonly maxRowsToSortAfterScan: number;
  /**
   * Whether rows keep the order of the driving query, so that the database reads only the rows of
   * the page.
   */
  readonly preservesOrder: boolean;
  /** SQL expression for the search text of the row `s`. */
  readonly searchTextExpression: string;

  /** Selects `seq` of the rows in areas. */
  selectInAreas(areas: Area[]): SqlFragment;
  /** Selects `seq` of the rows that contain the terms. */
  selectByTerms(terms: string[]): SqlFragment;
  /** Condition: the row `s` contains the terms. */
  buildTermCondition(terms: string[]): SqlFragment;
  /** FROM and WHERE of the rows `s` that contain the terms, after `:after`, in order. */
  buildTermScan(terms: string[]): SqlFragment;

  /** Columns that only this database has. */
  toColumns(marker: IndexedMarker): Record<string, unknown>;
  /** Inserts into the indexes that are tables of their own. */
  insertIndexEntries(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void>;
  /** Deletes a row from the indexes that are tables of their own. */
  deleteIndexEntries(tx: EntityManager, seq: number): Promise<void>;
}

/** A marker with the number of its row in the index. */
export interface IndexedMarkerRow {
  seq: number;
  marker: IndexedMarker;
}

/** Injection token of the adapter for the configured database. */
export const SEARCH_ADAPTER = Symbol('search adapter');
