import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../../identity/accounts/account.entity.js';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { invalidRequest } from '../../../platform/http/api-validation.pipe.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import { evaluateActions, toActionPermission, WRITE_SCOPE } from './action-permissions.js';
import type {
  ActionPermission,
  EvaluatePermissionsResponse,
  ItemPermissions,
  PermissionItem,
  TargetAction,
} from './permission-evaluation.dto.js';
import {
  checkReviewPermission,
  canView,
  checkSuggestPermission,
  getMaxOpenEdits,
  REVIEW_SCOPE,
} from '../rules/edit-permissions.js';
import { EditTargetsService, type Target, type TargetRef } from '../edit-targets.service.js';
import { EditRulesService, toReviewSubject } from '../rules/edit-rules.service.js';
import type { Edit, EditType, TargetType } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';

/** What has been looked up for the items of a request. */
interface EvaluationContext {
  caller: Caller;
  person: Account;
  openEditCount: number;
  editsById: Map<string, Edit>;
  lookupTarget: (ref: TargetRef) => Target | undefined;
}

/** Says before an app shows a button whether it would work: advice, by the rules that the writes themselves go by. */
@Injectable()
export class PermissionEvaluationService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly rules: EditRulesService,
    private readonly accounts: AccountsService,
  ) {}

  async evaluate(caller: Caller, items: PermissionItem[]): Promise<EvaluatePermissionsResponse> {
    items.forEach(validateItem);
    const person = await this.accounts.get(caller.accountId);
    const edits = await this.edits.findMany(items.flatMap(({ editId }) => editId ?? []));
    const asked = items.flatMap(({ targetType, targetId }) => (targetType && targetId ? { targetType, targetId } : []));
    const known: EvaluationContext = {
      caller,
      person,
      openEditCount: await this.edits.countOpen(person.id),
      editsById: new Map(edits.map((edit) => [edit.id, edit])),
      lookupTarget: await this.targets.loadLookup([...edits, ...asked]),
    };
    const data: ItemPermissions[] = [];
    for (const item of items) data.push(await this.evaluateItem(known, item));
    return { data, quota: { openEdits: known.openEditCount, openEditsMax: getMaxOpenEdits(person) } };
  }

  private async evaluateItem(known: EvaluationContext, item: PermissionItem): Promise<ItemPermissions> {
    if (item.editId !== undefined) return this.evaluateEditItem(known, item, item.editId);
    const suggest = toActionPermission(
      known.caller,
      WRITE_SCOPE,
      checkSuggestPermission(known.person, known.openEditCount)?.reason ?? null,
    );
    if (item.type === 'create') return { ...item, found: true, actions: { suggestCreate: suggest } };
    const target = known.lookupTarget({ targetType: item.targetType!, targetId: item.targetId! });
    if (!target || target.deletedAt || target.kind === 'place') return { ...item, found: false };
    return { ...item, found: true, actions: evaluateTargetActions(known, suggest, item.targetType!, target) };
  }

  private async evaluateEditItem(
    { caller, person, ...known }: EvaluationContext,
    item: PermissionItem,
    id: string,
  ): Promise<ItemPermissions> {
    const edit = known.editsById.get(id);
    const target = edit && known.lookupTarget(edit);
    if (!edit || !canView(caller, person, toReviewSubject(edit, target))) return { ...item, found: false };
    return {
      ...item,
      found: true,
      actions: await evaluateActions(this.rules, this.manager, caller, person, edit, target),
    };
  }
}

function evaluateTargetActions(
  { caller, person }: EvaluationContext,
  suggest: ActionPermission,
  targetType: TargetType,
  target: Target,
): Partial<Record<TargetAction, ActionPermission>> {
  const review = (type: EditType): ActionPermission => {
    const others = { authorId: '', regions: [target.regionId ?? null] };
    const edit = { ...others, type, targetType, reverts: null, decidedAt: null, locked: target.lockedAt !== null };
    return toActionPermission(caller, REVIEW_SCOPE, checkReviewPermission(person, edit, 'accept')?.reason ?? null);
  };
  return {
    suggestUpdate: suggest,
    suggestDelete: suggest,
    reviewUpdates: review('update'),
    reviewDeletes: review('delete'),
  };
}

/** @throws ApiError 400 where an item is none of the three */
function validateItem({ editId, targetType, targetId, type }: PermissionItem, at: number): void {
  const forms = [
    editId !== undefined && !targetType && targetId === undefined && !type,
    editId === undefined && targetType && targetId !== undefined && !type,
    editId === undefined && targetType && targetId === undefined && type,
  ];
  if (forms.some(Boolean)) return;
  const message = 'An item is an editId, a targetType with a targetId, or a targetType with type create.';
  throw invalidRequest([{ path: `items.${at}`, code: 'not_together', message }]);
}
