import type { FieldChange, FieldValue, FieldValues } from '../../history/entity-version.entity.js';
import { areValuesEqual, toTexts } from '../../history/field-changes.js';
import type { Target } from '../edit-targets.service.js';
import { allow, denyEdit, type EditDenial, type RuleResult } from './rule-result.js';
import type { EditRow } from '../edit.entity.js';

/**
 * Maximum size of each field that is a set. Sets are merged: additions and removals apply to the
 * current value.
 */
export const MAX_SET_SIZE_BY_FIELD: Record<string, number> = { tags: 20, artistIds: 10, medium: 5, aliases: 10 };

/** Change of a target that an edit contains. */
export type ProposedChange = Pick<EditRow, 'type' | 'targetType' | 'targetId' | 'changes' | 'reverts'>;

const INVERSE_TYPE = { create: 'delete', update: 'update', delete: 'create' } as const;

/** Result of merging a change of one field with its current value. */
export type MergeState = 'clean' | 'alreadyApplied' | 'conflict';

/**
 * Three-way merge of one field: the value that the author saw, the suggested value, and the current
 * value.
 */
export interface MergedChange extends FieldChange {
  current: FieldValue;
  state: MergeState;
  /** The value to write. */
  result: FieldValue;
}

/**
 * Merges a change into a field. Sets are merged by element; every other field must still have the
 * value `from`.
 */
export function mergeChange({ field, from, to }: FieldChange, current: FieldValue): MergedChange {
  const change = { field, from, to, current };
  if (areValuesEqual(current, to)) return { ...change, state: 'alreadyApplied', result: current };
  if (areValuesEqual(current, from)) return { ...change, state: 'clean', result: to };
  const maxSize = MAX_SET_SIZE_BY_FIELD[field];
  if (maxSize === undefined) return { ...change, state: 'conflict', result: current };
  const result = mergeSets(from, to, current);
  if (areValuesEqual(current, result)) return { ...change, state: 'alreadyApplied', result };
  return { ...change, state: result.length > maxSize ? 'conflict' : 'clean', result };
}

/**
 * Returns the fields to write: all for a new target, the changed ones for an update, none to delete
 * or restore.
 */
export function mergeEdit(
  edit: ProposedChange,
  target: Target | undefined,
  current: FieldValues,
): RuleResult<FieldValues> {
  if (edit.targetId === null) return allow(collectNewValues(edit.changes));
  if (edit.type === 'create') return target!.deletedAt ? allow({}) : createConflictDenial(edit, []);
  if (!target || target.deletedAt)
    return denyEdit('target_deleted', `The ${edit.targetType} that this edit changes was deleted.`);
  if (edit.type === 'delete') return checkHasNoArtworks(target) ?? allow({});
  const merged = edit.changes.map((change) => mergeChange(change, current[change.field] ?? null));
  const isConflict = ({ state }: MergedChange): boolean =>
    state === 'conflict' || (edit.reverts !== null && state === 'alreadyApplied');
  const conflicts = merged.filter(isConflict);
  if (conflicts.length > 0) return createConflictDenial(edit, conflicts);
  if (merged.length === 0) return NOTHING_TO_REVERT;
  const changed = merged.filter(({ state }) => state === 'clean');
  return allow(Object.fromEntries(changed.map(({ field, result }) => [field, result])));
}

/** Denials because another change conflicts with an edit or its revert. */
export const EDIT_CONFLICT = denyEdit(
  'edit_conflict',
  'Another change conflicts with this edit. Read the current values and suggest a new edit.',
);
export const REVERT_CONFLICT = denyEdit(
  'revert_conflict',
  'A later change conflicts with the revert of this edit. Suggest a new edit instead.',
);

/** Denial of the revert of an edit whose change was already made by another edit. */
const NOTHING_TO_REVERT = denyEdit(
  'revert_conflict',
  'This edit changed nothing, because its change was already made. There is nothing to revert.',
);

/** Denial of the deletion of an artist that artworks name. */
export const ARTIST_HAS_ARTWORKS = denyEdit(
  'artist_has_artworks',
  'This artist has artworks on the map. Remove the artist from these artworks first.',
);

/** Creates the denial that lists the fields in conflict. */
export function createConflictDenial(
  { reverts }: Pick<ProposedChange, 'reverts'>,
  conflicts: MergedChange[],
): EditDenial {
  const details = conflicts.map(({ field, from, current, to }) => ({ field, from, current, to }));
  return { ...(reverts === null ? EDIT_CONFLICT : REVERT_CONFLICT), details };
}

function collectNewValues(changes: FieldChange[]): FieldValues {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}

/** Checks that an artist to delete has no artworks. */
export function checkHasNoArtworks({ artworkCount = 0 }: Target): EditDenial | null {
  return artworkCount === 0 ? null : ARTIST_HAS_ARTWORKS;
}

function mergeSets(from: FieldValue, to: FieldValue, current: FieldValue): string[] {
  const [before, after, present] = [from, to, current].map(toTexts);
  const removed = before!.filter((item) => !after!.includes(item));
  const added = after!.filter((item) => !before!.includes(item) && !present!.includes(item));
  return [...present!.filter((item) => !removed.includes(item)), ...added];
}

/**
 * Returns the inverse of an accepted edit: a deletion for a creation, a restoration for a deletion.
 * @param applied the changes that the edit made to its target. They can be fewer than the suggested
 * changes.
 */
export function invertEdit({ id, type, targetType, targetId }: EditRow, applied: FieldChange[]): ProposedChange {
  const inverted = applied.map(({ field, from, to }) => ({ field, from: to, to: from }));
  return { type: INVERSE_TYPE[type], targetType, targetId, changes: type === 'update' ? inverted : [], reverts: id };
}
