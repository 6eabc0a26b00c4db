import type { SqlFragment } from './search.types.js';

/** Highest possible row number. */
export const MAX_SEQ = 2 ** 31 - 1;

/**
 * Candidate rows of a search. `sql` is FROM and WHERE of a statement that reads rows `s` of
 * `marker_search`; more conditions can follow with AND.
 */
export interface RowSource extends SqlFragment {
  /** The filter that the source fulfills, so that it need not be checked again. */
  covers?: 'terms' | 'areas';
  /** Expression that sorts by row number; none if the source has its rows in this order. */
  order?: string;
  /**
   * Rows of a source with windows have the numbers from `:after` (exclusive) to `:until`. The value
   * is the size of the first window.
   */
  firstWindow?: number;
  /**
   * Selects the numbers of the rows after `:after`, in order. The rows of the source are read in
   * lists of these numbers, `:seqs`.
   */
  selectSeqs?: SqlFragment;
  /** Size of a window that probably has a page of this source, which has no windows. */
  pageWindow?: number;
  /**
   * A limit above the estimated number of rows. The source can have more rows, so a search that
   * ranks them stops at the limit.
   */
  maxRows?: number;
}

/**
 * Expression that sorts by row number, but does not let the database read rows in this order to
 * save the sorting: few rows are read, and all of them.
 */
export const SORTED_BY_SEQ = 's.seq + 0';

/** The rows of the whole map, in windows. */
export const ALL_ROWS: RowSource = {
  sql: 'FROM marker_search s WHERE s.seq > :after AND s.seq <= :until',
  parameters: {},
  order: 's.seq',
  firstWindow: 25_000,
};

/** Returns the source of rows whose numbers a query selects, in no order. */
export function createSource({ sql, parameters }: SqlFragment, covers?: RowSource['covers']): RowSource {
  const from = `FROM (${sql}) d CROSS JOIN marker_search s WHERE s.seq = d.seq`;
  return { sql: from, parameters, order: SORTED_BY_SEQ, ...(covers && { covers }) };
}

/**
 * Sorts the numbers of a query before the rows are read, so that the database reads only the rows
 * of a page. Without LIMIT the subquery would lose its order.
 */
export function createSortedSource({ sql, parameters }: SqlFragment, covers?: RowSource['covers']): RowSource {
  const sorted = `SELECT seq FROM (${sql}) i WHERE seq > :after ORDER BY seq LIMIT ${MAX_SEQ}`;
  const { order: _, ...source } = createSource({ sql: sorted, parameters }, covers);
  return source;
}

/** Returns the source of the rows in a JSON list of numbers, `:seqs`, in order. SQLite only. */
export function createListedSource(source: Omit<RowSource, 'sql'>): RowSource {
  return { sql: 'FROM json_each(:seqs) d CROSS JOIN marker_search s WHERE s.seq = d.value', ...source };
}

/** Adds conditions to a source. */
export function joinConditions(source: RowSource, conditions: SqlFragment[]): SqlFragment {
  return {
    sql: [source.sql, ...conditions.map(({ sql }) => sql)].join(' AND '),
    parameters: Object.assign(
      {},
      source.parameters,
      ...conditions.map(({ parameters }) => parameters),
    ) as SqlFragment['parameters'],
  };
}
