import { DomainError } from '../../platform/errors/domain-error.js';
import { createNotVisibleError } from '../../platform/errors/request-errors.js';
import type { Account } from '../../identity/accounts/account.entity.js';
import { checkNotBlocked } from '../../identity/accounts/account-permissions.js';
import type { Actor } from '../../identity/scopes/caller.decorator.js';
import { type Denial, denyPermission } from '../../platform/errors/denial.js';
import type { Collection } from './collection.entity.js';

/** Maximum number of collections per person. */
export const MAX_COLLECTIONS_PER_PERSON = 200;

/** Maximum number of items per collection. */
export const MAX_ITEMS_PER_COLLECTION = 1000;

/** The collection does not exist, or the actor cannot read it. */
export function createCollectionNotFoundError(): DomainError {
  return createNotVisibleError('collection');
}

/** The person has the maximum number of collections. */
export function createTooManyCollectionsError(): DomainError {
  return new DomainError(
    'unprocessable',
    'limit_reached',
    `This person has the maximum of ${MAX_COLLECTIONS_PER_PERSON} collections. Delete one first.`,
  );
}

/** The collection would have too many items. */
export function createTooManyItemsError(): DomainError {
  return new DomainError(
    'unprocessable',
    'limit_reached',
    `A collection can have at most ${MAX_ITEMS_PER_COLLECTION} artworks. Remove some first.`,
  );
}

/** The collection does not contain the artwork. */
export function createItemNotFoundError(): DomainError {
  return new DomainError('not_found', 'not_found', 'This artwork is not in the collection. Add it first.');
}

/** A marker is a place. The consent page mentions artworks only, so places cannot be added. */
export function createNotAnArtworkError(markerId: string): DomainError {
  return new DomainError(
    'unprocessable',
    'not_an_artwork',
    `The marker ${markerId} is a place. Collections can contain only artworks.`,
  );
}

/**
 * Whether an actor can read a collection: public ones always, private ones as owner, through an app
 * with the scope.
 */
export function canViewCollection(actor: Actor | undefined, collection: Collection): boolean {
  if (collection.visibility === 'public') return true;
  return collection.ownerId === actor?.accountId && actor.scopes.has('collections:read');
}

/**
 * Whether a write reveals that a collection exists: to everyone if it is public, otherwise to its
 * owner.
 */
export function canViewForWrite(person: Account, collection: Pick<Collection, 'visibility' | 'ownerId'>): boolean {
  return collection.visibility === 'public' || collection.ownerId === person.id;
}

/** Checks whether a person can change a collection: only its owner can. */
export function checkUpdatePermission(person: Account, collection: Pick<Collection, 'ownerId'>): Denial | null {
  const blocked = checkNotBlocked(person);
  if (blocked || collection.ownerId === person.id) return blocked;
  return denyPermission('not_owner', 'Only the owner of a collection can change it.');
}
