import type { Account } from '../accounts/account.entity.js';
import { mayWrite, type Refusal } from '../accounts/account-permissions.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { Collection } from './collection.entity.js';

/**
 * Whether a caller may know of a collection: everyone of a public one; of a private one its owner, through an app that
 * may read collections.
 */
export function maySee(caller: Caller | undefined, collection: Collection): boolean {
  if (collection.visibility === 'public') return true;
  return collection.ownerId === caller?.accountId && caller.scopes.has('collections:read');
}

/** Whether a person may know of a collection that their app wants to change. */
export function mayAddress(person: Account, collection: Collection): boolean {
  return collection.visibility === 'public' || collection.ownerId === person.id;
}

/** A person changes their own collections. */
export function mayChange(person: Account, collection: Collection): Refusal | null {
  const blocked = mayWrite(person);
  if (blocked || collection.ownerId === person.id) return blocked;
  return { reason: 'not_owner', sentence: 'Only the person whose collection this is can change it.' };
}
