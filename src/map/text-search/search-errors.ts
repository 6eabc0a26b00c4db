import { ApiError } from '../../platform/http/api-error.js';
import { createInvalidRequestError } from '../../platform/http/api-validation.pipe.js';

/** 400: the query parameter `q` contains no letter, digit or emoji. */
export function createNoSearchTermsError(): ApiError {
  return createInvalidRequestError([
    { path: 'q', code: 'no_terms', message: 'q must contain a letter, a digit or an emoji.' },
  ]);
}

/** 400: the query parameter `q` contains too many words. */
export function createTooManyWordsError(max: number): ApiError {
  const message = `q must have at most ${max} words. Remove some of them.`;
  return new ApiError(400, 'too_many_words', message, { details: [{ path: 'q', code: 'too_many_words', message }] });
}
