import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allow } from '../accounts/account-permissions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { Transactions } from '../database/transactions.js';
import { ApiError, notFound } from '../http/api-error.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { type EditAction, isReady, mayReview } from './edit-permissions.js';
import { EditTargets, type Fields, sameValue, type Target } from './edit-targets.js';
import type { Decision, Rejection, WrittenEdit } from './edit.dto.js';
import { type Change, Edit } from './edit.entity.js';
import { EditsService } from './edits.service.js';
import { type EditRow, inverseOf } from './new-edit.js';
import { toWrittenEdit } from './written-edit.js';

/** What became of a target. */
interface WrittenTarget {
  id: string;
  version: number;
}

export interface Accepted {
  edit: WrittenEdit;
  target: WrittenTarget;
}

export interface Reverted extends Accepted {
  revertEdit: WrittenEdit;
}

/** Deciding on others' suggestions. Each decision is one transaction: the edit, its target, or neither. */
@Injectable()
export class EditReviewsService {
  constructor(
    private readonly targets: EditTargets,
    private readonly edits: EditsService,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  /** Makes the suggested change. @throws ApiError 409 where the edit is decided, or the target has changed otherwise */
  async accept(caller: Caller, id: string, { comment }: Decision): Promise<Accepted> {
    return this.transactions.run(async (tx) => {
      const edit = await this.reviewable(tx, caller, id, 'accept');
      const target = await this.apply(tx, edit, 'edit_conflict');
      const result = { targetId: target.id, resultVersion: target.version };
      const decision = { status: 'accepted', decisionComment: comment || null, ...result } as const;
      return { edit: await this.decide(tx, caller, edit, decision), target };
    });
  }

  async reject(caller: Caller, id: string, { comment }: Rejection): Promise<{ edit: WrittenEdit }> {
    return this.transactions.run(async (tx) => {
      const edit = await this.reviewable(tx, caller, id, 'reject');
      return { edit: await this.decide(tx, caller, edit, { status: 'rejected', decisionComment: comment }) };
    });
  }

  /** Undoes an accepted edit by another that is its inverse, linked with it both ways. */
  async revert(caller: Caller, id: string, { comment }: Decision): Promise<Reverted> {
    return this.transactions.run(async (tx) => {
      const edit = await this.reviewable(tx, caller, id, 'revert');
      const inverse = inverseOf(edit, caller, comment);
      const target = await this.apply(tx, inverse, 'revert_conflict');
      await tx.insert(Edit, { ...inverse, resultVersion: target.version });
      await tx.update(Edit, { id }, { status: 'reverted', revertedBy: inverse.id });
      return {
        edit: toWrittenEdit(caller, await this.edits.written(tx, id)),
        revertEdit: toWrittenEdit(caller, await this.edits.written(tx, inverse.id)),
        target,
      };
    });
  }

  /** The edit, if this person may do this with it now. @throws ApiError 404, 403, 409, in this order */
  private async reviewable(tx: EntityManager, caller: Caller, id: string, action: EditAction): Promise<Edit> {
    const person = await this.accounts.hold(tx, caller.accountId);
    const edit = await this.edits.hold(tx, id);
    if (!edit) throw notFound('edit');
    allow(mayReview(person, edit));
    const refusal = isReady(action, edit);
    if (refusal) throw new ApiError(409, refusal.reason, refusal.sentence);
    return edit;
  }

  private async decide(
    tx: EntityManager,
    caller: Caller,
    { id }: Edit,
    decision: Pick<Edit, 'status'> & Partial<EditRow>,
  ): Promise<WrittenEdit> {
    await tx.update(Edit, { id }, { ...decision, decidedAt: new Date(), decidedById: caller.accountId });
    return toWrittenEdit(caller, await this.edits.written(tx, id));
  }

  /** Writes an edit to its target. */
  private async apply(tx: EntityManager, edit: EditRow, conflict: string): Promise<WrittenTarget> {
    const store = this.targets.of(edit.targetType);
    if (edit.targetId === null) return written(await store.create(tx, valuesOf(edit.changes)));
    const target = await store.read(tx, edit.targetId);
    if (!target) throw new Error(`The target ${edit.targetId} of edit ${edit.id} is missing.`);
    if (edit.type === 'create') await store.setDeleted(tx, target, null);
    else if (target.deletedAt)
      throw new ApiError(409, 'target_deleted', `This ${edit.targetType} was deleted meanwhile.`);
    else if (edit.type === 'delete') await store.setDeleted(tx, target, new Date());
    else await store.change(tx, target, toApply(edit.changes, store.fieldsOf(target), conflict));
    return { id: target.id, version: target.version + 1 };
  }
}

function written({ id, version }: Target): WrittenTarget {
  return { id, version };
}

function valuesOf(changes: Change[]): Fields {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}

/**
 * The values to write: each field must still be as the author saw it; one that is as it should be already is left.
 * @throws ApiError 409 that names the fields which somebody changed meanwhile
 */
function toApply(changes: Change[], current: Fields, code: string): Fields {
  const pending = changes.filter(({ field, to }) => !sameValue(current[field], to));
  const conflicts = pending.filter(({ field, from }) => !sameValue(current[field], from));
  if (conflicts.length > 0) {
    const details = conflicts.map(({ field, from, to }) => ({ field, from, current: current[field], to }));
    throw new ApiError(409, code, 'Somebody else has changed the same meanwhile.', { details });
  }
  return valuesOf(pending);
}
