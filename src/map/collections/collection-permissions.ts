import type { Account } from '../../identity/accounts/account.entity.js';
import { checkNotBlocked } from '../../identity/accounts/account-permissions.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { type Denial, denyPermission } from '../../platform/http/denial.js';
import type { Collection } from './collection.entity.js';

/**
 * Whether a caller can read a collection: public ones always, private ones as owner, through an app
 * with the scope.
 */
export function canView(caller: Caller | undefined, collection: Collection): boolean {
  if (collection.visibility === 'public') return true;
  return collection.ownerId === caller?.accountId && caller.scopes.has('collections:read');
}

/**
 * Whether a write reveals that a collection exists: to everyone if it is public, otherwise to its
 * owner.
 */
export function canViewForWrite(person: Account, collection: Collection): boolean {
  return collection.visibility === 'public' || collection.ownerId === person.id;
}

/** Checks whether a person can change a collection: only its owner can. */
export function checkUpdatePermission(person: Account, collection: Collection): Denial | null {
  const blocked = checkNotBlocked(person);
  if (blocked || collection.ownerId === person.id) return blocked;
  return denyPermission('not_owner', 'Only the owner of a collection can change it.');
}
