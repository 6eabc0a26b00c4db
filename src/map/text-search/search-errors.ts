import type { ApiError } from '../../platform/http/api-error.js';
import { createInvalidRequestError } from '../../platform/http/api-validation.pipe.js';

/** 400: the query parameter `q` contains no letter and no digit. */
export function createNoSearchTermsError(): ApiError {
  return createInvalidRequestError([{ path: 'q', code: 'no_terms', message: 'q must contain a letter or a digit.' }]);
}
