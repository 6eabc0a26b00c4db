import { ApiError } from './api-error.js';

/** Creates the 400 for a cursor of another list or with other filters. */
export function createInvalidCursorError(): ApiError {
  return new ApiError(400, 'invalid_cursor', 'This cursor is not of this list. Start again without one.');
}
