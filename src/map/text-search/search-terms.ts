import { tokenize } from './text-folding.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { createInvalidRequestError } from '../../platform/errors/request-errors.js';

/** Limit of terms per search. */
export const MAX_SEARCH_TERMS = 16;

/**
 * Returns the terms of a search.
 * @throws DomainError `invalid` if the text has no letter, digit or emoji, or more than 16 terms
 */
export function parseSearchTerms(q: string): string[] {
  const terms = tokenize(q);
  if (terms.length === 0) throw createNoSearchTermsError();
  if (terms.length > MAX_SEARCH_TERMS) throw createTooManyWordsError();
  return terms;
}

/**
 * Returns a pattern to find each term in a search text: whole words, except that the last term
 * matches prefixes.
 */
export function toTermPatterns(terms: string[]): string[] {
  return terms.map((term, index) => (index === terms.length - 1 ? ` ${term}` : ` ${term} `));
}

/** The query parameter `q` contains no letter, digit or emoji. */
export function createNoSearchTermsError(): DomainError {
  return createInvalidRequestError([
    { path: 'q', code: 'no_terms', message: 'q must contain a letter, a digit or an emoji.' },
  ]);
}

/** The query parameter `q` contains too many words. */
export function createTooManyWordsError(): DomainError {
  const message = `q must have at most ${MAX_SEARCH_TERMS} words. Remove some of them.`;
  return new DomainError('invalid', 'too_many_words', message, {
    details: [{ path: 'q', code: 'too_many_words', message }],
  });
}
