import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { IsOptionalNotNull } from '../../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../../platform/validation/nested.decorator.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import type { EditAction } from '../rules/edit-status.js';
import { TARGET_TYPES, type TargetType } from '../edit.entity.js';

/**
 * An edit (`editId`), a target (`targetType`, `targetId`), or a creation (`targetType`, `type:
 * create`).
 */
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

/** Evaluation of permissions for several items. */
export class EvaluatePermissionsRequest {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => PermissionItem, { each: true })
  items!: PermissionItem[];
}

/** Whether an action is allowed: the person and the app must both be allowed (spec §5, rule 5). */
export interface ActionPermission {
  allowed: boolean;
  person: boolean;
  app: boolean;
  reason?: string;
  requiredScope?: Scope;
}

/** Actions on a target, or on edits of a target. */
export type TargetAction = 'suggestCreate' | 'suggestUpdate' | 'suggestDelete' | 'reviewUpdates' | 'reviewDeletes';

/**
 * Permissions for one item. `found` is false if the object does not exist or the caller cannot read
 * it.
 */
export type ItemPermissions = PermissionItem &
  ({ found: true; actions: Partial<Record<EditAction | TargetAction, ActionPermission>> } | { found: false });

/** Permissions in the order of the request, and the person's quota of open edits. */
export interface EvaluatePermissionsResponse {
  data: ItemPermissions[];
  quota: { openEdits: number; openEditsMax: number };
}
