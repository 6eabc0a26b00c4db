import { tokenize } from './text-folding.js';

const MAX_SEARCH_TERMS = 8;

/** Returns the first 8 terms of a search; none if the text contains no letter and no digit. */
export function parseSearchTerms(q: string): string[] {
  return tokenize(q).slice(0, MAX_SEARCH_TERMS);
}

/**
 * Returns a pattern to find each term in a search text: whole words, except that the last term
 * matches prefixes.
 */
export function toTermPatterns(terms: string[]): string[] {
  return terms.map((term, index) => (index === terms.length - 1 ? ` ${term}` : ` ${term} `));
}
