import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import { Transactions } from '../database/transactions.js';
import type { Fields } from '../history/entity-version.entity.js';
import { History } from '../history/history.service.js';
import { ApiError, notFound } from '../http/api-error.js';
import type { Caller } from '../scopes/caller.decorator.js';
import type { ReviewAction } from './edit-permissions.js';
import { type ConflictBody, toldTo } from './edit-outcome.js';
import { EditTargets, type Target, type TargetStore } from './edit-targets.js';
import { EditVerdicts } from './edit-verdicts.service.js';
import type { Acceptance, Decision, Rejection, WrittenEdit } from './edit.dto.js';
import { Edit } from './edit.entity.js';
import { EditsService } from './edits.service.js';
import { type EditRow, newInverse } from './new-edit.js';
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

/** An edit that may be decided, and what it would write. */
interface Ready {
  edit: Edit;
  target: Target | undefined;
  fields: Fields;
}

/** Deciding on others' suggestions. Each decision is one transaction: the edit, its target and its history, or nothing. */
@Injectable()
export class EditReviewsService {
  constructor(
    private readonly targets: EditTargets,
    private readonly edits: EditsService,
    private readonly verdicts: EditVerdicts,
    private readonly history: History,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  /** Makes the suggested change. @throws ApiError 409 where the edit is decided, or the target has changed otherwise */
  async accept(caller: Caller, id: string, { comment, expectedTargetVersion }: Acceptance): Promise<Accepted> {
    return this.transactions.run(async (tx) => {
      const ready = await this.ready(tx, caller, id, 'accept');
      checkTargetVersion(ready.target, expectedTargetVersion);
      const edit = await this.decide(tx, caller, ready.edit, { status: 'accepted', decisionComment: comment || null });
      const target = await this.write(tx, edit, ready);
      await tx.update(Edit, { id }, { targetId: target.id, resultVersion: target.version });
      return { edit: toWrittenEdit(caller, await this.edits.written(tx, id)), target };
    });
  }

  async reject(caller: Caller, id: string, { comment }: Rejection): Promise<{ edit: WrittenEdit }> {
    return this.transactions.run(async (tx) => {
      const { edit } = await this.ready(tx, caller, id, 'reject');
      await this.decide(tx, caller, edit, { status: 'rejected', decisionComment: comment });
      return { edit: toWrittenEdit(caller, await this.edits.written(tx, id)) };
    });
  }

  /** Undoes an accepted edit by another that is its inverse, linked with it both ways. */
  async revert(caller: Caller, id: string, { comment }: Decision): Promise<Reverted> {
    return this.transactions.run(async (tx) => {
      const ready = await this.ready(tx, caller, id, 'revert');
      const inverse = newInverse(ready.edit, await this.verdicts.inverseOf(tx, ready.edit), caller, comment);
      const target = await this.write(tx, inverse, ready);
      await tx.insert(Edit, { ...inverse, resultVersion: target.version });
      await tx.update(Edit, { id }, { status: 'reverted', revertedBy: inverse.id, updatedAt: inverse.createdAt });
      return {
        edit: toWrittenEdit(caller, await this.edits.written(tx, id)),
        revertEdit: toWrittenEdit(caller, await this.edits.written(tx, inverse.id)),
        target,
      };
    });
  }

  /**
   * The edit, if this person may do this with it now. Its target is held first: who moves one writes to its open edits.
   * @throws ApiError 404, 403, 409, in this order
   */
  private async ready(tx: EntityManager, caller: Caller, id: string, action: ReviewAction): Promise<Ready> {
    const person = await this.accounts.hold(tx, caller.accountId);
    const about = await this.edits.about(tx, id);
    const target = await this.targets.hold(tx, about);
    const edit = await this.edits.hold(tx, id);
    if (!edit) throw notFound('edit');
    if (action === 'revert' && edit.targetId !== about!.targetId) {
      throw new ApiError(409, 'edit_not_accepted', 'This edit was still open a moment ago. Look at it, and try again.');
    }
    const verdict = await this.verdicts.on(tx, action, person, edit, target);
    if (!(verdict instanceof ApiError)) return { edit, target, fields: verdict };
    throw toldTo(caller, edit, action === 'revert' ? await this.withLaterEdits(tx, edit, verdict) : verdict);
  }

  /** Tells, where a revert is in conflict, which later edit changed the same. */
  private async withLaterEdits(
    tx: EntityManager,
    { targetId, resultVersion }: Edit,
    conflict: ApiError,
  ): Promise<ApiError> {
    const { details, error, code } = conflict.getResponse() as ConflictBody;
    if (code !== 'revert_conflict' || !details) return conflict;
    const later = await this.history.editsAfter(tx, targetId!, resultVersion!);
    const told = details.map((detail) => ({ ...detail, editId: later.get(detail.field) ?? null }));
    return new ApiError(conflict.getStatus(), code, error, { details: told });
  }

  /** Closes an open edit. */
  private async decide(
    tx: EntityManager,
    caller: Caller,
    edit: Edit,
    decision: Pick<Edit, 'status' | 'decisionComment'>,
  ): Promise<EditRow> {
    const now = new Date();
    const decided = { ...decision, decidedAt: now, updatedAt: now, decidedById: caller.accountId };
    await tx.update(Edit, { id: edit.id }, decided);
    await this.targets.countOpenEdit(tx, edit, -1);
    return { ...edit, ...decided };
  }

  /** Writes an edit to its target. */
  private async write(tx: EntityManager, edit: EditRow, { target, fields }: Ready): Promise<WrittenTarget> {
    const store = this.targets.of(edit.targetType);
    const by = { editId: edit.id, authorId: edit.authorId, at: edit.decidedAt! };
    if (!target) {
      const { id, version } = await this.targets.create(tx, edit.targetType, fields, by);
      return { id, version };
    }
    if (edit.type === 'update') {
      await store.change(tx, target, fields, by);
      if (fields['location']) await this.moveOpenEdits(tx, edit, store);
    } else await store.setDeleted(tx, target, edit.type === 'delete' ? new Date() : null, by);
    return { id: target.id, version: target.version + 1 };
  }

  /** Open edits lie where their target does: there they are looked for, and by those who review there. */
  private async moveOpenEdits(tx: EntityManager, { targetId }: EditRow, store: TargetStore): Promise<void> {
    const { id, regionId = null, latE7 = null, lonE7 = null } = (await store.hold(tx, targetId!))!;
    await tx.update(Edit, { targetId: id, status: 'open' }, { regionId, latE7, lonE7 });
  }
}

function checkTargetVersion(target: Target | undefined, expected: number | null | undefined): void {
  if (expected == null || expected === target?.version) return;
  const found = target ? `is at version ${target.version}` : 'is not there yet';
  throw new ApiError(409, 'edit_conflict', `What this edit changes ${found}, not at version ${expected}.`);
}
