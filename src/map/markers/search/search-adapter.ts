import type { EntityManager } from 'typeorm';
import type { Area } from '../../regions/geo.js';
import type { RowSource } from './row-source.js';
import type { IndexedMarker, SqlFragment } from './search.types.js';

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
 * The part of the search that depends on the database: finding rows by area and by term. The rest
 * of the search, and so the order of the results, is the same for both databases.
 */
export interface SearchAdapter {
  /**
   * If an area, a tag or the like has fewer rows, sorting them is cheaper than reading rows in
   * order. The second limit applies to areas after a scan.
   */
  readonly maxRowsToSort: number;
  readonly maxRowsToSortAfterScan: number;
  /** If fewer rows contain the terms, ranking all of them is cheaper than reading rank by rank. */
  readonly maxRowsToRank: number;
  /** Number of statements that read an area of many rows, so that none of them takes long. */
  readonly areaStripCount: number;
  /** Whether rows keep the order of the subquery that selects them. */
  readonly keepsOrder: boolean;
  /** Whether the index of terms has its rows in order. */
  readonly readsTermsInOrder: boolean;
  /** Whether the database estimates the rows of a query well, and counts them slowly. */
  readonly hasRowEstimates: boolean;

  /** Selects `seq` of the rows in areas. */
  selectInAreas(areas: Area[]): SqlFragment;
  /** Selects `seq` of the rows that contain terms, in the order of the index of terms. */
  selectByTerms(match: TextMatch): SqlFragment;
  /** Returns the source of the rows that contain terms. */
  createTermSource(match: TextMatch): RowSource;
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
  deleteIndexEntries(tx: EntityManager, seqs: number[]): Promise<void>;
}

/** A marker with the number of its row in the index. */
export interface IndexedMarkerRow {
  seq: number;
  marker: IndexedMarker;
}

/** Injection token of the adapter for the configured database. */
export const SEARCH_ADAPTER = Symbol('search adapter');
