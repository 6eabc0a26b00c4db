import type { EntityManager } from 'typeorm';
import type { Account } from '../../../identity/accounts/account.entity.js';
import type { PermissionDenial } from '../../../identity/accounts/account-permissions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import { REVIEW_SCOPE } from '../rules/edit-permissions.js';
import type { Target } from '../edit-targets.service.js';
import { EDIT_ACTIONS, type EditAction, type EditRulesService } from '../rules/edit-rules.service.js';
import type { EditView } from './edit-views.dto.js';
import type { ActionPermission } from './permission-evaluation.dto.js';
import type { Edit } from '../edit.entity.js';

/** The scope that an app needs for suggestions. */
export const WRITE_SCOPE: Scope = 'edits:write';

/** What could be done with an edit now: the verdicts that the actions themselves go by. */
export async function evaluateActions(
  verdicts: EditRulesService,
  manager: EntityManager,
  caller: Caller,
  person: Account,
  edit: Edit,
  target: Target | undefined,
): Promise<Record<EditAction, ActionPermission>> {
  const answers: [EditAction, ActionPermission][] = [];
  for (const action of EDIT_ACTIONS) {
    const verdict = await verdicts.evaluate(manager, action, person, edit, target);
    const scope = action === 'supersede' ? WRITE_SCOPE : REVIEW_SCOPE;
    answers.push([
      action,
      toActionPermission(caller, scope, verdict instanceof ApiError ? getDenialReason(verdict) : null),
    ]);
  }
  return Object.fromEntries(answers) as Record<EditAction, ActionPermission>;
}

/** @param reason why the person may not, if they may not */
export function toActionPermission(
  caller: Caller,
  scope: Scope,
  reason: PermissionDenial['reason'] | null,
): ActionPermission {
  const app = caller.scopes.has(scope);
  if (reason !== null) return { allowed: false, person: false, app, reason };
  if (!app) return { allowed: false, person: true, app, reason: 'missing_scope', requiredScope: scope };
  return { allowed: true, person: true, app };
}

/** The same as a list, of what a view shows. */
export function toPermissionList(actions: Record<EditAction, ActionPermission>): EditView['permissions'] {
  return EDIT_ACTIONS.map((action) => {
    const { allowed, reason } = actions[action];
    return { action, allowed, ...(reason && { reason }) };
  });
}

function getDenialReason(error: ApiError): string {
  const { reason, code } = error.getResponse() as { reason?: string; code: string };
  return reason ?? code;
}
