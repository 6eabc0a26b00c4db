import type { EntityManager } from 'typeorm';
import { insertRows, query } from '../../../platform/database/query.js';
import { toTermPatterns } from '../../text-search/search-terms.js';
import { createRows, sortNumbers, toAreaParameters } from './search-conditions.js';
import type { Area } from '../../regions/geo.js';
import type { IndexedMarker, IndexedMarkerRow, SearchAdapter, SearchLimits, TextMatch } from './search-adapter.js';
import type { CandidateRows, ReadStep, SqlFragment } from './search-plan.js';

/** The columns of `marker_fts`, in the order in which a search prefers them. */
const TEXT_COLUMNS = ['title', 'artists', 'tags', 'address', 'description'];

/** SQLite: an R*Tree of integers, which is exact, and an FTS5 table. */
export class SqliteSearchAdapter implements SearchAdapter {
  readonly limits: SearchLimits = {
    rowsToSort: 8_000,
    rowsToSortAfterScan: 50_000,
    rowsToRank: 4_000,
    areaStrips: 8,
  };
  readonly textCheck = 'count';

  selectInAreas(areas: Area[]): SqlFragment {
    const { south, north } = areas[0]!;
    const parts = areas.map(
      (_, index) =>
        `SELECT row_number FROM marker_rtree WHERE west >= :west${index} AND east <= :east${index} AND south >= :south AND north <= :north`,
    );
    return { sql: parts.join(' UNION ALL '), parameters: { south, north, ...toAreaParameters(areas) } };
  }

  /** The rows keep the order of the subquery. With ORDER BY, SQLite would sort them again. */
  createSortedRows(numbers: SqlFragment, fulfilledFilter?: CandidateRows['fulfilledFilter']): CandidateRows {
    return { ...createRows([sortNumbers(numbers)], fulfilledFilter), orderBy: '' };
  }

  /**
   * FTS5 also looks for the next match after a batch of row numbers, up to the end of the index. So
   * the rows are read in lists, and not in batches.
   */
  createTermRows(match: TextMatch): CandidateRows {
    return { read: 'in lists', numbers: selectByTerms(match), fulfilledFilter: 'terms' };
  }

  createFewTermSteps(match: TextMatch, limit: number): Omit<ReadStep, 'conditions'>[] {
    return [{ rows: { read: 'in one list', numbers: selectByTerms(match), below: limit, fulfilledFilter: 'terms' } }];
  }

  buildTermCondition({ terms, fields, exceptFields }: TextMatch): SqlFragment {
    const { parameters, contains } = buildTextMatch(terms);
    const found = exceptFields ? `${contains(fields)} AND NOT (${contains(exceptFields)})` : contains(fields);
    return { sql: `(SELECT ${found} FROM marker_fts WHERE rowid = s.row_number)`, parameters };
  }

  /** The greatest of the numbers of the first field with each term. */
  buildFieldCount({ terms }: TextMatch): SqlFragment {
    const { parameters } = buildTextMatch(terms);
    const last = TEXT_COLUMNS.length;
    const firstFields = Object.keys(parameters).map((name) => {
      const whens = TEXT_COLUMNS.slice(0, -1).map(
        (column, index) => `WHEN instr(${column}, :${name}) THEN ${index + 1}`,
      );
      return `CASE ${whens.join(' ')} ELSE ${last} END`;
    });
    return { sql: `(SELECT max(1, ${firstFields.join(', ')}) FROM marker_fts WHERE rowid = s.row_number)`, parameters };
  }

  toColumns({ live }: IndexedMarker): Record<string, unknown> {
    return { live: Number(live) };
  }

  async insertIndexEntries(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void> {
    const boxes = rows.map(({ rowNumber, marker: { location } }) => [
      rowNumber,
      location.lonE7,
      location.lonE7,
      location.latE7,
      location.latE7,
    ]);
    await insertRows(tx, { table: 'marker_rtree', columns: ['row_number', 'west', 'east', 'south', 'north'] }, boxes);
    const texts = rows.map(({ rowNumber, marker }) => [rowNumber, ...marker.searchTexts]);
    await insertRows(tx, { table: 'marker_fts', columns: ['rowid', ...TEXT_COLUMNS] }, texts);
  }

  async deleteIndexEntries(tx: EntityManager, rowNumbers: number[]): Promise<void> {
    await query(tx, 'DELETE FROM marker_rtree WHERE row_number IN (:...rowNumbers)', { rowNumbers });
    await query(tx, 'DELETE FROM marker_fts WHERE rowid IN (:...rowNumbers)', { rowNumbers });
  }
}

/** Selects the numbers of the rows that contain terms, in order. */
function selectByTerms(match: TextMatch): SqlFragment {
  const sql =
    'SELECT rowid AS row_number FROM marker_fts WHERE marker_fts MATCH :match AND rowid > :after ORDER BY rowid';
  return { sql, parameters: { match: toFtsQuery(match), after: 0 } };
}

/** Conditions on the columns of a row of `marker_fts`: the first ones contain all terms. */
function buildTextMatch(terms: string[]): {
  parameters: Record<string, string>;
  contains: (columnCount: number) => string;
} {
  const parameters = Object.fromEntries(toTermPatterns(terms).map((pattern, index) => [`term${index}`, pattern]));
  const contains = (columnCount: number): string => {
    const text = TEXT_COLUMNS.slice(0, columnCount).join(' || ');
    return Object.keys(parameters)
      .map((name) => `instr(${text}, :${name}) > 0`)
      .join(' AND ');
  };
  return { parameters, contains };
}

/**
 * Formats terms as phrases, the last one as a prefix. Terms contain letters, digits, emoji and
 * spaces only.
 */
function toFtsQuery({ terms, lastWords = [], fields, exceptFields }: TextMatch): string {
  const last = terms.at(-1)!;
  const head = last.slice(0, last.lastIndexOf(' ') + 1);
  const alternatives = lastWords.map((word) => `"${head}${word}"`).join(' OR ');
  const complete = [...new Set(terms.slice(0, -1))];
  const ending = complete.some((term) => term.startsWith(last)) ? [] : [`(${alternatives || `"${last}"*`})`];
  const phrases = `(${[...complete.map((term) => `"${term}"`), ...ending].join(' AND ')})`;
  // A filter of columns, even of all, makes FTS5 read the positions of each word.
  const contains = (count: number): string =>
    count === TEXT_COLUMNS.length ? phrases : `{${TEXT_COLUMNS.slice(0, count).join(' ')}} : ${phrases}`;
  return exceptFields ? `(${contains(fields)}) NOT (${contains(exceptFields)})` : contains(fields);
}
