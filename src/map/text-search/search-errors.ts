import { DomainError } from '../../platform/errors/domain-error.js';
import { createInvalidRequestError } from '../../platform/errors/request-errors.js';

/** The query parameter `q` contains no letter, digit or emoji. */
export function createNoSearchTermsError(): DomainError {
  return createInvalidRequestError([
    { path: 'q', code: 'no_terms', message: 'q must contain a letter, a digit or an emoji.' },
  ]);
}

/** The query parameter `q` contains too many words. */
export function createTooManyWordsError(max: number): DomainError {
  const message = `q must have at most ${max} words. Remove some of them.`;
  return new DomainError('invalid', 'too_many_words', message, {
    details: [{ path: 'q', code: 'too_many_words', message }],
  });
}
