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
  ValidateBy,
} from 'class-validator';
import { IfGiven } from '../http/if-given.js';
import { Nested } from '../http/nested.js';
import type { Page } from '../http/paging.js';
import { Instant } from '../http/query-values.js';
import { Text } from '../http/text.js';
import { type Box, isBox } from '../markers/search/places.js';
import type { ChangeState } from './edit-outcome.js';
import type { EditAction } from './edit-verdicts.service.js';
import type { EditResponse } from './edit.dto.js';
import { EDIT_STATUSES, type EditStatus, TARGET_TYPES, type TargetType } from './edit.entity.js';
import type { Change, FieldValue } from '../history/entity-version.entity.js';

const INCLUDES = ['target', 'permissions'] as const;
export type Include = (typeof INCLUDES)[number];

/** `mine`, or `reviewable`: others' that the person could review, the queue of reviewers. */
const WHICH = ['mine', 'reviewable'] as const;

export class EditsFilter {
  @IsIn(WHICH)
  which!: (typeof WHICH)[number];

  /** Of what is reviewable, the open ones unless said. */
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(EDIT_STATUSES, { each: true })
  status?: EditStatus[];

  @IfGiven()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @IfGiven()
  @Text(1, 40)
  targetId?: string;

  @IfGiven()
  @Text(1, 40)
  regionId?: string;

  /** West, south, east, north: where the target lies, or would. */
  @IfGiven()
  @ValidateBy(
    { name: 'isBox', validator: { validate: isBox } },
    { message: '$property takes [west, south, east, north]' },
  )
  bbox?: Box;

  @IfGiven()
  @Instant()
  createdSince?: Date;
}

/** Which edits are looked at: these ids, or what a filter finds. */
export class ViewEdits {
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  ids?: string[];

  @IfGiven()
  @Nested(() => EditsFilter)
  filter?: EditsFilter;

  @IfGiven()
  @IsArray()
  @ArrayUnique()
  @IsIn(INCLUDES, { each: true })
  include?: Include[];

  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsString()
  cursor?: string | null;
}

/** What an edit would do to a field, beside what is there now. */
export interface FieldDiff extends Change {
  label: string;
  current: FieldValue;
  state: ChangeState;
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

export interface EditViews extends Page<EditView> {
  /** Ids of edits that do not exist, or that the caller may not see. */
  missing: string[];
}
