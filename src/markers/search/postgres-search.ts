import { patternsOf } from '../../search/search-terms.js';
import { boundsOf } from './conditions.js';
import type { Area } from './places.js';
import type { SearchAdapter } from './search-adapter.js';
import type { Indexed, Piece } from './search.js';

/** Letters of a lexeme that are kept: PostgreSQL takes 2046 bytes. The words tell the rest. */
const LEXEME_LENGTH = 200;

/** By place with a GiST index of points, by word with a GIN index of lexemes; both lie in the table of rows itself. */
export class PostgresSearch implements SearchAdapter {
  readonly few = 20_000;
  readonly many = 60_000;
  readonly keepsOrder = false;
  readonly words = 's.words';

  inAreas(areas: Area[]): Piece {
    const { south, north } = areas[0]!;
    const parts = areas.map(
      (_, at) =>
        `SELECT seq FROM marker_search WHERE live AND place <@ box(point(:west${at}, :south), point(:east${at}, :north))`,
    );
    return { sql: parts.join(' UNION ALL '), parameters: { south, north, ...boundsOf(areas) } };
  }

  withTerms(terms: string[]): Piece {
    const { sql, parameters } = this.hasTerms(terms);
    return { sql: `SELECT s.seq FROM marker_search s WHERE s.live AND ${sql}`, parameters };
  }

  /** The lexemes lead there; of terms that are more than one lexeme, the words tell whether these stand together. */
  hasTerms(terms: string[]): Piece {
    const composed = patternsOf(terms).filter(
      (_, at) => terms[at]!.includes(' ') || terms[at]!.length >= LEXEME_LENGTH,
    );
    const patterns = Object.fromEntries(composed.map((pattern, at) => [`term${at}`, pattern]));
    const held = Object.keys(patterns).map((name) => `strpos(s.words, :${name}) > 0`);
    const sql = ['s.lexemes @@ CAST(:lexemes AS tsquery)', ...held].join(' AND ');
    return { sql, parameters: { ...patterns, lexemes: lexemesOf(terms) } };
  }

  walkTerms(terms: string[]): Piece {
    const { sql, parameters } = this.hasTerms(terms);
    return { sql: `FROM marker_search s WHERE s.seq > :after AND ${sql}`, parameters };
  }

  columnsOf({ live, words }: Indexed): Record<string, unknown> {
    return { live, words, lexemes: lexemesIn(words) };
  }

  async link(): Promise<void> {
    // The row itself is what both indices are of, as long as it is live.
  }

  async unlink(): Promise<void> {
    // The same.
  }
}

/** Lexemes as the text of a `tsvector`, without the parser of PostgreSQL, which takes words apart by rules of its own. */
function lexemesIn(words: string): string {
  return [...new Set(words.split(/[ |]+/).map(lexeme))].filter((one) => one !== "''").join(' ');
}

/** All of the terms, and the last as the beginning of one, as the text of a `tsquery`. */
function lexemesOf(terms: string[]): string {
  return `${terms
    .flatMap((term) => term.split(' '))
    .map(lexeme)
    .join(' & ')}:*`;
}

function lexeme(word: string): string {
  return `'${word.slice(0, LEXEME_LENGTH)}'`;
}
