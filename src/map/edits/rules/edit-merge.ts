import type { FieldChange, FieldValues, FieldValue } from '../../history/entity-version.entity.js';
import { areValuesEqual } from '../../history/field-changes.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { MAX_SET_SIZE_BY_FIELD, type Target } from '../edit-targets.service.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import type { EditRow } from '../edit-factory.js';

/** How a change of a field stands to the field as it is now. */
export type MergeState = 'clean' | 'alreadyApplied' | 'conflict';

/** A change, merged three ways: from what the author saw, what they wanted, and what is there now. */
export interface MergedChange extends FieldChange {
  current: FieldValue;
  state: MergeState;
  /** What is to be written. */
  result: FieldValue;
}

/** Merges a change into a field. Sets take what was added and lose what was removed; all else must be as the author saw it. */
export function mergeChange({ field, from, to }: FieldChange, current: FieldValue): MergedChange {
  const change = { field, from, to, current };
  if (areValuesEqual(current, to)) return { ...change, state: 'alreadyApplied', result: current };
  if (areValuesEqual(current, from)) return { ...change, state: 'clean', result: to };
  const most = MAX_SET_SIZE_BY_FIELD[field];
  if (most === undefined) return { ...change, state: 'conflict', result: current };
  const result = mergeSets(from, to, current);
  if (areValuesEqual(current, result)) return { ...change, state: 'alreadyApplied', result };
  return { ...change, state: result.length > most ? 'conflict' : 'clean', result };
}

/** What an edit would write to its target now: fields to change, or none where it makes, deletes or restores it. */
export function mergeEdit(
  edit: Pick<EditRow, 'type' | 'targetType' | 'targetId' | 'changes' | 'reverts'>,
  target: Target | undefined,
  current: FieldValues,
): FieldValues | ApiError {
  if (edit.targetId === null) return collectNewValues(edit.changes);
  if (edit.type === 'create') return target!.deletedAt ? {} : createConflictError(edit, []);
  if (!target || target.deletedAt) {
    return new ApiError(409, 'target_deleted', `This ${edit.targetType} was deleted meanwhile.`);
  }
  if (edit.type === 'delete') return checkHasNoArtworks(target) ?? {};
  const merged = edit.changes.map((change) => mergeChange(change, current[change.field] ?? null));
  const isLost = ({ state }: MergedChange): boolean =>
    state === 'conflict' || (edit.reverts !== null && state === 'alreadyApplied');
  const conflicts = merged.filter(isLost);
  if (conflicts.length > 0 || merged.length === 0) return createConflictError(edit, conflicts);
  const changed = merged.filter(({ state }) => state === 'clean');
  return Object.fromEntries(changed.map(({ field, result }) => [field, result]));
}

/** 409, with the fields that somebody changed meanwhile. */
export function createConflictError({ reverts }: Pick<EditRow, 'reverts'>, conflicts: MergedChange[]): ApiError {
  const code = reverts === null ? 'edit_conflict' : 'revert_conflict';
  const details = conflicts.map(({ field, from, current, to }) => ({ field, from, current, to }));
  return new ApiError(409, code, 'Somebody else has changed the same meanwhile.', { details });
}

/** What an error says that names fields. */
export interface ConflictErrorBody {
  error: string;
  code: string;
  details?: { field: string }[];
}

/** An error as an app may hear it: who cannot read edits, nor what they are about, learns which fields, and not their values. */
export function redactConflictDetails(
  { scopes }: Caller,
  { targetType }: Pick<EditRow, 'targetType'>,
  error: ApiError,
): ApiError {
  const { details, error: sentence, code } = error.getResponse() as ConflictErrorBody;
  if (!details || scopes.has('edits:read') || scopes.has(TARGET_READ_SCOPES[targetType])) return error;
  return new ApiError(error.getStatus(), code, sentence, { details: details.map(({ field }) => ({ field })) });
}

/** The scope under which anybody reads what edits change. */
const TARGET_READ_SCOPES = { artwork: 'markers:read', artist: 'artists:read' } as const;

function collectNewValues(changes: FieldChange[]): FieldValues {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}

function checkHasNoArtworks({ artworkCount = 0 }: Target): ApiError | undefined {
  if (artworkCount === 0) return undefined;
  return new ApiError(409, 'artist_has_artworks', 'An artist who has artworks on the map cannot be deleted.');
}

function mergeSets(from: FieldValue, to: FieldValue, current: FieldValue): string[] {
  const [had, has, now] = [from, to, current].map((value) => (Array.isArray(value) ? value : []));
  const removed = had!.filter((one) => !has!.includes(one));
  const added = has!.filter((one) => !had!.includes(one) && !now!.includes(one));
  return [...now!.filter((one) => !removed.includes(one)), ...added];
}
