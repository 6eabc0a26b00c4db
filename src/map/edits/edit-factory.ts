import type { Actor } from '../../identity/scopes/caller.decorator.js';
import { generateId } from '../../platform/database/ids.js';
import type { EditRow, EditType, TargetType } from './edit.entity.js';
import type { ProposedChange } from './rules/edit-changes.js';

/** The members of a suggestion that are stored as they were sent. */
interface NewEdit {
  type: EditType;
  targetType: TargetType;
  baseVersion?: number | null | undefined;
  comment?: string | null | undefined;
  sourceUrl?: string | null | undefined;
  supersedes?: string | null | undefined;
}

/** Target, location and changes of a new edit. */
export type EditTargetData = Pick<
  EditRow,
  'targetId' | 'regionId' | 'destinationRegionId' | 'latE7' | 'lonE7' | 'changes'
>;

/** Creates an open edit by the caller. */
export function createEdit(
  caller: Actor,
  { type, targetType, baseVersion, comment, sourceUrl, supersedes }: NewEdit,
  targetData: EditTargetData,
): EditRow {
  const now = new Date();
  return {
    id: generateId('edt'),
    type,
    status: 'open',
    targetType,
    baseVersion: baseVersion ?? null,
    ...targetData,
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

/** Creates the edit that reverts another: by the reviewer, and accepted immediately. */
export function createInverseEdit(
  { regionId, destinationRegionId, latE7, lonE7, resultVersion: baseVersion }: EditRow,
  { type, targetType, targetId, changes, reverts }: ProposedChange,
  caller: Actor,
  comment: string | null | undefined,
): EditRow {
  const isMove = changes.some(({ field }) => field === 'location');
  const regions = isMove
    ? { regionId: destinationRegionId, destinationRegionId: regionId }
    : { regionId, destinationRegionId: null };
  const targetData = { targetId, latE7, lonE7, changes, ...regions };
  const inverse = createEdit(caller, { type, targetType, baseVersion, comment }, targetData);
  return {
    ...inverse,
    status: 'accepted',
    decidedAt: inverse.createdAt,
    decidedById: caller.accountId,
    decisionComment: inverse.comment,
    reverts,
  };
}
