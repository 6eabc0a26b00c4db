import { type ApiError, createGoneError, createNotFoundError } from '../../platform/http/api-error.js';
import { createInvalidRequestError } from '../../platform/http/api-validation.pipe.js';

/** 404: the marker does not exist. */
export function createMarkerNotFoundError(): ApiError {
  return createNotFoundError('marker');
}

/** 410: the marker was deleted. */
export function createMarkerGoneError(): ApiError {
  return createGoneError('marker');
}

/** 400: some of `lat`, `lon` and `radius` are missing. */
export function createIncompleteCircleError(missing: string): ApiError {
  return createInvalidCombinationError(missing, `${missing} is missing. Send lat, lon and radius together.`);
}

/** 400: a query parameter cannot be combined with others. */
export function createInvalidCombinationError(path: string, message: string): ApiError {
  return createInvalidRequestError([{ path, code: 'not_together', message }]);
}
