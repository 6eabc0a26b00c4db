import { Injectable } from '@nestjs/common';
import type { Account } from '../../../identity/accounts/account.entity.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import { createInvalidRequestError, type ErrorDetail } from '../../../platform/errors/request-errors.js';
import { EditContextLoader } from '../edit-context.loader.js';
import { EditTargetsService, type Target, type TargetRef } from '../edit-targets.service.js';
import type { EditType, TargetType } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';
import {
  canViewEdit,
  checkReviewPermission,
  checkSuggestPermission,
  REVIEW_SCOPE,
  toReviewSubject,
  WRITE_SCOPE,
} from '../rules/edit-permissions.js';
import { SuggestionQuotaService } from '../suggest/suggestion-quota.service.js';
import type { EditContext } from '../rules/evaluate-edit.js';
import type { EditDenial } from '../rules/rule-result.js';
import { checkHasNoArtworks } from '../rules/edit-changes.js';
import {
  type ActionPermission,
  evaluateActions,
  type PermissionEvaluation,
  type PermissionItem,
  type PermissionResult,
  type TargetAction,
  toActionPermission,
  toEditQuota,
} from './permission-evaluation.dto.js';

/** Rows that were loaded for all items of a request. */
interface LoadedItems {
  caller: Caller;
  person: Account;
  /** Why the person can suggest nothing; null if the person can. */
  suggestDenial: EditDenial | null;
  /** Contexts of the edits that the caller can read, by the edit's id. */
  contexts: Map<string, EditContext>;
  findTarget: (ref: TargetRef) => Target | undefined;
}

/**
 * Evaluates permissions before an app shows a button. The writes use the same rules and evaluate
 * them again.
 */
@Injectable()
export class PermissionEvaluationService {
  constructor(
    private readonly contexts: EditContextLoader,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly accounts: AccountsStore,
    private readonly quota: SuggestionQuotaService,
  ) {}

  /** @throws DomainError `invalid` if an item has none of the three forms */
  async evaluate(caller: Caller, items: PermissionItem[]): Promise<PermissionEvaluation> {
    const errors = items.flatMap(findItemError);
    if (errors.length > 0) throw createInvalidRequestError(errors);
    const person = await this.accounts.getCaller(caller);
    const edits = await this.edits.findMany(items.flatMap(({ editId }) => editId ?? []));
    const quota = await this.quota.read(person);
    const refs = items.flatMap(({ targetType, targetId }) => (targetType && targetId ? { targetType, targetId } : []));
    const findTarget = await this.targets.loadLookup([...edits, ...refs]);
    const visible = edits
      .map((edit) => ({ edit, target: findTarget(edit) }))
      .filter(({ edit, target }) => canViewEdit(caller, person, toReviewSubject(edit, target)));
    const contexts = await this.contexts.loadMany(person, visible);
    const loaded: LoadedItems = {
      caller,
      person,
      suggestDenial:
        this.contexts.checkSuggester(person) ??
        this.quota.check(quota) ??
        checkSuggestPermission(person, quota.openEdits),
      contexts: new Map(contexts.map((context) => [context.edit.id, context])),
      findTarget,
    };
    return {
      data: items.map((item) => evaluateItem(loaded, item)),
      quota: toEditQuota(quota),
    };
  }
}

function evaluateItem(loaded: LoadedItems, item: PermissionItem): PermissionResult {
  const { caller, suggestDenial } = loaded;
  if (item.editId !== undefined) {
    const context = loaded.contexts.get(item.editId);
    if (!context) return { ...item, found: false };
    return { ...item, found: true, actions: evaluateActions(caller, context) };
  }
  const suggest = toActionPermission(caller, WRITE_SCOPE, suggestDenial);
  if (item.type === 'create') return { ...item, found: true, actions: { suggestCreate: suggest } };
  const target = loaded.findTarget({ targetType: item.targetType!, targetId: item.targetId! });
  if (!target || target.deletedAt || target.kind === 'place') return { ...item, found: false };
  return { ...item, found: true, actions: evaluateTargetActions(loaded, suggest, item.targetType!, target) };
}

function evaluateTargetActions(
  { caller, person }: LoadedItems,
  suggest: ActionPermission,
  targetType: TargetType,
  target: Target,
): Partial<Record<TargetAction, ActionPermission>> {
  const review = (type: EditType): ActionPermission => {
    const byOther = { authorId: '', regions: [target.regionId ?? null] };
    const edit = { ...byOther, type, targetType, reverts: null, decidedAt: null, locked: target.lockedAt !== null };
    return toActionPermission(caller, REVIEW_SCOPE, checkReviewPermission(person, edit, 'accept'));
  };
  const deletable = checkHasNoArtworks(target);
  const checkDeletable = (permission: ActionPermission, scope: Scope): ActionPermission =>
    permission.person && deletable ? toActionPermission(caller, scope, deletable) : permission;
  return {
    suggestUpdate: suggest,
    suggestDelete: checkDeletable(suggest, WRITE_SCOPE),
    reviewUpdates: review('update'),
    reviewDeletes: checkDeletable(review('delete'), REVIEW_SCOPE),
  };
}

/** An item has one of three forms: an edit, a target, or the creation of a target. */
function findItemError({ editId, targetType, targetId, type }: PermissionItem, index: number): ErrorDetail[] {
  const forms = [
    editId !== undefined && !targetType && targetId === undefined && !type,
    editId === undefined && targetType && targetId !== undefined && !type,
    editId === undefined && targetType && targetId === undefined && type,
  ];
  if (forms.some(Boolean)) return [];
  const path = `items.${index}`;
  const message = `${path} must have only editId, targetType and targetId, or targetType and type.`;
  return [{ path, code: 'not_together', message }];
}
