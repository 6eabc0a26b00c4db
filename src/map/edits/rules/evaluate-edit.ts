import type { Account } from '../../../identity/accounts/account.entity.js';
import type { FieldChange, FieldValues } from '../../history/entity-version.entity.js';
import { toTexts } from '../../history/field-changes.js';
import type { Target } from '../edit-targets.service.js';
import type { Edit, EditRow } from '../edit.entity.js';
import { invertEdit, mergeEdit, type ProposedChange } from './edit-changes.js';
import { checkReviewPermission, checkSupersedePermission, toReviewSubject } from './edit-permissions.js';
import { allow, denyEdit, type EditDenial, type RuleResult } from './rule-result.js';

/** Actions on an existing edit. */
export const EDIT_ACTIONS = ['supersede', 'accept', 'reject', 'revert'] as const;
export type EditAction = (typeof EDIT_ACTIONS)[number];

/** Reason why an edit of a deleted target cannot be replaced. */
export const TARGET_DELETED = 'target_deleted';

/** Everything that the rules need to evaluate an action on an edit. */
export interface EditContext {
  person: Account;
  edit: Edit;
  target: Target | undefined;
  /** Current fields of the target; empty without a target. */
  targetFields: FieldValues;
  /** Changes that an accepted edit made to its target. */
  appliedChanges: FieldChange[];
  /** Ids in the fields to write that are not ids of live artists. */
  unknownArtistIds: string[];
  /** Whether the edit got its target between the reading of the edit and the locking of its row. */
  targetIdChanged: boolean;
  /** Why the person can suggest no edits; null if the person can. */
  suggestDenial: EditDenial | null;
}

/** Effect of an allowed action: the change, and the merged fields to write. */
export interface EditEffect {
  /** The edit itself, or its inverse for a revert. */
  change: ProposedChange;
  fields: FieldValues;
}

/**
 * Checks permission and status: the complete check for the actions that write nothing to the
 * target.
 */
export function checkAction(
  action: EditAction,
  person: Account,
  edit: Edit,
  target: Target | undefined,
): EditDenial | null {
  const denial = checkPermission(action, person, edit, target);
  if (denial) return denial;
  return (action === 'supersede' ? checkTargetExists(edit, target) : null) ?? checkStatus(action, edit);
}

/**
 * Evaluates an action on an edit: permission, status, merge, references, expected version, in this
 * order. Writes and the evaluation of permissions use the same function.
 * @param expectedTargetVersion the target's version that the reviewer saw
 */
export function evaluateEdit(
  action: EditAction,
  context: EditContext,
  expectedTargetVersion?: number | null,
): RuleResult<EditEffect> {
  const { person, edit, target, targetFields, unknownArtistIds } = context;
  if (action === 'revert' && context.targetIdChanged) {
    return denyEdit(
      'edit_not_accepted',
      'This edit was accepted while this request ran. Read it again and repeat the request.',
    );
  }
  const denial = (action === 'supersede' ? context.suggestDenial : null) ?? checkAction(action, person, edit, target);
  if (denial) return denial;
  if (action === 'reject' || action === 'supersede') return allow({ change: edit, fields: {} });
  const change = action === 'revert' ? invertEdit(edit, context.appliedChanges) : edit;
  const merge = mergeEdit(change, target, targetFields);
  if (!merge.allowed) return merge;
  const isRestored = change.type === 'create' && target !== undefined;
  return (
    checkReferences(isRestored ? targetFields : merge.value, unknownArtistIds) ??
    checkTargetVersion(target, expectedTargetVersion) ??
    allow({ change, fields: merge.value })
  );
}

/** Only accepted edits can be reverted; all other actions need an open edit. */
export function checkStatus(action: EditAction | 'withdraw', { status }: Pick<EditRow, 'status'>): EditDenial | null {
  if (action === 'revert') {
    if (status === 'accepted') return null;
    return denyEdit('edit_not_accepted', `This edit is ${status}. Only accepted edits can be reverted.`);
  }
  return status === 'open'
    ? null
    : denyEdit(
        'edit_not_open',
        `This edit is already ${status}. Only open edits can be accepted, rejected, replaced or withdrawn.`,
      );
}

/** Checks that all artists in the fields exist. */
export function checkReferences({ artistIds }: FieldValues, unknownArtistIds: string[]): EditDenial | null {
  const unknown = toTexts(artistIds).find((id) => unknownArtistIds.includes(id));
  return unknown === undefined ? null : denyEdit('unknown_artist', `The artist ${unknown} does not exist.`);
}

function checkPermission(
  action: EditAction,
  person: Account,
  edit: Edit,
  target: Target | undefined,
): EditDenial | null {
  if (action === 'supersede') return checkSupersedePermission(person, edit);
  return checkReviewPermission(person, toReviewSubject(edit, target), action);
}

/** A creation is replaced by a creation, which has no target. */
function checkTargetExists({ type, targetType }: Edit, target: Target | undefined): EditDenial | null {
  if (type === 'create' || !target?.deletedAt) return null;
  return { ...denyEdit('gone', `This ${targetType} was deleted.`), reason: TARGET_DELETED };
}

function checkTargetVersion(target: Target | undefined, expected: number | null | undefined): EditDenial | null {
  if (expected == null || expected === target?.version) return null;
  const state = target ? `is at version ${target.version}` : 'does not exist yet';
  const message = `expectedTargetVersion is ${expected}, but the target ${state}. Read the edit again.`;
  return denyEdit('edit_conflict', message);
}
