import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { Nested } from '../http/nested.js';
import type { ActionAnswer } from './edit-actions.js';
import type { EditAction } from './edit-verdicts.service.js';
import { TARGET_TYPES, type TargetType } from './edit.entity.js';

/** An edit (`editId`), something that edits change (`targetType`, `targetId`), or a draft (`targetType`, `type: create`). */
export class PermissionItem {
  @IsOptional()
  @IsString()
  editId?: string;

  @IsOptional()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @IsOptional()
  @IsString()
  targetId?: string;

  @IsOptional()
  @IsIn(['create'])
  type?: 'create';
}

export class EvaluatePermissions {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => PermissionItem, { each: true })
  items!: PermissionItem[];
}

export type TargetAction = 'suggestCreate' | 'suggestUpdate' | 'suggestDelete' | 'reviewUpdates' | 'reviewDeletes';

/** What could be done with each item, in the order asked for; `found` is false for what the caller may not know of. */
export type ItemAnswer = PermissionItem &
  ({ found: true; actions: Partial<Record<EditAction | TargetAction, ActionAnswer>> } | { found: false });

export interface Evaluation {
  data: ItemAnswer[];
  quota: { openEdits: number; openEditsMax: number };
}
