import type { ObjectLiteral } from 'typeorm';
import type { Area, PointE7 } from '../../regions/geo.js';
import type { ArtworkStatus, MarkerKind, Medium } from '../marker.entity.js';

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
  near?: Circle;
}

/** A point and a radius in meters. */
export type Circle = PointE7 & { radius: number };

/** Orders of a search. `id` is the order of insertion. */
export const MARKER_SORTS = ['id', 'distance', 'relevance', 'updatedAt'] as const;
export type MarkerSort = (typeof MARKER_SORTS)[number];

/**
 * End of a page: the values by which the list is sorted, and the row number of the last marker.
 * They are numbers: the rank for relevance, meters, milliseconds.
 */
export type PagePosition = number[];

/** Filters, order, start and size of a page. */
export interface MarkerSearchQuery {
  filters: MarkerFilters;
  sort: MarkerSort;
  after?: PagePosition | undefined;
  limit: number;
}

/** Result of a search: a marker and its position. */
export interface SearchHit {
  id: string;
  position: PagePosition;
  /** Distance from the point of the search, in meters. */
  distance?: number;
}

/**
 * A page of results. `next` is null on the last page. Other pages can have fewer results than
 * requested, too.
 */
export interface SearchHitPage {
  hits: SearchHit[];
  next: PagePosition | null;
}

/** Part of an SQL statement with its parameters, whose names are unique in the statement. */
export interface SqlFragment {
  sql: string;
  parameters: ObjectLiteral;
}

/** Highest possible row number. */
export const MAX_ROW_NUMBER = 2 ** 31 - 1;

/**
 * Expression that sorts by row number, but does not let the database read rows in this order to
 * save the sorting: few rows are read, and all of them.
 */
export const SORTED_BY_ROW_NUMBER = 's.row_number + 0';

/**
 * Rows `s` of `marker_search` that can match, and how to read them in short statements. `from` is
 * FROM and WHERE of a statement; more conditions can follow with AND.
 */
export type CandidateRows = (RowsAtOnce | RowsInBatches | RowsInLists | RowsInOneList | RowsByTime) & {
  /** The filter that all rows fulfill, so that it need not be checked again. */
  fulfilledFilter?: 'terms' | 'areas';
};

/** Rows of one statement, or of several that have no row in common. */
export interface RowsAtOnce {
  read: 'at once';
  from: SqlFragment[];
  /** Expression that sorts by row number; empty if the rows are in this order. */
  orderBy: string;
}

/** Rows with the numbers from `:after` (exclusive) to `:until`. */
export interface RowsInBatches {
  read: 'in batches';
  from: SqlFragment;
  orderBy: string;
  /** Number of row numbers in the first batch. */
  firstBatchSize: number;
}

/** Rows in lists of their numbers, which a query selects after `:after`, in order. SQLite only. */
export interface RowsInLists {
  read: 'in lists';
  numbers: SqlFragment;
}

/** As rows in lists, but in a single list. If there are `below` rows or more, none is read. */
export interface RowsInOneList {
  read: 'in one list';
  numbers: SqlFragment;
  below: number;
}

/** Rows in the order of their last change, after a time and row number. */
export interface RowsByTime {
  read: 'by time';
  after: PagePosition;
}

/** Compares the number of rows that a query selects, which is counted or estimated, with limits. */
export interface RowCheck {
  rows: SqlFragment;
  by: 'count' | 'estimate';
  atLeast?: number;
  below?: number;
}

/** Reads candidate rows that fulfill conditions. */
export interface ReadStep {
  rows: CandidateRows;
  conditions: SqlFragment[];
  /** The step is skipped if the check fails. */
  check?: RowCheck;
  /** Number of batches after which the next step continues; by default, the step reads all rows. */
  batchLimit?: number;
  /** Limit of rows to rank. If the step has more, the next step is used instead. */
  rankLimit?: number;
}

/**
 * Order of the results of a stage. In the orders `number` and `time`, a page is full before all
 * rows are read. The rank is an SQL expression on the row `s`.
 */
export type StageOrder =
  | { by: 'number' }
  | { by: 'time' }
  | { by: 'distance'; circle: Circle; beyond?: number }
  | { by: 'rank'; rank: SqlFragment; circle?: Circle | undefined };

/** Part of a search: steps. Each step continues after the rows of the steps before it. */
export interface SearchStage {
  steps: ReadStep[];
  order: StageOrder;
  /** Only results after this position belong to the page. */
  after?: PagePosition | undefined;
  /** The rank of all results, which is the first value of their positions. */
  rank?: number;
  /** The stage has all results of the search, if a step of it is used. */
  isExhaustive?: boolean;
}

/** Stages whose results follow each other, until the page is full. */
export type SearchPlan = SearchStage[];

/** Adds conditions to FROM and WHERE. */
export function joinConditions(from: SqlFragment, conditions: SqlFragment[]): SqlFragment {
  return {
    sql: [from.sql, ...conditions.map(({ sql }) => sql)].join(' AND '),
    parameters: Object.assign({}, from.parameters, ...conditions.map(({ parameters }) => parameters)) as ObjectLiteral,
  };
}
