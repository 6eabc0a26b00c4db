import { type Account, ALL_REGIONS, NO_BLOCK } from '../../../identity/accounts/account.entity.js';
import { checkNotBlocked, hasRoleInRegion } from '../../../identity/accounts/account-permissions.js';
import type { Actor } from '../../../identity/scopes/caller.decorator.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import type { Target } from '../edit-targets.service.js';
import type { EditRow } from '../edit.entity.js';
import { denyEdit, denyEditPermission, type EditDenial } from './rule-result.js';

/** Actions on other people's edits. */
export const REVIEW_ACTIONS = ['accept', 'reject', 'revert'] as const;
export type ReviewAction = (typeof REVIEW_ACTIONS)[number];

/** The scope that an app needs for a review action. */
export const REVIEW_SCOPE: Scope = 'edits:review';

/** The scope that an app needs to suggest edits. */
export const WRITE_SCOPE: Scope = 'edits:write';

const MAX_OPEN_EDITS_BY_ROLE: Record<Account['role'], number> = { member: 50, trusted: 200, moderator: 1000 };

/** How long after its acceptance a trusted member can revert an edit. */
const TRUSTED_REVERT_WINDOW_MS = 30 * 24 * 3600 * 1000;

/** The properties of an edit and its target on which the permission to review depends. */
export type ReviewSubject = Pick<EditRow, 'type' | 'targetType' | 'authorId' | 'reverts' | 'decidedAt'> & {
  /** The regions of the artwork: its current one, and both regions of a move. */
  regions: (string | null)[];
  /** Whether the target is locked. */
  locked: boolean;
};

/** Collects the properties on which the permission to review an edit depends. */
export function toReviewSubject(edit: EditRow, target: Target | undefined): ReviewSubject {
  const isMove = edit.type === 'update' && edit.changes.some(({ field }) => field === 'location');
  const currentRegion = target ? (target.regionId ?? null) : edit.regionId;
  const { type, targetType, authorId, reverts, decidedAt } = edit;
  const regions = isMove ? [currentRegion, edit.regionId, edit.destinationRegionId] : [currentRegion];
  return { type, targetType, authorId, reverts, decidedAt, regions, locked: (target?.lockedAt ?? null) !== null };
}

/**
 * Checks a person's permission for a review action, independent of the edit's status and of the
 * app. A person cannot review their own edits. Trusted members review creations and updates of
 * artworks in their regions; moderators review the rest.
 */
export function checkReviewPermission(person: Account, edit: ReviewSubject, action: ReviewAction): EditDenial | null {
  const blocked = checkNotBlocked(person);
  if (blocked) return blocked;
  if (edit.authorId === person.id) {
    return denyEditPermission('own_edit', 'Authors cannot accept, reject or revert their own edits.');
  }
  if (person.role === 'member') {
    return denyEditPermission('role_too_low', 'Only trusted members and moderators can review edits.');
  }
  if (person.role === 'trusted' && requiresModerator(edit, action)) {
    return denyEditPermission('role_too_low', 'Only moderators can decide on this edit.');
  }
  if (!isAssignedToRegions(person, edit)) {
    return denyEditPermission('region_not_assigned', 'This person is not assigned to the region of this edit.');
  }
  if (person.role === 'trusted' && action === 'revert' && isRevertWindowExpired(edit)) {
    return denyEditPermission('too_old', 'Only moderators can revert an edit that was accepted more than 30 days ago.');
  }
  return null;
}

/**
 * Whether an actor can read an edit: its author can, and its possible reviewers through an app with
 * `edits:review`.
 */
export function canViewEdit(actor: Actor, person: Account, edit: ReviewSubject): boolean {
  if (edit.authorId === person.id) return true;
  return actor.scopes.has(REVIEW_SCOPE) && isReviewerFor(person, edit);
}

/**
 * Whether a person's role covers an edit. A blocked person can still read the edits that their role
 * covers.
 */
export function isReviewerFor(person: Account, edit: ReviewSubject): boolean {
  return checkReviewPermission({ ...person, ...NO_BLOCK }, edit, 'accept') === null;
}

/** Returns the maximum number of open edits of a person. */
export function getMaxOpenEdits({ role }: Account): number {
  return MAX_OPEN_EDITS_BY_ROLE[role];
}

/** Checks whether a person can suggest another edit. */
export function checkSuggestPermission(person: Account, openEditCount: number): EditDenial | null {
  const blocked = checkNotBlocked(person);
  if (blocked || openEditCount < getMaxOpenEdits(person)) return blocked;
  const message = `This person has the maximum of ${getMaxOpenEdits(person)} open edits. Wait for decisions on some of them.`;
  return denyEdit('limit_reached', message);
}

/** Checks whether a person can replace an edit by another: only its author can. */
export function checkSupersedePermission(person: Account, edit: Pick<EditRow, 'authorId'>): EditDenial | null {
  const blocked = checkNotBlocked(person);
  if (blocked || edit.authorId === person.id) return blocked;
  return denyEditPermission('not_author', 'Only the author of an edit can replace it.');
}

function requiresModerator({ type, locked, reverts }: ReviewSubject, action: ReviewAction): boolean {
  if (locked || type === 'delete') return true;
  return action === 'revert' && (type === 'create' || reverts !== null);
}

/** Artists are in no region: to review them, a trusted member must be assigned to all regions. */
function isAssignedToRegions(person: Account, { targetType, regions }: ReviewSubject): boolean {
  if (targetType === 'artist') return person.role === 'moderator' || person.regions.includes(ALL_REGIONS);
  return regions.every((region) => hasRoleInRegion(person, region));
}

function isRevertWindowExpired({ decidedAt }: ReviewSubject): boolean {
  return decidedAt !== null && Date.now() - decidedAt.getTime() > TRUSTED_REVERT_WINDOW_MS;
}
