import { ApiError, createGoneError, createNotFoundError } from '../../platform/http/api-error.js';
import { createInvalidRequestError } from '../../platform/http/api-validation.pipe.js';

/** 404: the artist does not exist. */
export function createArtistNotFoundError(): ApiError {
  return createNotFoundError('artist');
}

/** 410: the artist was deleted. */
export function createArtistGoneError(): ApiError {
  return createGoneError('artist');
}

/** 422: an artwork names an artist that does not exist, or that was deleted. */
export function createUnknownArtistError(id: string): ApiError {
  return new ApiError(422, 'unknown_artist', `The artist ${id} does not exist.`);
}

/** 400: the order is by relevance, but there are no search terms. */
export function createRelevanceWithoutTermsError(): ApiError {
  return createInvalidRequestError([
    { path: 'sort', code: 'not_together', message: 'sort=relevance requires q. Add q or choose another order.' },
  ]);
}
