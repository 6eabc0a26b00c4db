import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, Min } from 'class-validator';
import { Nested } from '../http/nested.js';
import { PageQuery } from '../http/paging.js';
import { HttpsAddress, Text } from '../http/text.js';
import {
  type Change,
  type Edit,
  EDIT_STATUSES,
  EDIT_TYPES,
  type EditStatus,
  type EditType,
  TARGET_TYPES,
  type TargetType,
} from './edit.entity.js';

export class MyEditsQuery extends PageQuery {
  /** Repeated, or separated by commas. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat().flatMap((one) => String(one).split(',')))
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];
}

export class SuggestEdit {
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
  baseVersion?: number | null;

  /** The target's fields; those that are to be cleared are `null`. Checked as the target says. */
  @IsOptional()
  @IsObject()
  changes?: Record<string, unknown> | null;

  @IsOptional()
  @Text(0, 1000)
  comment?: string | null;

  @IsOptional()
  @HttpsAddress()
  sourceUrl?: string | null;
}

/** What a reviewer may say. */
export class Decision {
  @IsOptional()
  @Text(0, 1000)
  comment?: string | null;
}

/** Who is told no must learn why. */
export class Rejection {
  @Text(3, 1000)
  comment!: string;
}

export class ViewEdits {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  ids!: string[];
}

export class PermissionItem {
  @IsString()
  editId!: string;
}

export class EvaluatePermissions {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => PermissionItem, { each: true })
  items!: PermissionItem[];
}

type Person = { id: string; username: string };

/** An edit, as apps read it. */
export interface EditResponse {
  id: string;
  type: EditType;
  status: EditStatus;
  targetType: TargetType;
  targetId: string | null;
  baseVersion: number | null;
  regionId: string | null;
  changes: Change[];
  comment: string | null;
  sourceUrl: string | null;
  author: Person;
  client: { id: string; name: string };
  createdAt: string;
  decidedAt: string | null;
  decidedBy: Person | null;
  decisionComment: string | null;
  resultVersion: number | null;
  supersedes: string | null;
  reverts: string | null;
  revertedBy: string | null;
}

/** What a write answers: the edit's id and state; all of it, if the app may read edits too. */
export type WrittenEdit = Pick<EditResponse, 'id' | 'status' | 'targetId' | 'resultVersion'> & Partial<EditResponse>;

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
    author: personOf(edit.author),
    client: { id: edit.app.id, name: edit.app.name },
    createdAt: edit.createdAt.toISOString(),
    decidedAt: edit.decidedAt?.toISOString() ?? null,
    decidedBy: edit.decidedBy && personOf(edit.decidedBy),
    decisionComment,
    resultVersion,
    supersedes,
    reverts,
    revertedBy,
  };
}

function personOf({ id, username }: Person): Person {
  return { id, username };
}
