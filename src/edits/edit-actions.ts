import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import type { Refusal } from '../accounts/account-permissions.js';
import { ApiError } from '../http/api-error.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { Scope } from '../scopes/catalogue.js';
import { REVIEW_SCOPE } from './edit-permissions.js';
import type { Target } from './edit-targets.js';
import { EDIT_ACTIONS, type EditAction, type EditVerdicts } from './edit-verdicts.service.js';
import type { EditView } from './edit-views.dto.js';
import type { Edit } from './edit.entity.js';

/** Whether an action would go through: the person may, and the app may (spec §5, rule 5). */
export interface ActionAnswer {
  allowed: boolean;
  person: boolean;
  app: boolean;
  reason?: string;
  requiredScope?: Scope;
}

/** The scope that an app needs for suggestions. */
export const WRITE_SCOPE: Scope = 'edits:write';

/** What could be done with an edit now: the verdicts that the actions themselves go by. */
export async function actionsOn(
  verdicts: EditVerdicts,
  manager: EntityManager,
  caller: Caller,
  person: Account,
  edit: Edit,
  target: Target | undefined,
): Promise<Record<EditAction, ActionAnswer>> {
  const answers: [EditAction, ActionAnswer][] = [];
  for (const action of EDIT_ACTIONS) {
    const verdict = await verdicts.on(manager, action, person, edit, target);
    const scope = action === 'supersede' ? WRITE_SCOPE : REVIEW_SCOPE;
    answers.push([action, answerOf(caller, scope, verdict instanceof ApiError ? reasonOf(verdict) : null)]);
  }
  return Object.fromEntries(answers) as Record<EditAction, ActionAnswer>;
}

/** @param reason why the person may not, if they may not */
export function answerOf(caller: Caller, scope: Scope, reason: Refusal['reason'] | null): ActionAnswer {
  const app = caller.scopes.has(scope);
  if (reason !== null) return { allowed: false, person: false, app, reason };
  if (!app) return { allowed: false, person: true, app, reason: 'missing_scope', requiredScope: scope };
  return { allowed: true, person: true, app };
}

/** The same as a list, of what a view shows. */
export function allowedOf(actions: Record<EditAction, ActionAnswer>): EditView['permissions'] {
  return EDIT_ACTIONS.map((action) => {
    const { allowed, reason } = actions[action];
    return { action, allowed, ...(reason && { reason }) };
  });
}

function reasonOf(error: ApiError): string {
  const { reason, code } = error.getResponse() as { reason?: string; code: string };
  return reason ?? code;
}
