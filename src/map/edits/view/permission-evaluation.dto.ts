import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { IsOptionalNotNull, Nested } from '../../../platform/validation/members.decorator.js';
import { type Scope, SCOPES } from '../../../identity/scopes/scopes.js';
import type { SuggestionQuota } from '../suggest/suggestion-quota.service.js';
import { EDIT_ACTIONS, type EditAction, type EditContext, evaluateEdit } from '../rules/evaluate-edit.js';
import {
  ApiSchema,
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
import type { Actor } from '../../../identity/scopes/caller.decorator.js';
import { REVIEW_SCOPE, WRITE_SCOPE } from '../rules/edit-permissions.js';
import type { EditDenial } from '../rules/rule-result.js';
import type { EditView } from './edit-views.dto.js';

/**
 * An edit (`editId`), a target (`targetType`, `targetId`), or a creation (`targetType`, `type:
 * create`).
 */
@ApiSchema(
  'PermissionItem',
  'The subject of an evaluation: an edit (`editId`), a target (`targetType` and `targetId`), or a creation (`targetType` and `type`).',
)
export class PermissionItem {
  @RequestField('Id of an edit.', 'edt_01JDEM00000000000000000013')
  @IsOptionalNotNull()
  @IsString()
  editId?: string;

  @RequestField('Type of the target.', 'artwork')
  @IsOptionalNotNull()
  @IsIn(TARGET_TYPES)
  targetType?: TargetType;

  @RequestField('Id of the target. Requires `targetType`.', 'mrk_01JDEM00000000000000000015')
  @IsOptionalNotNull()
  @IsString()
  targetId?: string;

  @RequestField('Evaluates the creation of a target. Requires `targetType`.', 'create')
  @IsOptionalNotNull()
  @IsIn(['create'])
  type?: 'create';
}

/** Evaluation of permissions for several items. */
@ApiSchema('EvaluatePermissionsRequest', 'Subjects of an evaluation of permissions.')
export class EvaluatePermissionsRequest {
  @RequestField('Edits, targets and creations: 1 to 100. The response keeps their order.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Nested(() => PermissionItem, { each: true })
  items!: PermissionItem[];
}

/** Whether an action is allowed: the person and the app must both be allowed (spec §5, rule 5). */
@ApiSchema('ActionPermission', 'Whether an action is allowed.')
export class ActionPermission {
  @ResponseField(booleanSchema('Whether both the person and the app are allowed to perform the action.', false))
  allowed!: boolean;

  @ResponseField(booleanSchema('Whether the person has the permission.', true))
  person!: boolean;

  @ResponseField(booleanSchema('Whether the app has the scope.', false))
  app!: boolean;

  @OptionalResponseField(stringSchema('Reason why the action is not allowed.', 'missing_scope'))
  reason?: string;

  @OptionalResponseField(
    enumSchema(Object.keys(SCOPES), 'Scope that the app needs. Only with the reason `missing_scope`.', 'edits:review'),
  )
  requiredScope?: Scope;
}

const TARGET_ACTIONS = ['suggestCreate', 'suggestUpdate', 'suggestDelete', 'reviewUpdates', 'reviewDeletes'] as const;

/** Actions on a target, or on edits of a target. */
export type TargetAction = (typeof TARGET_ACTIONS)[number];

/** The meaning of each action. */
const ACTION_DESCRIPTIONS: Record<EditAction | TargetAction, string> = {
  supersede: 'Replace the edit with a new edit.',
  accept: 'Accept the edit.',
  reject: 'Reject the edit.',
  revert: 'Revert the accepted edit.',
  suggestCreate: 'Suggest a new artwork or artist.',
  suggestUpdate: 'Suggest a change of the target.',
  suggestDelete: 'Suggest the deletion of the target.',
  reviewUpdates: 'Review edits that change the target.',
  reviewDeletes: 'Review edits that delete the target.',
};

/**
 * Permissions for one item. `found` is false if the object does not exist or the actor cannot read
 * it.
 */
@ApiSchema('PermissionResult', 'The permissions for one subject.')
export class PermissionResult {
  @OptionalResponseField(stringSchema('Id of the edit, as in the request.', 'edt_01JDEM00000000000000000010'))
  editId?: string;

  @OptionalResponseField(enumSchema(TARGET_TYPES, 'Type of the target, as in the request.'))
  targetType?: TargetType;

  @OptionalResponseField(stringSchema('Id of the target, as in the request.', 'mrk_01JDEM00000000000000000010'))
  targetId?: string;

  @OptionalResponseField(enumSchema(['create'], '`create`, as in the request.'))
  type?: 'create';

  @ResponseField(booleanSchema('Whether the edit or target exists and the caller can read it.', true))
  found!: boolean;

  @OptionalResponseField({
    type: 'object',
    description: 'Permissions, by action. Only if `found` is `true`.',
    properties: Object.fromEntries(
      [...EDIT_ACTIONS, ...TARGET_ACTIONS].map((name) => [
        name,
        { dto: ActionPermission, description: ACTION_DESCRIPTIONS[name] },
      ]),
    ),
    required: [],
  })
  actions?: Partial<Record<EditAction | TargetAction, ActionPermission>>;
}

/** The numbers of edits that a person suggested, and their limits. */
@ApiSchema('EditQuota', 'The numbers of edits that the person suggested, and their limits.')
export class EditQuota {
  @ResponseField(integerSchema('Number of open edits of the person.', 3))
  openEdits!: number;

  @ResponseField(integerSchema('Maximum number of open edits of the person.', 50))
  openEditsMax!: number;

  @ResponseField(integerSchema('Number of edits that the person suggested through any app in the last hour.', 3))
  hourlyEdits!: number;

  @ResponseField(integerSchema('Maximum number of edits in an hour. It grows with accepted edits.', 30))
  hourlyEditsMax!: number;
}

/** Maps a quota to the response. */
export function toEditQuota({ openEdits, openEditsMax, hourlyEdits, hourlyEditsMax }: SuggestionQuota): EditQuota {
  return { openEdits, openEditsMax, hourlyEdits, hourlyEditsMax };
}

/** Permissions in the order of the request, and the person's quota of edits. */
@ApiSchema('PermissionEvaluation', 'Permissions in the order of the request, and the quota of the person.')
export class PermissionEvaluation {
  @ResponseField(arraySchema(PermissionResult, 'One result for each subject of the request.'))
  data!: PermissionResult[];

  @ResponseField({ dto: EditQuota, description: 'Numbers of edits, and their limits.' })
  quota!: EditQuota;
}

/** Evaluates every action on an edit, by the rules that the actions themselves use. */
export function evaluateActions(actor: Actor, context: EditContext): Record<EditAction, ActionPermission> {
  const permissions = EDIT_ACTIONS.map((action): [EditAction, ActionPermission] => {
    const result = evaluateEdit(action, context);
    const scope = action === 'supersede' ? WRITE_SCOPE : REVIEW_SCOPE;
    return [action, toActionPermission(actor, scope, result.allowed ? null : result)];
  });
  return Object.fromEntries(permissions) as Record<EditAction, ActionPermission>;
}

/**
 * Combines the person's permission with the app's scope.
 * @param denial null if the person may do it
 */
export function toActionPermission(
  actor: Actor,
  scope: Scope,
  denial: Pick<EditDenial, 'code' | 'reason'> | null,
): ActionPermission {
  const app = actor.scopes.has(scope);
  if (denial) return { allowed: false, person: false, app, reason: denial.reason ?? denial.code };
  if (!app) return { allowed: false, person: true, app, reason: 'missing_scope', requiredScope: scope };
  return { allowed: true, person: true, app };
}

/** Converts permissions by action to the list of a view. */
export function toPermissionList(actions: Record<EditAction, ActionPermission>): EditView['permissions'] {
  return EDIT_ACTIONS.map((action) => {
    const { allowed, reason } = actions[action];
    return { action, allowed, ...(reason && { reason }) };
  });
}
