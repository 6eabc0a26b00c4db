import type { Account } from '../accounts/account.entity.js';
import { holdsIn, mayWrite, type Refusal } from '../accounts/account-permissions.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { Scope } from '../scopes/catalogue.js';
import type { Edit } from './edit.entity.js';

/** What can be done with others' edits. */
export type EditAction = 'accept' | 'reject' | 'revert';

/** The scope that an app needs for each of these. */
export const REVIEW_SCOPE: Scope = 'edits:review';

/** Whether a person may do this with an edit, whatever its state and whatever app they use. Nobody reviews their own. */
export function mayReview(person: Account, edit: Edit): Refusal | null {
  const blocked = mayWrite(person);
  if (blocked) return blocked;
  if (edit.authorId === person.id) {
    return { reason: 'own_edit', sentence: 'Nobody can accept, reject or revert an edit of their own.' };
  }
  if (person.role === 'member') {
    return { reason: 'role_too_low', sentence: 'Only trusted members and moderators can review edits.' };
  }
  if (!holdsIn(person, edit.regionId)) {
    return { reason: 'region_not_assigned', sentence: 'This person does not review edits in this region.' };
  }
  return null;
}

/**
 * Whether a caller may read an edit: its author always; another person if they could review it, through an app that
 * reviews.
 */
export function maySee(caller: Caller, person: Account, edit: Edit): boolean {
  if (edit.authorId === person.id) return true;
  return caller.scopes.has(REVIEW_SCOPE) && mayReview({ ...person, blockedAt: null }, edit) === null;
}

/** Whether an edit's state lets it be accepted, rejected or reverted. */
export function isReady(action: EditAction, { status }: Edit): Refusal | null {
  if (action === 'revert') {
    return status === 'accepted'
      ? null
      : { reason: 'edit_not_accepted', sentence: `This edit is ${status}, so there is nothing to revert.` };
  }
  return status === 'open' ? null : { reason: 'edit_not_open', sentence: `This edit is ${status} already.` };
}
