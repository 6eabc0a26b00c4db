import { newId } from '../database/ids.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { SuggestEdit } from './edit.dto.js';
import type { Edit } from './edit.entity.js';

/** An edit as it is stored, without the people and the app that its ids name. */
export type EditRow = Omit<Edit, 'author' | 'app' | 'decidedBy'>;

/** A suggestion, open until somebody decides. */
export function newEdit(
  caller: Caller,
  { type, targetType, baseVersion, comment, sourceUrl }: SuggestEdit,
  found: Pick<EditRow, 'targetId' | 'regionId' | 'changes'>,
): EditRow {
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
    createdAt: new Date(),
    decidedAt: null,
    decidedById: null,
    decisionComment: null,
    resultVersion: null,
    supersedes: null,
    reverts: null,
    revertedBy: null,
  };
}

const INVERSE = { create: 'delete', update: 'update', delete: 'create' } as const;

/** The edit that takes another back: by the reviewer, and accepted as it is made. */
export function inverseOf(edit: Edit, caller: Caller, comment: string | null | undefined): EditRow {
  const { targetType, targetId, regionId, resultVersion: baseVersion } = edit;
  const changes = edit.changes.map(({ field, from, to }) => ({ field, from: to, to: from }));
  const inverse = newEdit(
    caller,
    { type: INVERSE[edit.type], targetType, baseVersion, comment },
    { targetId, regionId, changes: edit.type === 'update' ? changes : [] },
  );
  return {
    ...inverse,
    status: 'accepted',
    decidedAt: inverse.createdAt,
    decidedById: caller.accountId,
    decisionComment: inverse.comment,
    reverts: edit.id,
  };
}
