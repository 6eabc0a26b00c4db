import { toTermPatterns } from '../../text-search/search-terms.js';
import { toAreaParameters } from './search-conditions.js';
import type { Area } from '../../regions/geo.js';
import type { SearchAdapter } from './search-adapter.js';
import type { IndexedMarker, SqlFragment } from './search.types.js';

/** In characters; PostgreSQL allows 2046 bytes. Longer words are compared with the search text. */
const MAX_LEXEME_LENGTH = 200;

/** PostgreSQL: a GiST index of points and a GIN index of lexemes, both on `marker_search`. */
export class PostgresSearchAdapter implements SearchAdapter {
  readonly maxRowsToSort = 20_000;
  readonly maxRowsToSortAfterScan = 60_000;
  readonly preservesOrder = false;
  readonly searchTextExpression = 's.search_text';

  selectInAreas(areas: Area[]): SqlFragment {
    const { south, north } = areas[0]!;
    const parts = areas.map(
      (_, index) =>
        `SELECT seq FROM marker_search WHERE live AND point <@ box(point(:west${index}, :south), point(:east${index}, :north))`,
    );
    return { sql: parts.join(' UNION ALL '), parameters: { south, north, ...toAreaParameters(areas) } };
  }

  selectByTerms(terms: string[]): SqlFragment {
    const { sql, parameters } = this.buildTermCondition(terms);
    return { sql: `SELECT s.seq FROM marker_search s WHERE s.live AND ${sql}`, parameters };
  }

  /**
   * The index finds lexemes. For a term of several lexemes, the search text shows whether they are
   * adjacent.
   */
  buildTermCondition(terms: string[]): SqlFragment {
    const composed = toTermPatterns(terms).filter(
      (_, index) => terms[index]!.includes(' ') || terms[index]!.length >= MAX_LEXEME_LENGTH,
    );
    const patterns = Object.fromEntries(composed.map((pattern, index) => [`term${index}`, pattern]));
    const adjacent = Object.keys(patterns).map((name) => `strpos(s.search_text, :${name}) > 0`);
    const sql = ['s.lexemes @@ CAST(:lexemes AS tsquery)', ...adjacent].join(' AND ');
    return { sql, parameters: { ...patterns, lexemes: toTsquery(terms) } };
  }

  buildTermScan(terms: string[]): SqlFragment {
    const { sql, parameters } = this.buildTermCondition(terms);
    return { sql: `FROM marker_search s WHERE s.seq > :after AND ${sql}`, parameters };
  }

  toColumns({ live, searchText }: IndexedMarker): Record<string, unknown> {
    return { live, search_text: searchText, lexemes: toTsvector(searchText) };
  }

  async insertIndexEntries(): Promise<void> {
    // Both indexes are on the row itself.
  }

  async deleteIndexEntries(): Promise<void> {
    // Both indexes are on the row itself.
  }
}

/** Formats lexemes as `tsvector` text. PostgreSQL's own parser would split words by other rules. */
function toTsvector(searchText: string): string {
  return [...new Set(searchText.split(/[ |]+/).map(quoteLexeme))].filter((lexeme) => lexeme !== "''").join(' ');
}

/** Formats terms as `tsquery` text: all of them must match, the last one as a prefix. */
function toTsquery(terms: string[]): string {
  return `${terms
    .flatMap((term) => term.split(' '))
    .map(quoteLexeme)
    .join(' & ')}:*`;
}

function quoteLexeme(word: string): string {
  return `'${word.slice(0, MAX_LEXEME_LENGTH)}'`;
}
