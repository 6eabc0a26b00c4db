import type { EntityManager } from 'typeorm';
import { insertRows } from '../../../platform/database/query.js';
import { toTermPatterns } from '../../text-search/search-terms.js';
import { toAreaParameters } from './search-conditions.js';
import type { Area } from '../../regions/geo.js';
import type { IndexedMarkerRow, SearchAdapter } from './search-adapter.js';
import type { IndexedMarker, SqlFragment } from './search.types.js';

/** SQLite: an R*Tree of integers, which is exact, and an FTS5 table. */
export class SqliteSearchAdapter implements SearchAdapter {
  readonly maxRowsToSort = 8_000;
  readonly maxRowsToSortAfterScan = 50_000;
  readonly preservesOrder = true;
  readonly searchTextExpression = '(SELECT w.search_text FROM marker_fts w WHERE w.rowid = s.seq)';

  selectInAreas(areas: Area[]): SqlFragment {
    const { south, north } = areas[0]!;
    const parts = areas.map(
      (_, index) =>
        `SELECT seq FROM marker_rtree WHERE west >= :west${index} AND east <= :east${index} AND south >= :south AND north <= :north`,
    );
    return { sql: parts.join(' UNION ALL '), parameters: { south, north, ...toAreaParameters(areas) } };
  }

  selectByTerms(terms: string[]): SqlFragment {
    const sql = 'SELECT rowid AS seq FROM marker_fts WHERE marker_fts MATCH :match';
    return { sql, parameters: { match: toFtsQuery(terms) } };
  }

  buildTermCondition(terms: string[]): SqlFragment {
    const patterns = Object.fromEntries(toTermPatterns(terms).map((pattern, index) => [`term${index}`, pattern]));
    const sql = Object.keys(patterns).map((name) => `instr(${this.searchTextExpression}, :${name}) > 0`);
    return { sql: sql.join(' AND '), parameters: patterns };
  }

  buildTermScan(terms: string[]): SqlFragment {
    const rows = `${this.selectByTerms(terms).sql} AND rowid > :after ORDER BY rowid LIMIT -1`;
    const sql = `FROM (${rows}) d CROSS JOIN marker_search s ON s.seq = d.seq WHERE true`;
    return { sql, parameters: { match: toFtsQuery(terms) } };
  }

  toColumns({ live }: IndexedMarker): Record<string, unknown> {
    return { live: Number(live) };
  }

  async insertIndexEntries(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void> {
    const boxes = rows.map(({ seq, marker: { location } }) => [
      seq,
      location.lonE7,
      location.lonE7,
      location.latE7,
      location.latE7,
    ]);
    await insertRows(tx, { table: 'marker_rtree', columns: ['seq', 'west', 'east', 'south', 'north'] }, boxes);
    const texts = rows.map(({ seq, marker }) => [seq, marker.searchText]);
    await insertRows(tx, { table: 'marker_fts', columns: ['rowid', 'search_text'] }, texts);
  }

  async deleteIndexEntries(tx: EntityManager, seq: number): Promise<void> {
    await tx.query('DELETE FROM marker_rtree WHERE seq = ?', [seq]);
    await tx.query('DELETE FROM marker_fts WHERE rowid = ?', [seq]);
  }
}

/**
 * Formats terms as phrases, the last one as a prefix. Terms contain letters, digits and spaces
 * only.
 */
function toFtsQuery(terms: string[]): string {
  return `${terms.map((term) => `"${term}"`).join(' AND ')}*`;
}
