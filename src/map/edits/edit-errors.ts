import type { Actor } from '../../identity/scopes/caller.decorator.js';
import { createInsufficientScopeError } from '../../identity/scopes/bearer-token-errors.js';
import type { ApiError } from '../../platform/http/api-error.js';
import type { DomainError, DomainErrorKind } from '../../platform/errors/domain-error.js';
import { createGoneError, createNotFoundError, createNotVisibleError } from '../../platform/errors/request-errors.js';
import { toDomainError } from '../../platform/errors/denial.js';
import type { TargetType } from './edit.entity.js';
import { REVIEW_SCOPE } from './rules/edit-permissions.js';
import { TARGET_DELETED } from './rules/evaluate-edit.js';
import type { ConflictDetail, EditDenial, EditDenialCode } from './rules/rule-result.js';

const KIND_BY_CODE: Record<EditDenialCode, DomainErrorKind> = {
  not_allowed: 'forbidden',
  gone: 'gone',
  edit_not_open: 'conflict',
  edit_not_accepted: 'conflict',
  edit_conflict: 'conflict',
  revert_conflict: 'conflict',
  target_deleted: 'conflict',
  artist_has_artworks: 'conflict',
  duplicate_open_edit: 'conflict',
  limit_reached: 'unprocessable',
  quota_exceeded: 'rate_limited',
  no_changes: 'unprocessable',
  unsupported_target: 'unprocessable',
  other_target: 'unprocessable',
  unknown_artist: 'unprocessable',
};

/** The scope to read each type of target. */
const TARGET_READ_SCOPES = { artwork: 'markers:read', artist: 'artists:read' } as const;

/**
 * Maps a denial to its error. Apps that can read neither the edit nor its target get no field
 * values.
 */
export function toEditError(
  { details, duplicateId, ...denial }: EditDenial,
  actor: Actor,
  targetType: TargetType,
): DomainError {
  const duplicates = duplicateId === undefined ? undefined : [{ editId: duplicateId }];
  const visible = details ? redactConflictDetails(details, actor, targetType) : duplicates;
  return toDomainError({ ...denial, ...(visible && { details: visible }) }, KIND_BY_CODE[denial.code]);
}

/** @throws DomainError if there is a denial */
export function assertEditAllowed(denial: EditDenial | null, actor: Actor, targetType: TargetType): void {
  if (denial) throw toEditError(denial, actor, targetType);
}

/** The edit does not exist, or the actor cannot read it. */
export function createEditNotFoundError(): DomainError {
  return createNotVisibleError('edit');
}

/** The target does not exist. */
export function createTargetNotFoundError(type: TargetType): DomainError {
  return createNotFoundError(type);
}

/** The target was deleted. */
export function createTargetGoneError(type: TargetType): DomainError {
  return createGoneError(type, TARGET_DELETED);
}

/** The app does not have the scope `edits:review`. */
export function createMissingReviewScopeError(): ApiError {
  return createInsufficientScopeError(REVIEW_SCOPE);
}

function redactConflictDetails(
  details: ConflictDetail[],
  { scopes }: Actor,
  targetType: TargetType,
): Pick<ConflictDetail, 'field'>[] {
  if (scopes.has('edits:read') || scopes.has(TARGET_READ_SCOPES[targetType])) return details;
  return details.map(({ field }) => ({ field }));
}
