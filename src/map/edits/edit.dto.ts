import { IsIn, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FieldChange } from '../history/entity-version.entity.js';
import { PageQuery } from '../../platform/database/keyset-pagination.js';
import { IsRfc3339, IsCsvArray } from '../../platform/validation/query-values.decorator.js';
import { IsHttpsUrl, IsText } from '../../platform/validation/text.decorator.js';
import {
  type Edit,
  EDIT_STATUSES,
  EDIT_TYPES,
  type EditStatus,
  type EditType,
  TARGET_TYPES,
  type TargetType,
} from './edit.entity.js';

/** Which of a person's edits are wanted. */
export class MyEditsQuery extends PageQuery {
  @IsOptional()
  @IsCsvArray()
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];

  @IsOptional()
  @IsCsvArray()
  @IsIn(EDIT_TYPES, { each: true })
  type?: EditType[];

  @IsOptional()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @IsOptional()
  @IsText(1, 40)
  targetId?: string;

  @IsOptional()
  @IsRfc3339()
  createdSince?: Date;

  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @IsOptional()
  @IsIn(['createdAt', 'updatedAt'])
  sort?: 'createdAt' | 'updatedAt';
}

/** What the column of a version holds. */
const MAX_VERSION = 2 ** 31 - 1;

export class SuggestEditRequest {
  @IsIn(EDIT_TYPES)
  type!: EditType;

  @IsIn(TARGET_TYPES)
  targetType!: TargetType;

  @IsOptional()
  @IsString()
  targetId?: string | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  baseVersion?: number | null;

  /** The target's fields; those that are to be cleared are `null`. Checked as the target says. */
  @IsOptional()
  @IsObject()
  changes?: Record<string, unknown> | null;

  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;

  @IsOptional()
  @IsHttpsUrl()
  sourceUrl?: string | null;

  /** An open edit of one's own that this one takes the place of. */
  @IsOptional()
  @IsString()
  supersedes?: string | null;
}

/** What a reviewer may say. */
export class EditDecision {
  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;
}

export class AcceptEditRequest extends EditDecision {
  /** The version of the target that the reviewer saw. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  expectedTargetVersion?: number | null;
}

/** Who is told no must learn why. */
export class RejectEditRequest {
  @IsText(3, 1000)
  comment!: string;
}

type PersonSummary = { id: string; username: string };

/** An edit, as apps read it. */
export interface EditResponse {
  id: string;
  type: EditType;
  status: EditStatus;
  targetType: TargetType;
  targetId: string | null;
  baseVersion: number | null;
  regionId: string | null;
  changes: FieldChange[];
  comment: string | null;
  sourceUrl: string | null;
  author: PersonSummary;
  client: { id: string; name: string };
  createdAt: string;
  decidedAt: string | null;
  decidedBy: PersonSummary | null;
  decisionComment: string | null;
  resultVersion: number | null;
  supersedes: string | null;
  reverts: string | null;
  revertedBy: string | null;
}

/** What a write answers: the edit's id and state; all of it, if the app may read edits too. */
export type EditWriteResponse = Pick<EditResponse, 'id' | 'status' | 'targetId' | 'resultVersion'> &
  Partial<EditResponse>;

export function toEditResponse(edit: Edit): EditResponse {
  const { id, type, status, targetType, targetId, baseVersion, regionId, changes, comment, sourceUrl } = edit;
  const { decisionComment, resultVersion, supersedes, reverts, revertedBy } = edit;
  return {
    id,
    type,
    status,
    targetType,
    targetId,
    baseVersion,
    regionId,
    changes,
    comment,
    sourceUrl,
    author: toPersonSummary(edit.author),
    client: { id: edit.app.id, name: edit.app.name },
    createdAt: edit.createdAt.toISOString(),
    decidedAt: edit.decidedAt?.toISOString() ?? null,
    decidedBy: edit.decidedBy && toPersonSummary(edit.decidedBy),
    decisionComment,
    resultVersion,
    supersedes,
    reverts,
    revertedBy,
  };
}

function toPersonSummary({ id, username }: PersonSummary): PersonSummary {
  return { id, username };
}
