import type { Account } from '../accounts/account.entity.js';
import { EVERYWHERE } from '../accounts/account.entity.js';
import { holdsIn, mayWrite, type Refusal } from '../accounts/account-permissions.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { Scope } from '../scopes/catalogue.js';
import type { Edit } from './edit.entity.js';

/** What can be done with others' edits. */
export const REVIEW_ACTIONS = ['accept', 'reject', 'revert'] as const;
export type ReviewAction = (typeof REVIEW_ACTIONS)[number];

/** The scope that an app needs for each of these. */
export const REVIEW_SCOPE: Scope = 'edits:review';

/** How many edits of a person can be open at once. */
const OPEN_EDITS: Record<Account['role'], number> = { member: 50, trusted: 200, moderator: 1000 };

/** How long a trusted member can take back an edit. */
const REVERTIBLE = 30 * 24 * 3600 * 1000;

/** What a rule about reviewing looks at of an edit. */
export type Reviewed = Pick<Edit, 'type' | 'targetType' | 'authorId' | 'reverts' | 'decidedAt'> & {
  /** The regions in which its artwork lies, and between which it moves. */
  regions: (string | null)[];
  /** Whether its target is locked. */
  locked: boolean;
};

/**
 * Whether a person may do this with an edit, whatever its state and whatever app they use: the table of roles. Nobody
 * reviews their own; trusted members review creations and changes of artworks where they are trusted, moderators the rest.
 */
export function mayReview(person: Account, edit: Reviewed, action: ReviewAction): Refusal | null {
  const blocked = mayWrite(person);
  if (blocked) return blocked;
  if (edit.authorId === person.id) {
    return { reason: 'own_edit', sentence: 'Nobody can accept, reject or revert an edit of their own.' };
  }
  if (person.role === 'member') {
    return { reason: 'role_too_low', sentence: 'Only trusted members and moderators can review edits.' };
  }
  if (person.role === 'trusted' && isForModerators(edit, action)) {
    return { reason: 'role_too_low', sentence: 'Only moderators can decide this.' };
  }
  if (!holdsFor(person, edit)) {
    return { reason: 'region_not_assigned', sentence: 'This person does not review edits in this region.' };
  }
  if (person.role === 'trusted' && action === 'revert' && isOld(edit)) {
    return { reason: 'too_old', sentence: 'After 30 days, only moderators can revert an edit.' };
  }
  return null;
}

/** Whether a caller may read an edit: its author; and who could review it, through an app that reviews. */
export function maySee(caller: Caller, person: Account, edit: Reviewed): boolean {
  if (edit.authorId === person.id) return true;
  return caller.scopes.has(REVIEW_SCOPE) && couldReview(person, edit);
}

/** Whether a person could review an edit, if they were not blocked: those who are still read. */
export function couldReview(person: Account, edit: Reviewed): boolean {
  return mayReview({ ...person, blockedAt: null }, edit, 'accept') === null;
}

/** How many edits of a person can be open at once. */
export function openEditsOf({ role }: Account): number {
  return OPEN_EDITS[role];
}

/** Whether a person may suggest another change. */
export function maySuggest(person: Account, openEdits: number): Refusal | null {
  const blocked = mayWrite(person);
  if (blocked || openEdits < openEditsOf(person)) return blocked;
  return {
    reason: 'limit_reached',
    sentence: `A person can have ${openEditsOf(person)} open edits. Wait until some are decided.`,
  };
}

/** Whether a person may put another edit in the place of this one. */
export function maySupersede(person: Account, edit: Pick<Edit, 'authorId'>): Refusal | null {
  const blocked = mayWrite(person);
  if (blocked || edit.authorId === person.id) return blocked;
  return { reason: 'not_author', sentence: 'Only the person who suggested an edit can replace it.' };
}

function isForModerators({ type, locked, reverts }: Reviewed, action: ReviewAction): boolean {
  if (locked || type === 'delete') return true;
  return action === 'revert' && (type === 'create' || reverts !== null);
}

/** Artists lie in no region: for them a trusted member must be trusted everywhere. A move needs both its ends. */
function holdsFor(person: Account, { targetType, regions }: Reviewed): boolean {
  if (targetType === 'artist') return person.role === 'moderator' || person.regions.includes(EVERYWHERE);
  return regions.every((region) => holdsIn(person, region));
}

function isOld({ decidedAt }: Reviewed): boolean {
  return decidedAt !== null && Date.now() - decidedAt.getTime() > REVERTIBLE;
}
