import type { SqlFragment } from './search.types.js';

/** Limit of the folded title in the index, in characters. */
const MAX_TITLE_KEY_LENGTH = 200;

/** Every text that starts with another text is less than the other text with this character. */
export const LAST_CHARACTER = '\u{10FFFF}';

/** Returns the folded title for the index, from the terms of the title or of a search. */
export function toTitleKey(terms: string[]): string {
  return [...terms.join(' ')].slice(0, MAX_TITLE_KEY_LENGTH).join('');
}

/** Condition: the title of the row `s` equals the terms. */
export function buildTitleEquals(terms: string[]): SqlFragment {
  return { sql: 's.title_key = :phrase', parameters: toTitleParameters(terms) };
}

/** Condition: the title of the row `s` starts with the terms. */
export function buildTitleStarts(terms: string[]): SqlFragment {
  return { sql: 's.title_key >= :phrase AND s.title_key < :phraseEnd', parameters: toTitleParameters(terms) };
}

function toTitleParameters(terms: string[]): Record<string, string> {
  const phrase = toTitleKey(terms);
  return { phrase, phraseEnd: phrase + LAST_CHARACTER };
}
