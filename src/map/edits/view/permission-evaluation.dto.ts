import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { IsOptionalNotNull } from '../../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../../platform/validation/nested.decorator.js';
import { type Scope, SCOPES } from '../../../identity/scopes/scopes.js';
import { EDIT_ACTIONS, type EditAction } from '../rules/edit-status.js';
import {
  ApiSchema,
  InlineApiSchema,
  OptionalResponseField,
  RequestField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  booleanSchema,
  enumSchema,
  integerSchema,
  stringSchema,
} from '../../../platform/openapi/json-schema.js';
import { TARGET_TYPES, type TargetType } from '../edit.entity.js';

/**
 * An edit (`editId`), a target (`targetType`, `targetId`), or a creation (`targetType`, `type:
 * create`).
 */
@ApiSchema(
  'PermissionItem',
  'An edit (`editId`), a target (`targetType`, `targetId`), or a creation (`targetType`, `type`).',
)
export class PermissionItem {
  @RequestField('An edit.', 'edt_01JDEM00000000000000000013')
  @IsOptionalNotNull()
  @IsString()
  editId?: string;

  @RequestField('What a target is, or a new one would be.', 'artwork')
  @IsOptionalNotNull()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @RequestField('A target.', 'mrk_01JDEM00000000000000000015')
  @IsOptionalNotNull()
  @IsString()
  targetId?: string;

  @RequestField('For one that is yet to be made.', 'create')
  @IsOptionalNotNull()
  @IsIn(['create'])
  type?: 'create';
}

/** Evaluation of permissions for several items. */
@ApiSchema('EvaluatePermissionsRequest', 'What is asked about.')
export class EvaluatePermissionsRequest {
  @RequestField('What is asked about.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => PermissionItem, { each: true })
  items!: PermissionItem[];
}

/** Whether an action is allowed: the person and the app must both be allowed (spec §5, rule 5). */
@ApiSchema('ActionPermission', 'Whether an action would go through.')
export class ActionPermission {
  @ResponseField(booleanSchema('Whether the person may, and the app.', false))
  allowed!: boolean;

  @ResponseField(booleanSchema('Whether the person may.', true))
  person!: boolean;

  @ResponseField(booleanSchema('Whether the app has the scope.', false))
  app!: boolean;

  @OptionalResponseField(stringSchema('Why not.', 'missing_scope'))
  reason?: string;

  @OptionalResponseField(enumSchema(Object.keys(SCOPES), 'The scope that the app lacks.', 'edits:review'))
  requiredScope?: Scope;
}

const TARGET_ACTIONS = ['suggestCreate', 'suggestUpdate', 'suggestDelete', 'reviewUpdates', 'reviewDeletes'] as const;

/** Actions on a target, or on edits of a target. */
export type TargetAction = (typeof TARGET_ACTIONS)[number];

/**
 * Permissions for one item. `found` is false if the object does not exist or the caller cannot read
 * it.
 */
@InlineApiSchema('What could be done with an item.')
export class ItemPermissions {
  @OptionalResponseField(stringSchema('As it was asked for.', 'edt_01JDEM00000000000000000010'))
  editId?: string;

  @OptionalResponseField(enumSchema(TARGET_TYPES, 'As it was asked for.'))
  targetType?: TargetType;

  @OptionalResponseField(stringSchema('As it was asked for.', 'mrk_01JDEM00000000000000000010'))
  targetId?: string;

  @OptionalResponseField(enumSchema(['create'], 'As it was asked for.'))
  type?: 'create';

  @ResponseField(booleanSchema('Whether there is such a thing that the caller may know of.', true))
  found!: boolean;

  @OptionalResponseField({
    type: 'object',
    description: 'The actions that there are for it.',
    properties: Object.fromEntries(
      [...EDIT_ACTIONS, ...TARGET_ACTIONS].map((name) => [name, { dto: ActionPermission }]),
    ),
    required: [],
  })
  actions?: Partial<Record<EditAction | TargetAction, ActionPermission>>;
}

/** The number of open edits of a person, and its limit. */
@InlineApiSchema('How many edits of the person can be open at once.')
export class EditQuota {
  @ResponseField(integerSchema('How many are.', 3))
  openEdits!: number;

  @ResponseField(integerSchema('How many can be.', 50))
  openEditsMax!: number;
}

/** Permissions in the order of the request, and the person's quota of open edits. */
@ApiSchema('Evaluation', 'What could be done, in the order asked for.')
export class EvaluatePermissionsResponse {
  @ResponseField(arraySchema(ItemPermissions))
  data!: ItemPermissions[];

  @ResponseField(EditQuota)
  quota!: EditQuota;
}
