import { DomainError } from '../../platform/errors/domain-error.js';
import {
  createGoneError,
  createInvalidRequestError,
  createNotFoundError,
} from '../../platform/errors/request-errors.js';

/** The artist does not exist. */
export function createArtistNotFoundError(): DomainError {
  return createNotFoundError('artist');
}

/** The artist was deleted. */
export function createArtistGoneError(): DomainError {
  return createGoneError('artist');
}

/** An artwork names an artist that does not exist, or that was deleted. */
export function createUnknownArtistError(id: string): DomainError {
  return new DomainError('unprocessable', 'unknown_artist', `The artist ${id} does not exist.`);
}

/** The order is by relevance, but there are no search terms. */
export function createRelevanceWithoutTermsError(): DomainError {
  return createInvalidRequestError([
    { path: 'sort', code: 'not_together', message: 'sort=relevance requires q. Add q or choose another order.' },
  ]);
}
