import { ApiError, createNotVisibleError } from '../../platform/http/api-error.js';
import { MAX_COLLECTIONS_PER_PERSON, MAX_ITEMS_PER_COLLECTION } from './collection-limits.js';

/** 404: the collection does not exist, or the caller cannot read it. */
export function createCollectionNotFoundError(): ApiError {
  return createNotVisibleError('collection');
}

/** 422: the person has the maximum number of collections. */
export function createTooManyCollectionsError(): ApiError {
  return new ApiError(
    422,
    'limit_reached',
    `This person has the maximum of ${MAX_COLLECTIONS_PER_PERSON} collections. Delete one first.`,
  );
}

/** 422: the collection would have too many items. */
export function createTooManyItemsError(): ApiError {
  return new ApiError(
    422,
    'limit_reached',
    `A collection can have at most ${MAX_ITEMS_PER_COLLECTION} artworks. Remove some first.`,
  );
}

/** 422: a marker is a place. The consent page mentions artworks only, so places cannot be added. */
export function createNotAnArtworkError(markerId: string): ApiError {
  return new ApiError(
    422,
    'not_an_artwork',
    `The marker ${markerId} is a place. Collections can contain only artworks.`,
  );
}
