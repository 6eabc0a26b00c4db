import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { createInsufficientScopeError } from '../../identity/scopes/bearer-token-errors.js';
import {
  type ApiError,
  createGoneError,
  createNotFoundError,
  createNotVisibleError,
} from '../../platform/http/api-error.js';
import { toApiError } from '../../platform/http/denial.js';
import type { TargetType } from './edit.entity.js';
import { REVIEW_SCOPE } from './rules/edit-permissions.js';
import { TARGET_DELETED } from './rules/evaluate-edit.js';
import type { ConflictDetail, EditDenial, EditDenialCode } from './rules/rule-result.js';

const STATUS_BY_CODE: Record<EditDenialCode, number> = {
  not_allowed: 403,
  gone: 410,
  edit_not_open: 409,
  edit_not_accepted: 409,
  edit_conflict: 409,
  revert_conflict: 409,
  target_deleted: 409,
  artist_has_artworks: 409,
  duplicate_open_edit: 409,
  limit_reached: 422,
  no_changes: 422,
  unsupported_target: 422,
  other_target: 422,
  unknown_artist: 422,
};

/** The scope to read each type of target. */
const TARGET_READ_SCOPES = { artwork: 'markers:read', artist: 'artists:read' } as const;

/**
 * Maps a denial to its API error. Apps that can read neither the edit nor its target get no field
 * values.
 */
export function toEditError(
  { details, duplicateId, ...denial }: EditDenial,
  caller: Caller,
  targetType: TargetType,
): ApiError {
  const duplicates = duplicateId === undefined ? undefined : [{ editId: duplicateId }];
  const visible = details ? redactConflictDetails(details, caller, targetType) : duplicates;
  return toApiError({ ...denial, ...(visible && { details: visible }) }, STATUS_BY_CODE[denial.code]);
}

/** @throws ApiError if there is a denial */
export function assertEditAllowed(denial: EditDenial | null, caller: Caller, targetType: TargetType): void {
  if (denial) throw toEditError(denial, caller, targetType);
}

/** 404: the edit does not exist, or the caller cannot read it. */
export function createEditNotFoundError(): ApiError {
  return createNotVisibleError('edit');
}

/** 404: the target does not exist. */
export function createTargetNotFoundError(type: TargetType): ApiError {
  return createNotFoundError(type);
}

/** 410: the target was deleted. */
export function createTargetGoneError(type: TargetType): ApiError {
  return createGoneError(type, TARGET_DELETED);
}

/** 403: the app does not have the scope `edits:review`. */
export function createMissingReviewScopeError(): ApiError {
  return createInsufficientScopeError(REVIEW_SCOPE);
}

function redactConflictDetails(
  details: ConflictDetail[],
  { scopes }: Caller,
  targetType: TargetType,
): Pick<ConflictDetail, 'field'>[] {
  if (scopes.has('edits:read') || scopes.has(TARGET_READ_SCOPES[targetType])) return details;
  return details.map(({ field }) => ({ field }));
}
