import type { Denial } from '../../../platform/errors/denial.js';
import type { FieldChange, FieldValue } from '../../history/entity-version.entity.js';

/** Codes of all denials in this module. */
export type EditDenialCode =
  | 'not_allowed'
  | 'gone'
  | 'edit_not_open'
  | 'edit_not_accepted'
  | 'edit_conflict'
  | 'revert_conflict'
  | 'target_deleted'
  | 'artist_has_artworks'
  | 'duplicate_open_edit'
  | 'limit_reached'
  | 'quota_exceeded'
  | 'no_changes'
  | 'unsupported_target'
  | 'other_target'
  | 'unknown_artist';

/** A field that cannot be merged: its change, and its current value. */
export interface ConflictDetail extends FieldChange {
  current: FieldValue;
  /** The later edit that changed the field, if a revert conflicts with it. */
  editId?: string | null;
}

/** Why a rule forbids an action on an edit. */
export interface EditDenial extends Denial<EditDenialCode> {
  details?: ConflictDetail[];
  /** The open edit with the same changes, if the suggestion repeats it. */
  duplicateId?: string;
}

/** Result of a rule: a value if the action is allowed, otherwise the denial. */
export type RuleResult<T> = { allowed: true; value: T } | EditDenial;

/** Creates the result of a rule that allows the action. */
export function allow<T>(value: T): RuleResult<T> {
  return { allowed: true, value };
}

/** Creates a denial. */
export function denyEdit(code: EditDenialCode, message: string): EditDenial {
  return { allowed: false, code, message };
}

/** Creates a denial because of the person's own permissions. */
export function denyEditPermission(reason: string, message: string): EditDenial {
  return { ...denyEdit('not_allowed', message), reason };
}
