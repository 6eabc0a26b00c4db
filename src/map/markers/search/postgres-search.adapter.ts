import { toTermPatterns } from '../../text-search/search-terms.js';
import { toAreaParameters } from './search-conditions.js';
import type { Area } from '../../regions/geo.js';
import type { SearchAdapter } from './search-adapter.js';
import type { IndexedMarker, SqlFragment } from './search.types.js';

/** Letters of a lexeme that are kept: PostgreSQL takes 2046 bytes. The words tell the rest. */
const MAX_LEXEME_LENGTH = 200;

/** By place with a GiST index of points, by word with a GIN index of lexemes; both lie in the table of rows itself. */
export class PostgresSearchAdapter implements SearchAdapter {
  readonly maxRowsToSort = 20_000;
  readonly maxRowsToSortAfterScan = 60_000;
  readonly preservesOrder = false;
  readonly searchTextExpression = 's.search_text';

  selectInAreas(areas: Area[]): SqlFragment {
    const { south, north } = areas[0]!;
    const parts = areas.map(
      (_, at) =>
        `SELECT seq FROM marker_search WHERE live AND point <@ box(point(:west${at}, :south), point(:east${at}, :north))`,
    );
    return { sql: parts.join(' UNION ALL '), parameters: { south, north, ...toAreaParameters(areas) } };
  }

  selectByTerms(terms: string[]): SqlFragment {
    const { sql, parameters } = this.buildTermCondition(terms);
    return { sql: `SELECT s.seq FROM marker_search s WHERE s.live AND ${sql}`, parameters };
  }

  /** The lexemes lead there; of terms that are more than one lexeme, the words tell whether these stand together. */
  buildTermCondition(terms: string[]): SqlFragment {
    const composed = toTermPatterns(terms).filter(
      (_, at) => terms[at]!.includes(' ') || terms[at]!.length >= MAX_LEXEME_LENGTH,
    );
    const patterns = Object.fromEntries(composed.map((pattern, at) => [`term${at}`, pattern]));
    const held = Object.keys(patterns).map((name) => `strpos(s.search_text, :${name}) > 0`);
    const sql = ['s.lexemes @@ CAST(:lexemes AS tsquery)', ...held].join(' AND ');
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
    // The row itself is what both indices are of, as long as it is live.
  }

  async deleteIndexEntries(): Promise<void> {
    // The same.
  }
}

/** Lexemes as the text of a `tsvector`, without the parser of PostgreSQL, which takes words apart by rules of its own. */
function toTsvector(words: string): string {
  return [...new Set(words.split(/[ |]+/).map(quoteLexeme))].filter((one) => one !== "''").join(' ');
}

/** All of the terms, and the last as the beginning of one, as the text of a `tsquery`. */
function toTsquery(terms: string[]): string {
  return `${terms
    .flatMap((term) => term.split(' '))
    .map(quoteLexeme)
    .join(' & ')}:*`;
}

function quoteLexeme(word: string): string {
  return `'${word.slice(0, MAX_LEXEME_LENGTH)}'`;
}
