import { ApiError, gone, notFound } from '../../platform/http/api-error.js';
import { invalidRequest } from '../../platform/http/api-validation.pipe.js';

/** 404: the artist does not exist. */
export function artistNotFound(): ApiError {
  return notFound('artist');
}

/** 410: the artist was deleted. */
export function artistGone(): ApiError {
  return gone('artist');
}

/** 422: an artwork names an artist that does not exist, or that was deleted. */
export function unknownArtist(id: string): ApiError {
  return new ApiError(422, 'unknown_artist', `There is no artist ${id}.`);
}

/** 400: the order is by relevance, but there are no search terms. */
export function relevanceNeedsTerms(): ApiError {
  return invalidRequest([{ path: 'sort', code: 'not_together', message: 'Sorting by relevance needs q.' }]);
}
