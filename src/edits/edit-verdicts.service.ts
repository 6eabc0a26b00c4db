import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { refused, type Refusal } from '../accounts/account-permissions.js';
import type { Fields } from '../history/entity-version.entity.js';
import { History } from '../history/history.service.js';
import { ApiError } from '../http/api-error.js';
import { outcomeOf } from './edit-outcome.js';
import { mayReview, maySupersede, type Reviewed, type ReviewAction } from './edit-permissions.js';
import { EditTargets, type Target } from './edit-targets.js';
import type { Edit } from './edit.entity.js';
import { type Inverse, inverseOf } from './new-edit.js';

/** Every action on an edit. */
export const EDIT_ACTIONS = ['supersede', 'accept', 'reject', 'revert'] as const;
export type EditAction = (typeof EDIT_ACTIONS)[number];

/** What would be written, or why nothing is: the same for who asks whether and for who does it. */
export type Verdict = Fields | ApiError;

/** Whether something can be done with an edit now: may this person, does its state let them, and does its target? */
@Injectable()
export class EditVerdicts {
  constructor(
    private readonly targets: EditTargets,
    private readonly history: History,
  ) {}

  /** @param tx what to read with: a transaction for who acts, a repository's manager for who asks */
  async on(
    tx: EntityManager,
    action: EditAction,
    person: Account,
    edit: Edit,
    target: Target | undefined,
  ): Promise<Verdict> {
    const refusal = mayDo(action, person, edit, target);
    if (refusal) return refused(refusal);
    const unready = isReady(action, edit);
    if (unready) return unready;
    if (action === 'reject') return {};
    if (action === 'supersede') return isStillThere(edit, target);
    return this.outcome(tx, action === 'accept' ? edit : await this.inverseOf(tx, edit), target);
  }

  /** What takes an accepted edit back. */
  async inverseOf(tx: EntityManager, edit: Edit): Promise<Inverse> {
    const { type, targetId, resultVersion, changes } = edit;
    const applied = type === 'update' ? await this.history.changesIn(tx, targetId!, resultVersion!) : null;
    return inverseOf(edit, applied ?? changes);
  }

  private async outcome(tx: EntityManager, edit: Inverse, target: Target | undefined): Promise<Verdict> {
    const store = this.targets.of(edit.targetType);
    const outcome = outcomeOf(edit, target, target ? store.fieldsOf(target) : {});
    if (outcome instanceof ApiError) return outcome;
    const restored = edit.type === 'create' && target ? store.fieldsOf(target) : outcome;
    return (await store.check?.(restored, tx)) ?? outcome;
  }
}

/** What rules about reviewing look at. */
export function reviewed(edit: Edit, target: Target | undefined): Reviewed {
  const moves = edit.type === 'update' && edit.changes.some(({ field }) => field === 'location');
  const lies = target ? (target.regionId ?? null) : edit.regionId;
  const { type, targetType, authorId, reverts, decidedAt } = edit;
  const regions = moves ? [lies, edit.regionId, edit.toRegionId] : [lies];
  return { type, targetType, authorId, reverts, decidedAt, regions, locked: (target?.lockedAt ?? null) !== null };
}

function mayDo(action: EditAction, person: Account, edit: Edit, target: Target | undefined): Refusal | null {
  if (action === 'supersede') return maySupersede(person, edit);
  return mayReview(person, reviewed(edit, target), action satisfies ReviewAction);
}

function isReady(action: EditAction, { status }: Edit): ApiError | undefined {
  if (action === 'revert') {
    if (status === 'accepted') return undefined;
    return new ApiError(409, 'edit_not_accepted', `This edit is ${status}, so there is nothing to revert.`);
  }
  return status === 'open' ? undefined : new ApiError(409, 'edit_not_open', `This edit is ${status} already.`);
}

function isStillThere({ targetId, targetType }: Edit, target: Target | undefined): Verdict {
  if (targetId === null || (target && !target.deletedAt)) return {};
  return new ApiError(410, 'gone', `This ${targetType} was deleted.`);
}
