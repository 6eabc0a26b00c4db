import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../../identity/accounts/account.entity.js';
import { toForbiddenError, type PermissionDenial } from '../../../identity/accounts/account-permissions.js';
import type { FieldValues } from '../../history/entity-version.entity.js';
import { HistoryService } from '../../history/history.service.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { mergeEdit } from './edit-merge.js';
import {
  checkReviewPermission,
  checkSupersedePermission,
  type ReviewSubject,
  type ReviewAction,
} from './edit-permissions.js';
import { EditTargetsService, type Target } from '../edit-targets.service.js';
import type { Edit } from '../edit.entity.js';
import { type InverseEdit, invertEdit } from '../edit-factory.js';

/** Every action on an edit. */
export const EDIT_ACTIONS = ['supersede', 'accept', 'reject', 'revert'] as const;
export type EditAction = (typeof EDIT_ACTIONS)[number];

/** What would be written, or why nothing is: the same for who asks whether and for who does it. */
export type EditRuleResult = FieldValues | ApiError;

/** Whether something can be done with an edit now: may this person, does its state let them, and does its target? */
@Injectable()
export class EditRulesService {
  constructor(
    private readonly targets: EditTargetsService,
    private readonly history: HistoryService,
  ) {}

  /** @param tx what to read with: a transaction for who acts, a repository's manager for who asks */
  async evaluate(
    tx: EntityManager,
    action: EditAction,
    person: Account,
    edit: Edit,
    target: Target | undefined,
  ): Promise<EditRuleResult> {
    const refusal = checkPermission(action, person, edit, target);
    if (refusal) return toForbiddenError(refusal);
    const unready = checkStatus(action, edit);
    if (unready) return unready;
    if (action === 'reject') return {};
    if (action === 'supersede') return checkTargetExists(edit, target);
    return this.evaluateMerge(tx, action === 'accept' ? edit : await this.findInverse(tx, edit), target);
  }

  /** What takes an accepted edit back. */
  async findInverse(tx: EntityManager, edit: Edit): Promise<InverseEdit> {
    const { type, targetId, resultVersion, changes } = edit;
    const applied = type === 'update' ? await this.history.findChanges(tx, targetId!, resultVersion!) : null;
    return invertEdit(edit, applied ?? changes);
  }

  private async evaluateMerge(
    tx: EntityManager,
    edit: InverseEdit,
    target: Target | undefined,
  ): Promise<EditRuleResult> {
    const store = this.targets.getStore(edit.targetType);
    const outcome = mergeEdit(edit, target, target ? store.toFieldValues(target) : {});
    if (outcome instanceof ApiError) return outcome;
    const restored = edit.type === 'create' && target ? store.toFieldValues(target) : outcome;
    return (await store.validateReferences?.(restored, tx)) ?? outcome;
  }
}

/** What rules about reviewing look at. */
export function toReviewSubject(edit: Edit, target: Target | undefined): ReviewSubject {
  const moves = edit.type === 'update' && edit.changes.some(({ field }) => field === 'location');
  const lies = target ? (target.regionId ?? null) : edit.regionId;
  const { type, targetType, authorId, reverts, decidedAt } = edit;
  const regions = moves ? [lies, edit.regionId, edit.destinationRegionId] : [lies];
  return { type, targetType, authorId, reverts, decidedAt, regions, locked: (target?.lockedAt ?? null) !== null };
}

function checkPermission(
  action: EditAction,
  person: Account,
  edit: Edit,
  target: Target | undefined,
): PermissionDenial | null {
  if (action === 'supersede') return checkSupersedePermission(person, edit);
  return checkReviewPermission(person, toReviewSubject(edit, target), action satisfies ReviewAction);
}

function checkStatus(action: EditAction, { status }: Edit): ApiError | undefined {
  if (action === 'revert') {
    if (status === 'accepted') return undefined;
    return new ApiError(409, 'edit_not_accepted', `This edit is ${status}, so there is nothing to revert.`);
  }
  return status === 'open' ? undefined : new ApiError(409, 'edit_not_open', `This edit is ${status} already.`);
}

function checkTargetExists({ targetId, targetType }: Edit, target: Target | undefined): EditRuleResult {
  if (targetId === null || (target && !target.deletedAt)) return {};
  return new ApiError(410, 'gone', `This ${targetType} was deleted.`);
}
