import { toTermPatterns } from '../../text-search/search-terms.js';
import { createRows, sortNumbers, toAreaParameters } from './search-conditions.js';
import type { Area } from '../../regions/geo.js';
import type { IndexedMarker, SearchAdapter, SearchLimits, TextMatch } from './search-adapter.js';
import { type CandidateRows, type ReadStep, SORTED_BY_ROW_NUMBER, type SqlFragment } from './search-plan.js';

/** In characters; PostgreSQL allows 2046 bytes. Longer words are compared with the search text. */
const MAX_LEXEME_LENGTH = 200;

/** Beginnings of words up to this length, in characters, are lexemes of their own. */
const MAX_PREFIX_LENGTH = 3;

/** First letter of the lexemes of each field, in the order in which a search prefers the fields. */
const FIELD_LETTERS = ['t', 'r', 'g', 'a', 'd'];

/** First letter of the lexemes of all fields together. */
const ANY_FIELD_LETTER = 'w';

/**
 * PostgreSQL estimates too few rows for words that often occur together. If it estimates so many
 * rows, a search in order first reads the matches in a batch, which has a page of 100 in a map of a
 * million markers. `bench/README.md`: text, three common words; decision record 30.
 */
const MIN_ROWS_FOR_BATCH = 2_000;
const TERM_BATCH_SIZE = 50_000;

/** PostgreSQL: a GiST index of points and a GIN index of lexemes, both on `marker_search`. */
export class PostgresSearchAdapter implements SearchAdapter {
  readonly limits: SearchLimits = {
    rowsToSort: 20_000,
    rowsToSortAfterScan: 60_000,
    rowsToRank: 4_000,
    areaStrips: 1,
  };
  readonly textCheck = 'estimate';

  selectInAreas(areas: Area[]): SqlFragment {
    const { south, north } = areas[0]!;
    const parts = areas.map(
      (_, index) =>
        `SELECT row_number FROM marker_search WHERE live AND point <@ box(point(:west${index}, :south), point(:east${index}, :north))`,
    );
    return { sql: parts.join(' UNION ALL '), parameters: { south, north, ...toAreaParameters(areas) } };
  }

  createSortedRows(numbers: SqlFragment, fulfilledFilter?: CandidateRows['fulfilledFilter']): CandidateRows {
    return { ...createRows([sortNumbers(numbers)], fulfilledFilter), orderBy: 's.row_number' };
  }

  createTermRows(match: TextMatch): CandidateRows {
    const from = [this.selectFromTerms(match)];
    return { read: 'at once', from, orderBy: SORTED_BY_ROW_NUMBER, fulfilledFilter: 'terms' };
  }

  /** The number of rows is estimated, because counting them takes as long as reading them. */
  createFewTermSteps(match: TextMatch, limit: number): Omit<ReadStep, 'conditions'>[] {
    const { sql, parameters } = this.selectFromTerms(match);
    const found = { sql: `SELECT s.row_number ${sql}`, parameters };
    const batches: CandidateRows = {
      read: 'in batches',
      from: { sql: `${sql} AND s.row_number > :after AND s.row_number <= :until`, parameters },
      orderBy: SORTED_BY_ROW_NUMBER,
      firstBatchSize: TERM_BATCH_SIZE,
      fulfilledFilter: 'terms',
    };
    const check = { rows: found, by: 'estimate', below: limit } as const;
    return [
      { rows: batches, check: { ...check, atLeast: MIN_ROWS_FOR_BATCH }, batchLimit: 1 },
      { rows: this.createTermRows(match), check, rankLimit: limit },
    ];
  }

  /**
   * The index finds lexemes. For a term of several lexemes, the search texts show whether they are
   * adjacent.
   */
  buildTermCondition({ terms, lastWords, fields, exceptFields }: TextMatch): SqlFragment {
    const composed = toTermPatterns(terms).filter(
      (_, index) => terms[index]!.includes(' ') || terms[index]!.length >= MAX_LEXEME_LENGTH,
    );
    const patterns = Object.fromEntries(composed.map((pattern, index) => [`term${index}`, pattern]));
    const contains = (count: number): string => {
      const text = `array_to_string(s.search_texts[1:${count}], '')`;
      const adjacent = Object.keys(patterns).map((name) => `strpos(${text}, :${name}) > 0`);
      return `(${[`s.lexemes @@ CAST(:lexemes${count} AS tsquery)`, ...adjacent].join(' AND ')})`;
    };
    const parameters = { ...patterns, [`lexemes${fields}`]: toTsquery(terms, lastWords, fields) };
    if (!exceptFields) return { sql: contains(fields), parameters };
    return {
      sql: `${contains(fields)} AND NOT ${contains(exceptFields)}`,
      parameters: { ...parameters, [`lexemes${exceptFields}`]: toTsquery(terms, lastWords, exceptFields) },
    };
  }

  buildFieldCount(match: TextMatch): SqlFragment {
    const conditions = FIELD_LETTERS.slice(0, -1).map((_, index) =>
      this.buildTermCondition({ ...match, fields: index + 1 }),
    );
    const whens = conditions.map(({ sql }, index) => `WHEN ${sql} THEN ${index + 1}`);
    const parameters = Object.assign({}, ...conditions.map((condition) => condition.parameters)) as object;
    return { sql: `CASE ${whens.join(' ')} ELSE ${FIELD_LETTERS.length} END`, parameters };
  }

  toColumns({ live, searchTexts }: IndexedMarker): Record<string, unknown> {
    return { live, search_texts: searchTexts, lexemes: toTsvector(searchTexts) };
  }

  private selectFromTerms(match: TextMatch): SqlFragment {
    const { sql, parameters } = this.buildTermCondition(match);
    return { sql: `FROM marker_search s WHERE s.live AND ${sql}`, parameters };
  }

  async insertIndexEntries(): Promise<void> {
    // Both indexes are on the row itself.
  }

  async deleteIndexEntries(): Promise<void> {
    // Both indexes are on the row itself.
  }
}

/** Formats lexemes as `tsvector` text. PostgreSQL's own parser would split words by other rules. */
function toTsvector(searchTexts: string[]): string {
  const lexemes = searchTexts.flatMap((text, field) =>
    text
      .split(/[ |]+/)
      .filter((word) => word !== '')
      .flatMap((word) =>
        [FIELD_LETTERS[field]!, ANY_FIELD_LETTER].flatMap((letter) => [
          formatLexeme(letter, word),
          ...formatPrefixes(letter, word),
        ]),
      ),
  );
  return [...new Set(lexemes)].join(' ');
}

/** Formats terms as `tsquery` text: all of them must match, the last one as a prefix. */
function toTsquery(terms: string[], lastWords: string[] = [], fields: number): string {
  const letters = fields === FIELD_LETTERS.length ? [ANY_FIELD_LETTER] : FIELD_LETTERS.slice(0, fields);
  const anyOf = (formats: ((letter: string) => string)[]): string =>
    `(${formats.flatMap((format) => letters.map(format)).join(' | ')})`;
  const words = terms.flatMap((term) => term.split(' '));
  const last = words.pop()!;
  const toLexeme = (word: string) => (letter: string) => formatLexeme(letter, word);
  const formatPrefix = [...last].length <= MAX_PREFIX_LENGTH ? formatShortPrefix : formatLongPrefix;
  const endings = lastWords.length > 0 ? lastWords.map(toLexeme) : [(letter: string) => formatPrefix(letter, last)];
  const complete = [...new Set(words)].map((word) => anyOf([toLexeme(word)]));
  // PostgreSQL would estimate too few rows, as if the two conditions were independent.
  const isLastImplied = words.some((word) => word.startsWith(last));
  return (isLastImplied ? complete : [...complete, anyOf(endings)]).join(' & ');
}

function formatLexeme(letter: string, word: string): string {
  return `'${letter}${word.slice(0, MAX_LEXEME_LENGTH)}'`;
}

function formatLongPrefix(letter: string, prefix: string): string {
  return `${formatLexeme(letter, prefix)}:*`;
}

/** Words contain no tilde. */
function formatShortPrefix(letter: string, prefix: string): string {
  return `'${letter}~${prefix}'`;
}

function formatPrefixes(letter: string, word: string): string[] {
  const start = [...word].slice(0, MAX_PREFIX_LENGTH);
  return start.map((_, index) => formatShortPrefix(letter, start.slice(0, index + 1).join('')));
}
