import type { EntityManager } from 'typeorm';
import type { Area, PointE7 } from '../../regions/geo.js';
import type { CandidateRows, ReadStep, SqlFragment } from './search-plan.js';

/**
 * Number of the fields of a marker in which a search looks for its terms, in this order: title;
 * artists; tags; address; description and type of the place.
 */
export const TEXT_FIELD_COUNT = 5;

/** Terms in the first fields of a marker: each term is in one of them. */
export interface TextMatch {
  terms: string[];
  /** The words of the index that start with the last word of the terms, if they are few. */
  lastWords?: string[];
  /** Number of fields, from 1. */
  fields: number;
  /** Number of fields that do not contain all terms, from 0. */
  exceptFields?: number;
}

/**
 * Limits that decide between plans, mostly numbers of rows. Each one names the searches in `bench/`
 * that measure it.
 */
export interface SearchLimits {
  /** Below it, rows of an area, tag or artist are sorted. Searches: box, half-width 0.1° and 1°. */
  rowsToSort: number;
  /** The same for areas, after a batch of the map did not fill the page. Search: box 1°, tag. */
  rowsToSortAfterScan: number;
  /** Below it, all rows with the terms are ranked. Searches: two and three common words. */
  rowsToRank: number;
  /** Number of statements that read an area of many rows. Search: reads beside near, 50 km. */
  areaStrips: number;
}

/**
 * The part of the search that depends on the database: finding rows by area and by term. The rest
 * of the search, and so the order of the results, is the same for both databases.
 */
export interface SearchAdapter {
  readonly limits: SearchLimits;
  /** Whether the rows that a query of texts selects are counted or estimated. */
  readonly textCheck: 'count' | 'estimate';

  /** Selects `row_number` of the rows in areas. */
  selectInAreas(areas: Area[]): SqlFragment;
  /**
   * Returns the rows whose numbers a query selects. The numbers are sorted before the rows are
   * read, so that the database reads only the rows of a page.
   */
  createSortedRows(numbers: SqlFragment, fulfilledFilter?: CandidateRows['fulfilledFilter']): CandidateRows;
  /** Returns the rows that contain terms. */
  createTermRows(match: TextMatch): CandidateRows;
  /** Returns steps that read the rows with terms if they are fewer than a limit. */
  createFewTermSteps(match: TextMatch, limit: number): Omit<ReadStep, 'conditions'>[];
  /** Condition: the row `s` contains terms. */
  buildTermCondition(match: TextMatch): SqlFragment;
  /**
   * SQL expression for the number of fields, from 1, that together contain all terms, of a row `s`
   * that contains them.
   */
  buildFieldCount(match: TextMatch): SqlFragment;

  /** Columns that only this database has. */
  toColumns(marker: IndexedMarker): Record<string, unknown>;
  /** Inserts into the indexes that are tables of their own. */
  insertIndexEntries(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void>;
  /** Deletes rows from the indexes that are tables of their own. */
  deleteIndexEntries(tx: EntityManager, rowNumbers: number[]): Promise<void>;
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

/** A marker with the number of its row in the index. */
export interface IndexedMarkerRow {
  rowNumber: number;
  marker: IndexedMarker;
}

/** Injection token of the adapter for the configured database. */
export const SEARCH_ADAPTER = Symbol('search adapter');
