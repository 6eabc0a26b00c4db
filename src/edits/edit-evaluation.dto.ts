import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { IfGiven } from '../http/if-given.js';
import { Nested } from '../http/nested.js';
import type { ActionAnswer } from './edit-actions.js';
import type { EditAction } from './edit-verdicts.service.js';
import { TARGET_TYPES, type TargetType } from './edit.entity.js';

/** An edit (`editId`), something that edits change (`targetType`, `targetId`), or a draft (`targetType`, `type: create`). */
export class PermissionItem {
  @IfGiven()
  @IsString()
  editId?: string;

  @IfGiven()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @IfGiven()
  @IsString()
  targetId?: string;

  @IfGiven()
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
