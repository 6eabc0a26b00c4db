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
import type { EditAction } from '../rules/edit-status.js';
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

/** Filters for the list of a person's own edits. */
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

/** Optional members of a view. */
const VIEW_INCLUDES = ['target', 'permissions'] as const;
export type ViewInclude = (typeof VIEW_INCLUDES)[number];

/** `mine`: the person's own edits. `reviewable`: edits of others that the person can review. */
const EDIT_SELECTIONS = ['mine', 'reviewable'] as const;

/** Filter for views of edits. */
export class EditsFilter {
  @IsIn(EDIT_SELECTIONS)
  which!: (typeof EDIT_SELECTIONS)[number];

  /** Default for `reviewable`: `open`. */
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

  /** West, south, east, north: the location of the target, or of a suggested target. */
  @IsOptionalNotNull()
  @IsBoundingBox()
  bbox?: BoundingBox;

  @IsOptionalNotNull()
  @IsRfc3339()
  createdSince?: Date;
}

/** Selection of edits to view: either ids or a filter. */
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

/** Change of a field, with the field's current value. */
export interface FieldDiff extends FieldChange {
  label: string;
  current: FieldValue;
  state: MergeState;
}

/** An edit with a summary and the state of each change. */
export interface EditView {
  edit: EditResponse;
  /** Plain text: clients that show it as HTML must escape it. */
  summary: string;
  diff: FieldDiff[];
  /** Whether the edit is open and one of its fields has changed since. */
  conflicted: boolean;
  /** Whether the author's account is blocked. */
  authorBlocked: boolean;
  target?: { id: string; version: number; title: string } | null;
  permissions?: { action: EditAction; allowed: boolean; reason?: string }[];
}

/** A page of views; for `ids`, with the ids of edits that the caller cannot read. */
export interface EditViewPage extends Page<EditView> {
  /** Ids of edits that do not exist or that the caller cannot read. */
  missing: string[];
}
