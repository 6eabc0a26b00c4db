import { ApiError, createNotFoundError } from '../../platform/http/api-error.js';
import { MAX_COLLECTIONS_PER_PERSON, MAX_ITEMS_PER_COLLECTION } from './collection-limits.js';

/** 404: the collection does not exist, or the caller cannot read it. */
export function createCollectionNotFoundError(): ApiError {
  return createNotFoundError('collection');
}

/** 422: the person has the maximum number of collections. */
export function createTooManyCollectionsError(): ApiError {
  return new ApiError(422, 'limit_reached', `A person can have ${MAX_COLLECTIONS_PER_PERSON} collections.`);
}

/** 422: the collection would have too many items. */
export function createTooManyItemsError(): ApiError {
  return new ApiError(422, 'limit_reached', `A collection can hold ${MAX_ITEMS_PER_COLLECTION} artworks.`);
}

/** 422: a marker is a place. The consent page mentions artworks only, so places cannot be added. */
export function createNotAnArtworkError(markerId: string): ApiError {
  return new ApiError(422, 'not_an_artwork', `${markerId} is a place; a collection holds artworks.`);
}
