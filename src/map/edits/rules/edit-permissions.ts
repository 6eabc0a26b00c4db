import type { Account } from '../../../identity/accounts/account.entity.js';
import { ALL_REGIONS } from '../../../identity/accounts/account.entity.js';
import {
  hasRoleInRegion,
  checkNotBlocked,
  type PermissionDenial,
} from '../../../identity/accounts/account-permissions.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import type { Edit } from '../edit.entity.js';

/** What can be done with others' edits. */
export const REVIEW_ACTIONS = ['accept', 'reject', 'revert'] as const;
export type ReviewAction = (typeof REVIEW_ACTIONS)[number];

/** The scope that an app needs for each of these. */
export const REVIEW_SCOPE: Scope = 'edits:review';

/** How many edits of a person can be open at once. */
const MAX_OPEN_EDITS_BY_ROLE: Record<Account['role'], number> = { member: 50, trusted: 200, moderator: 1000 };

/** How long a trusted member can take back an edit. */
const TRUSTED_REVERT_WINDOW_MS = 30 * 24 * 3600 * 1000;

/** What a rule about reviewing looks at of an edit. */
export type ReviewSubject = Pick<Edit, 'type' | 'targetType' | 'authorId' | 'reverts' | 'decidedAt'> & {
  /** The regions in which its artwork lies, and between which it moves. */
  regions: (string | null)[];
  /** Whether its target is locked. */
  locked: boolean;
};

/**
 * Whether a person may do this with an edit, whatever its state and whatever app they use: the table of roles. Nobody
 * reviews their own; trusted members review creations and changes of artworks where they are trusted, moderators the rest.
 */
export function checkReviewPermission(
  person: Account,
  edit: ReviewSubject,
  action: ReviewAction,
): PermissionDenial | null {
  const blocked = checkNotBlocked(person);
  if (blocked) return blocked;
  if (edit.authorId === person.id) {
    return { reason: 'own_edit', message: 'Nobody can accept, reject or revert an edit of their own.' };
  }
  if (person.role === 'member') {
    return { reason: 'role_too_low', message: 'Only trusted members and moderators can review edits.' };
  }
  if (person.role === 'trusted' && requiresModerator(edit, action)) {
    return { reason: 'role_too_low', message: 'Only moderators can decide this.' };
  }
  if (!isAssignedToRegions(person, edit)) {
    return { reason: 'region_not_assigned', message: 'This person does not review edits in this region.' };
  }
  if (person.role === 'trusted' && action === 'revert' && isRevertWindowExpired(edit)) {
    return { reason: 'too_old', message: 'After 30 days, only moderators can revert an edit.' };
  }
  return null;
}

/** Whether a caller may read an edit: its author; and who could review it, through an app that reviews. */
export function canView(caller: Caller, person: Account, edit: ReviewSubject): boolean {
  if (edit.authorId === person.id) return true;
  return caller.scopes.has(REVIEW_SCOPE) && isReviewerFor(person, edit);
}

/** Whether a person could review an edit, if they were not blocked: those who are still read. */
export function isReviewerFor(person: Account, edit: ReviewSubject): boolean {
  return checkReviewPermission({ ...person, blockedAt: null }, edit, 'accept') === null;
}

/** How many edits of a person can be open at once. */
export function getMaxOpenEdits({ role }: Account): number {
  return MAX_OPEN_EDITS_BY_ROLE[role];
}

/** Whether a person may suggest another change. */
export function checkSuggestPermission(person: Account, openEdits: number): PermissionDenial | null {
  const blocked = checkNotBlocked(person);
  if (blocked || openEdits < getMaxOpenEdits(person)) return blocked;
  return {
    reason: 'limit_reached',
    message: `A person can have ${getMaxOpenEdits(person)} open edits. Wait until some are decided.`,
  };
}

/** Whether a person may put another edit in the place of this one. */
export function checkSupersedePermission(person: Account, edit: Pick<Edit, 'authorId'>): PermissionDenial | null {
  const blocked = checkNotBlocked(person);
  if (blocked || edit.authorId === person.id) return blocked;
  return { reason: 'not_author', message: 'Only the person who suggested an edit can replace it.' };
}

function requiresModerator({ type, locked, reverts }: ReviewSubject, action: ReviewAction): boolean {
  if (locked || type === 'delete') return true;
  return action === 'revert' && (type === 'create' || reverts !== null);
}

/** Artists lie in no region: for them a trusted member must be trusted everywhere. A move needs both its ends. */
function isAssignedToRegions(person: Account, { targetType, regions }: ReviewSubject): boolean {
  if (targetType === 'artist') return person.role === 'moderator' || person.regions.includes(ALL_REGIONS);
  return regions.every((region) => hasRoleInRegion(person, region));
}

function isRevertWindowExpired({ decidedAt }: ReviewSubject): boolean {
  return decidedAt !== null && Date.now() - decidedAt.getTime() > TRUSTED_REVERT_WINDOW_MS;
}
