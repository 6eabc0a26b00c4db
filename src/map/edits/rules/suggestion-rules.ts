import type { FieldChange, FieldValues } from '../../history/entity-version.entity.js';
import { areValuesEqual, diffFields } from '../../history/field-changes.js';
import type { Target } from '../edit-targets.service.js';
import type { EditRow, EditType, TargetType } from '../edit.entity.js';
import { checkHasNoArtworks, createConflictDenial, mergeChange } from './edit-changes.js';
import { allow, denyEdit, type EditDenial, type RuleResult } from './rule-result.js';

/** Type and target type of a suggestion. */
interface Suggestion {
  type: EditType;
  targetType: TargetType;
}

/** Checks that edits can change the target, and that a replaced edit has the same target. */
export function checkTarget(
  { type, targetType }: Suggestion,
  target: Target | null,
  replaced: Pick<EditRow, 'type' | 'targetType' | 'targetId'> | null,
): EditDenial | null {
  if (target?.kind === 'place') {
    return denyEdit('unsupported_target', 'targetId is a place. Edits can change only artworks and artists.');
  }
  if (!replaced) return null;
  const isSameTarget = target ? replaced.targetId === target.id : replaced.targetType === targetType;
  if (isSameTarget && (replaced.type === 'create') === (type === 'create')) return null;
  return denyEdit(
    'other_target',
    'supersedes must be an edit of the same target. A creation can replace only a creation.',
  );
}

/**
 * Computes the changes of a suggestion from the fields that its author saw.
 * @param seen the fields of the base version; null if the history does not contain that version
 */
export function computeChanges(
  { type, targetType }: Suggestion,
  target: Target | null,
  { seen, current, suggested }: { seen: FieldValues | null; current: FieldValues; suggested: FieldValues },
): RuleResult<FieldChange[]> {
  if (!seen) {
    const message = `baseVersion does not exist: the ${targetType} is at version ${target!.version}. Read the ${targetType} and suggest the edit again.`;
    return denyEdit('edit_conflict', message);
  }
  const changes = diffFields(seen, suggested);
  if (type !== 'delete' && changes.length === 0)
    return denyEdit('no_changes', 'changes must give at least one field a new value.');
  if (!target) return allow(changes);
  const denial = type === 'delete' ? checkHasNoArtworks(target) : null;
  if (denial) return denial;
  const conflicts = changes
    .map((change) => mergeChange(change, current[change.field] ?? null))
    .filter(({ state }) => state === 'conflict');
  return conflicts.length > 0 ? createConflictDenial({ reverts: null }, conflicts) : allow(changes);
}

/**
 * Checks that none of the author's open edits suggests the same. The replaced edit does not count.
 */
export function checkNotDuplicate(edit: EditRow, openEdits: EditRow[]): EditDenial | null {
  const duplicate = openEdits.find(
    ({ id, type, targetId, changes }) =>
      type === edit.type &&
      targetId === edit.targetId &&
      id !== edit.supersedes &&
      areValuesEqual(sortByField(changes), sortByField(edit.changes)),
  );
  if (!duplicate) return null;
  const message = `This person already has an open edit with the same changes: ${duplicate.id}.`;
  return { ...denyEdit('duplicate_open_edit', message), duplicateId: duplicate.id };
}

function sortByField(changes: FieldChange[]): FieldChange[] {
  return changes.toSorted((one, other) => (one.field < other.field ? -1 : 1));
}
