import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { IsOptionalNotNull } from '../../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../../platform/validation/nested.decorator.js';
import { type Page, PageQuery } from '../../../platform/database/keyset-pagination.js';
import { IsCsvArray, IsRfc3339 } from '../../../platform/validation/query-values.decorator.js';
import { IsText } from '../../../platform/validation/text.decorator.js';
import type { BoundingBox } from '../../regions/geo.js';
import { IsBoundingBox } from '../../regions/is-bounding-box.decorator.js';
import type { MergeState } from '../rules/edit-merge.js';
import type { EditAction } from '../rules/edit-rules.service.js';
import type { EditResponse } from '../edit.dto.js';
import {
  EDIT_STATUSES,
  EDIT_TYPES,
  type EditStatus,
  type EditType,
  TARGET_TYPES,
  type TargetType,
} from '../edit.entity.js';
import type { FieldChange, FieldValue } from '../../history/entity-version.entity.js';

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

const VIEW_INCLUDES = ['target', 'permissions'] as const;
export type ViewInclude = (typeof VIEW_INCLUDES)[number];

/** `mine`, or `reviewable`: others' that the person could review, the queue of reviewers. */
const EDIT_SELECTIONS = ['mine', 'reviewable'] as const;

export class EditsFilter {
  @IsIn(EDIT_SELECTIONS)
  which!: (typeof EDIT_SELECTIONS)[number];

  /** Of what is reviewable, the open ones unless said. */
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];

  @IsOptionalNotNull()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @IsOptionalNotNull()
  @IsText(1, 40)
  targetId?: string;

  @IsOptionalNotNull()
  @IsText(1, 40)
  regionId?: string;

  /** West, south, east, north: where the target lies, or would. */
  @IsOptionalNotNull()
  @IsBoundingBox()
  bbox?: BoundingBox;

  @IsOptionalNotNull()
  @IsRfc3339()
  createdSince?: Date;
}

/** Which edits are looked at: these ids, or what a filter finds. */
export class ViewEditsRequest {
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  ids?: string[];

  @IsOptionalNotNull()
  @Nested(() => EditsFilter)
  filter?: EditsFilter;

  @IsOptionalNotNull()
  @IsArray()
  @ArrayUnique()
  @IsIn(VIEW_INCLUDES, { each: true })
  include?: ViewInclude[];

  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsString()
  cursor?: string | null;
}

/** What an edit would do to a field, beside what is there now. */
export interface FieldDiff extends FieldChange {
  label: string;
  current: FieldValue;
  state: MergeState;
}

/** An edit as it is looked at. */
export interface EditView {
  edit: EditResponse;
  /** In plain text: whoever shows it as HTML escapes it. */
  summary: string;
  diff: FieldDiff[];
  /** Whether it is open, and somebody has changed the same meanwhile. */
  conflicted: boolean;
  /** Whether the account of who suggested it is blocked. */
  authorBlocked: boolean;
  target?: { id: string; version: number; title: string } | null;
  permissions?: { action: EditAction; allowed: boolean; reason?: string }[];
}

export interface EditViewPage extends Page<EditView> {
  /** Ids of edits that do not exist, or that the caller may not see. */
  missing: string[];
}
