import type { EntityManager } from 'typeorm';
import { insertRows } from '../../database/query.js';
import { patternsOf } from '../../search/search-terms.js';
import { boundsOf } from './conditions.js';
import type { Area } from './places.js';
import type { NumberedMarker, SearchAdapter } from './search-adapter.js';
import type { Indexed, Piece } from './search.js';

/** By place with an R*Tree of integers, which is exact; by word with FTS5. */
export class SqliteSearch implements SearchAdapter {
  readonly few = 8_000;
  readonly many = 50_000;
  readonly keepsOrder = true;
  readonly words = '(SELECT w.words FROM marker_words w WHERE w.rowid = s.seq)';

  inAreas(areas: Area[]): Piece {
    const { south, north } = areas[0]!;
    const parts = areas.map(
      (_, at) =>
        `SELECT seq FROM marker_places WHERE west >= :west${at} AND east <= :east${at} AND south >= :south AND north <= :north`,
    );
    return { sql: parts.join(' UNION ALL '), parameters: { south, north, ...boundsOf(areas) } };
  }

  withTerms(terms: string[]): Piece {
    const sql = 'SELECT rowid AS seq FROM marker_words WHERE marker_words MATCH :match';
    return { sql, parameters: { match: matchOf(terms) } };
  }

  hasTerms(terms: string[]): Piece {
    const patterns = Object.fromEntries(patternsOf(terms).map((pattern, at) => [`term${at}`, pattern]));
    const sql = Object.keys(patterns).map((name) => `instr(${this.words}, :${name}) > 0`);
    return { sql: sql.join(' AND '), parameters: patterns };
  }

  walkTerms(terms: string[]): Piece {
    const rows = `${this.withTerms(terms).sql} AND rowid > :after ORDER BY rowid LIMIT -1`;
    const sql = `FROM (${rows}) d CROSS JOIN marker_search s ON s.seq = d.seq WHERE true`;
    return { sql, parameters: { match: matchOf(terms) } };
  }

  columnsOf({ live }: Indexed): Record<string, unknown> {
    return { live: Number(live) };
  }

  async link(tx: EntityManager, rows: NumberedMarker[]): Promise<void> {
    const places = rows.map(({ seq, marker: { place } }) => [seq, place.lonE7, place.lonE7, place.latE7, place.latE7]);
    await insertRows(tx, { table: 'marker_places', columns: ['seq', 'west', 'east', 'south', 'north'] }, places);
    const words = rows.map(({ seq, marker }) => [seq, marker.words]);
    await insertRows(tx, { table: 'marker_words', columns: ['rowid', 'words'] }, words);
  }

  async unlink(tx: EntityManager, seq: number): Promise<void> {
    await tx.query('DELETE FROM marker_places WHERE seq = ?', [seq]);
    await tx.query('DELETE FROM marker_words WHERE rowid = ?', [seq]);
  }
}

/** Each term as a phrase, and the last as the beginning of one: terms hold letters, digits and spaces only. */
function matchOf(terms: string[]): string {
  return `${terms.map((term) => `"${term}"`).join(' AND ')}*`;
}
