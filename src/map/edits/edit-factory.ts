import { generateId } from '../../platform/database/ids.js';
import type { FieldChange } from '../history/entity-version.entity.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import type { SuggestEditRequest } from './suggest/suggest-edit.dto.js';
import type { Edit } from './edit.entity.js';

/** An edit as it is stored, without the people and the app that its ids name. */
export type EditRow = Omit<Edit, 'author' | 'app' | 'decidedBy'>;

/** What an edit is about, as it was found. */
export type EditTargetData = Pick<
  EditRow,
  'targetId' | 'regionId' | 'destinationRegionId' | 'latE7' | 'lonE7' | 'changes'
>;

/** A suggestion, open until somebody decides. */
export function createEdit(
  caller: Caller,
  { type, targetType, baseVersion, comment, sourceUrl, supersedes }: SuggestEditRequest,
  found: EditTargetData,
): EditRow {
  const now = new Date();
  return {
    id: generateId('edt'),
    type,
    status: 'open',
    targetType,
    baseVersion: baseVersion ?? null,
    ...found,
    comment: comment || null,
    sourceUrl: sourceUrl ?? null,
    authorId: caller.accountId,
    appId: caller.appId,
    createdAt: now,
    updatedAt: now,
    decidedAt: null,
    decidedById: null,
    decisionComment: null,
    resultVersion: null,
    supersedes: supersedes ?? null,
    reverts: null,
    revertedBy: null,
  };
}

/** What takes an edit back: each change the other way round, a creation by a deletion, a deletion by bringing back. */
export type InverseEdit = Pick<EditRow, 'type' | 'targetType' | 'targetId' | 'changes' | 'reverts'>;

const INVERSE_TYPE = { create: 'delete', update: 'update', delete: 'create' } as const;

/** @param applied what the edit changed of its target: less than it suggested, where some of that was there already */
export function invertEdit({ id, type, targetType, targetId }: EditRow, applied: FieldChange[]): InverseEdit {
  const back = applied.map(({ field, from, to }) => ({ field, from: to, to: from }));
  return { type: INVERSE_TYPE[type], targetType, targetId, changes: type === 'update' ? back : [], reverts: id };
}

/** The edit that takes another back: by the reviewer, and accepted as it is made. */
export function createInverseEdit(
  { regionId, destinationRegionId, latE7, lonE7, resultVersion: baseVersion }: EditRow,
  { type, targetType, targetId, changes, reverts }: InverseEdit,
  caller: Caller,
  comment: string | null | undefined,
): EditRow {
  const moves = changes.some(({ field }) => field === 'location');
  const regions = moves
    ? { regionId: destinationRegionId, destinationRegionId: regionId }
    : { regionId, destinationRegionId: null };
  const found = { targetId, latE7, lonE7, changes, ...regions };
  const inverse = createEdit(caller, { type, targetType, baseVersion, comment }, found);
  return {
    ...inverse,
    status: 'accepted',
    decidedAt: inverse.createdAt,
    decidedById: caller.accountId,
    decisionComment: inverse.comment,
    reverts,
  };
}
