import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import { REVIEW_SCOPE, WRITE_SCOPE } from '../rules/edit-permissions.js';
import { EDIT_ACTIONS, type EditAction } from '../rules/edit-status.js';
import { type EditContext, evaluateEdit } from '../rules/evaluate-edit.js';
import type { EditDenial } from '../rules/rule-result.js';
import type { EditView } from './edit-views.dto.js';
import type { ActionPermission } from './permission-evaluation.dto.js';

/** Evaluates every action on an edit, by the rules that the actions themselves use. */
export function evaluateActions(caller: Caller, context: EditContext): Record<EditAction, ActionPermission> {
  const permissions = EDIT_ACTIONS.map((action): [EditAction, ActionPermission] => {
    const result = evaluateEdit(action, context);
    const scope = action === 'supersede' ? WRITE_SCOPE : REVIEW_SCOPE;
    return [action, toActionPermission(caller, scope, result.allowed ? null : result)];
  });
  return Object.fromEntries(permissions) as Record<EditAction, ActionPermission>;
}

/**
 * Combines the person's permission with the app's scope.
 * @param denial null if the person may do it
 */
export function toActionPermission(
  caller: Caller,
  scope: Scope,
  denial: Pick<EditDenial, 'code' | 'reason'> | null,
): ActionPermission {
  const app = caller.scopes.has(scope);
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
