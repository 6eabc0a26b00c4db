import type { Account } from '../../identity/accounts/account.entity.js';
import { checkNotBlocked, type PermissionDenial } from '../../identity/accounts/account-permissions.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import type { Collection } from './collection.entity.js';

/**
 * Whether a caller may know of a collection: everyone of a public one; of a private one its owner, through an app that
 * may read collections.
 */
export function canView(caller: Caller | undefined, collection: Collection): boolean {
  if (collection.visibility === 'public') return true;
  return collection.ownerId === caller?.accountId && caller.scopes.has('collections:read');
}

/** Whether a person may know of a collection that their app wants to change. */
export function canViewForWrite(person: Account, collection: Collection): boolean {
  return collection.visibility === 'public' || collection.ownerId === person.id;
}

/** A person changes their own collections. */
export function checkUpdatePermission(person: Account, collection: Collection): PermissionDenial | null {
  const blocked = checkNotBlocked(person);
  if (blocked || collection.ownerId === person.id) return blocked;
  return { reason: 'not_owner', message: 'Only the person whose collection this is can change it.' };
}
