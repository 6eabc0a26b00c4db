import { ApiError } from './api-error.js';

/** Creates the 400 for a cursor of another list or with other filters. */
export function createInvalidCursorError(): ApiError {
  return new ApiError(
    400,
    'invalid_cursor',
    'cursor does not belong to this list, its filters and its order. Request the first page without cursor.',
  );
}
