import { invalidRequest } from '../../platform/http/api-validation.pipe.js';
import { tokenize } from './text-folding.js';

/** How many terms a search looks at. */
const MAX_SEARCH_TERMS = 8;

/** The terms of a search; the last may be the beginning of a word. @throws ApiError 400 where there is none */
export function parseSearchTerms(q: string): string[] {
  const terms = tokenize(q).slice(0, MAX_SEARCH_TERMS);
  if (terms.length > 0) return terms;
  throw invalidRequest([{ path: 'q', code: 'no_terms', message: 'q holds no letter or digit to search for.' }]);
}

/** What words must hold for each of the terms: whole words, but for the last. */
export function toTermPatterns(terms: string[]): string[] {
  return terms.map((term, at) => (at === terms.length - 1 ? ` ${term}` : ` ${term} `));
}
