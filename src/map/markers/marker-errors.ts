import { type ApiError, gone, notFound } from '../../platform/http/api-error.js';
import { invalidRequest } from '../../platform/http/api-validation.pipe.js';

/** 404: the marker does not exist. */
export function markerNotFound(): ApiError {
  return notFound('marker');
}

/** 410: the marker was deleted. */
export function markerGone(): ApiError {
  return gone('marker');
}

/** 400: a query parameter cannot be combined with others. */
export function invalidCombination(path: string, message: string): ApiError {
  return invalidRequest([{ path, code: 'not_together', message }]);
}
