import { newId } from '../database/ids.js';
import type { Change } from '../history/entity-version.entity.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { SuggestEdit } from './edit.dto.js';
import type { Edit } from './edit.entity.js';

/** An edit as it is stored, without the people and the app that its ids name. */
export type EditRow = Omit<Edit, 'author' | 'app' | 'decidedBy'>;

/** What an edit is about, as it was found. */
export type Found = Pick<EditRow, 'targetId' | 'regionId' | 'toRegionId' | 'latE7' | 'lonE7' | 'changes'>;

/** A suggestion, open until somebody decides. */
export function newEdit(
  caller: Caller,
  { type, targetType, baseVersion, comment, sourceUrl, supersedes }: SuggestEdit,
  found: Found,
): EditRow {
  const now = new Date();
  return {
    id: newId('edt'),
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

/** The type of the edit that takes one of each type back. */
export const INVERSE = { create: 'delete', update: 'update', delete: 'create' } as const;

export function inverseChanges(changes: Change[]): Change[] {
  return changes.map(({ field, from, to }) => ({ field, from: to, to: from }));
}

/** The edit that takes another back: by the reviewer, and accepted as it is made. */
export function inverseOf(edit: EditRow, caller: Caller, comment: string | null | undefined): EditRow {
  const { targetType, targetId, regionId, toRegionId, latE7, lonE7, resultVersion: baseVersion } = edit;
  const changes = edit.type === 'update' ? inverseChanges(edit.changes) : [];
  const moves = changes.some(({ field }) => field === 'location');
  const regions = moves ? { regionId: toRegionId, toRegionId: regionId } : { regionId, toRegionId: null };
  const found = { targetId, latE7, lonE7, changes, ...regions };
  const inverse = newEdit(caller, { type: INVERSE[edit.type], targetType, baseVersion, comment }, found);
  return {
    ...inverse,
    status: 'accepted',
    decidedAt: inverse.createdAt,
    decidedById: caller.accountId,
    decisionComment: inverse.comment,
    reverts: edit.id,
  };
}
