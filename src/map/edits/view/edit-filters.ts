import {
  And,
  Between,
  Equal,
  type FindOperator,
  type FindOptionsWhere,
  In,
  IsNull,
  MoreThanOrEqual,
  Not,
  Or,
} from 'typeorm';
import { type Account, ALL_REGIONS } from '../../../identity/accounts/account.entity.js';
import { isMarkerInRegions } from '../../markers/markers.store.js';
import { toAreas } from '../../regions/geo.js';
import { type Edit, EDIT_STATUSES, type EditStatus, type TargetType } from '../edit.entity.js';
import type { EditFilter, MyEditsQuery } from './edit-views.dto.js';

/** Conditions of the edits that a reviewer's role covers. */
interface ReviewQueue {
  targetType: TargetType;
  regionId?: FindOperator<string>;
  destinationRegionId?: FindOperator<string>;
  targetId?: FindOperator<string>;
}

/** Conditions of the list of a person's own edits. */
export function toMyEditsWhere(authorId: string, query: MyEditsQuery): FindOptionsWhere<Edit> {
  const { status, type, targetType, targetId, createdSince, updatedSince } = query;
  return {
    authorId,
    ...(status && { status: In(status) }),
    ...(type && { type: In(type) }),
    ...(targetType && { targetType }),
    ...(targetId && { targetId }),
    ...(createdSince && { createdAt: MoreThanOrEqual(createdSince) }),
    ...(updatedSince && { updatedAt: MoreThanOrEqual(updatedSince) }),
  };
}

/** Conditions of a person's own edits that match a filter; any one of them must be true. */
export function toOwnWhere(person: Account, filter: EditFilter): FindOptionsWhere<Edit>[] {
  return toWhere({ authorId: person.id }, filter);
}

/** Conditions of the edits of one target that match a filter. Withdrawn edits are not shown. */
export function toTargetWhere({ status = [...EDIT_STATUSES], ...filter }: EditFilter): FindOptionsWhere<Edit>[] {
  return toWhere({}, { ...filter, status: status.filter((value) => value !== 'withdrawn') });
}

/**
 * Conditions of the edits of others that match a filter and that a person's role can cover; any one
 * of them must be true. The caller checks each edit, because the conditions do not contain all
 * rules. Default status: `open`.
 */
export function toReviewableWhere(person: Account, filter: EditFilter): FindOptionsWhere<Edit>[] {
  const { status = ['open'], targetType } = filter;
  return buildReviewQueues(person, status)
    .filter((queue) => queue.targetType === (targetType ?? queue.targetType))
    .flatMap((queue) => toWhere({ ...toReviewableSource(person, filter), ...queue }, { ...filter, status }));
}

/** A person does not review their own edits. */
function toReviewableSource(
  { id }: Account,
  { authorId, clientId }: EditFilter,
): Pick<FindOptionsWhere<Edit>, 'authorId' | 'appId'> {
  return {
    authorId: authorId === undefined ? Not(id) : And(Not(id), Equal(authorId)),
    ...(clientId !== undefined && { appId: clientId }),
  };
}

/**
 * An open edit moves with its artwork, a decided one does not: for decided edits the artwork's
 * region counts.
 */
function buildReviewQueues({ role, regions }: Account, status: EditStatus[]): ReviewQueue[] {
  if (role === 'member') return [];
  const isEverywhere = regions.includes(ALL_REGIONS);
  const artists: ReviewQueue[] = isEverywhere || role === 'moderator' ? [{ targetType: 'artist' }] : [];
  if (isEverywhere) return [{ targetType: 'artwork' }, ...artists];
  const destinationRegionId = Or(IsNull(), In(regions));
  const open: ReviewQueue = { targetType: 'artwork', regionId: In(regions), destinationRegionId };
  const decided: ReviewQueue = { targetType: 'artwork', targetId: isMarkerInRegions(regions) };
  const isOpen = (item: EditStatus): boolean => item === 'open';
  return [...(status.some(isOpen) ? [open] : []), ...(status.every(isOpen) ? [] : [decided]), ...artists];
}

/** One condition per area of the bounding box, if there is one. */
function toWhere(
  base: FindOptionsWhere<Edit> & Partial<ReviewQueue>,
  { status, targetType, targetId, regionId, bbox, createdSince }: Omit<EditFilter, 'which'>,
): FindOptionsWhere<Edit>[] {
  const where = {
    ...base,
    ...(status && { status: In(status) }),
    ...(targetType && { targetType }),
    ...(targetId !== undefined && { targetId: base.targetId ? And(base.targetId, Equal(targetId)) : targetId }),
    ...(regionId !== undefined && { regionId: base.regionId ? And(base.regionId, Equal(regionId)) : regionId }),
    ...(createdSince && { createdAt: MoreThanOrEqual(createdSince) }),
  };
  if (!bbox) return [where];
  return toAreas(bbox).map(({ west, south, east, north }) => ({
    ...where,
    latE7: Between(south, north),
    lonE7: Between(west, east),
  }));
}
