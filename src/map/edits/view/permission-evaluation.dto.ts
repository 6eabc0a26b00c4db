import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { IsOptionalNotNull } from '../../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../../platform/validation/nested.decorator.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import type { EditAction } from '../rules/edit-rules.service.js';
import { TARGET_TYPES, type TargetType } from '../edit.entity.js';

/** An edit (`editId`), something that edits change (`targetType`, `targetId`), or a draft (`targetType`, `type: create`). */
export class PermissionItem {
  @IsOptionalNotNull()
  @IsString()
  editId?: string;

  @IsOptionalNotNull()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @IsOptionalNotNull()
  @IsString()
  targetId?: string;

  @IsOptionalNotNull()
  @IsIn(['create'])
  type?: 'create';
}

export class EvaluatePermissionsRequest {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => PermissionItem, { each: true })
  items!: PermissionItem[];
}

/** Whether an action would go through: the person may, and the app may (spec §5, rule 5). */
export interface ActionPermission {
  allowed: boolean;
  person: boolean;
  app: boolean;
  reason?: string;
  requiredScope?: Scope;
}

export type TargetAction = 'suggestCreate' | 'suggestUpdate' | 'suggestDelete' | 'reviewUpdates' | 'reviewDeletes';

/** What could be done with each item, in the order asked for; `found` is false for what the caller may not know of. */
export type ItemPermissions = PermissionItem &
  ({ found: true; actions: Partial<Record<EditAction | TargetAction, ActionPermission>> } | { found: false });

export interface EvaluatePermissionsResponse {
  data: ItemPermissions[];
  quota: { openEdits: number; openEditsMax: number };
}
