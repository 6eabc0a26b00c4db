import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import type { FieldValues } from '../../history/entity-version.entity.js';
import { HistoryService } from '../../history/history.service.js';
import { ApiError, notFound } from '../../../platform/http/api-error.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import type { ReviewAction } from '../rules/edit-permissions.js';
import { type ConflictErrorBody, redactConflictDetails } from '../rules/edit-merge.js';
import { EditTargetsService, type Target, type TargetStore } from '../edit-targets.service.js';
import { EditRulesService } from '../rules/edit-rules.service.js';
import { toEditWriteResponse } from '../edit.dto.js';
import type {
  AcceptEditRequest,
  AcceptEditResponse,
  EditDecision,
  RejectEditRequest,
  RejectEditResponse,
  RevertEditResponse,
  TargetVersion,
} from './edit-decision.dto.js';
import { Edit } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';
import { type EditRow, createInverseEdit } from '../edit-factory.js';

/** An edit that may be decided, and what it would write. */
interface EvaluatedEdit {
  edit: Edit;
  target: Target | undefined;
  fields: FieldValues;
}

/** Deciding on others' suggestions. Each decision is one transaction: the edit, its target and its history, or nothing. */
@Injectable()
export class EditReviewsService {
  constructor(
    private readonly targets: EditTargetsService,
    private readonly edits: EditsStore,
    private readonly rules: EditRulesService,
    private readonly history: HistoryService,
    private readonly accounts: AccountsService,
    private readonly transactions: TransactionService,
  ) {}

  /** Makes the suggested change. @throws ApiError 409 where the edit is decided, or the target has changed otherwise */
  async accept(
    caller: Caller,
    id: string,
    { comment, expectedTargetVersion }: AcceptEditRequest,
  ): Promise<AcceptEditResponse> {
    return this.transactions.run(async (tx) => {
      const ready = await this.loadAndEvaluate(tx, caller, id, 'accept');
      checkTargetVersion(ready.target, expectedTargetVersion);
      const edit = await this.closeEdit(tx, caller, ready.edit, {
        status: 'accepted',
        decisionComment: comment || null,
      });
      const target = await this.applyToTarget(tx, edit, ready);
      await tx.update(Edit, { id }, { targetId: target.id, resultVersion: target.version });
      return { edit: toEditWriteResponse(caller, await this.edits.reload(tx, id)), target };
    });
  }

  async reject(caller: Caller, id: string, { comment }: RejectEditRequest): Promise<RejectEditResponse> {
    return this.transactions.run(async (tx) => {
      const { edit } = await this.loadAndEvaluate(tx, caller, id, 'reject');
      await this.closeEdit(tx, caller, edit, { status: 'rejected', decisionComment: comment });
      return { edit: toEditWriteResponse(caller, await this.edits.reload(tx, id)) };
    });
  }

  /** Undoes an accepted edit by another that is its inverse, linked with it both ways. */
  async revert(caller: Caller, id: string, { comment }: EditDecision): Promise<RevertEditResponse> {
    return this.transactions.run(async (tx) => {
      const ready = await this.loadAndEvaluate(tx, caller, id, 'revert');
      const inverse = createInverseEdit(ready.edit, await this.rules.findInverse(tx, ready.edit), caller, comment);
      const target = await this.applyToTarget(tx, inverse, ready);
      await tx.insert(Edit, { ...inverse, resultVersion: target.version });
      await tx.update(Edit, { id }, { status: 'reverted', revertedBy: inverse.id, updatedAt: inverse.createdAt });
      return {
        edit: toEditWriteResponse(caller, await this.edits.reload(tx, id)),
        revertEdit: toEditWriteResponse(caller, await this.edits.reload(tx, inverse.id)),
        target,
      };
    });
  }

  /**
   * The edit, if this person may do this with it now. Its target is held first: who moves one writes to its open edits.
   * @throws ApiError 404, 403, 409, in this order
   */
  private async loadAndEvaluate(
    tx: EntityManager,
    caller: Caller,
    id: string,
    action: ReviewAction,
  ): Promise<EvaluatedEdit> {
    const person = await this.accounts.findForUpdate(tx, caller.accountId);
    const about = await this.edits.findHeader(tx, id);
    const target = await this.targets.findForUpdate(tx, about);
    const edit = await this.edits.findForUpdate(tx, id);
    if (!edit) throw notFound('edit');
    if (action === 'revert' && edit.targetId !== about!.targetId) {
      throw new ApiError(409, 'edit_not_accepted', 'This edit was still open a moment ago. Look at it, and try again.');
    }
    const verdict = await this.rules.evaluate(tx, action, person, edit, target);
    if (!(verdict instanceof ApiError)) return { edit, target, fields: verdict };
    throw redactConflictDetails(
      caller,
      edit,
      action === 'revert' ? await this.addLaterEditIds(tx, edit, verdict) : verdict,
    );
  }

  /** Tells, where a revert is in conflict, which later edit changed the same. */
  private async addLaterEditIds(
    tx: EntityManager,
    { targetId, resultVersion }: Edit,
    conflict: ApiError,
  ): Promise<ApiError> {
    const { details, error, code } = conflict.getResponse() as ConflictErrorBody;
    if (code !== 'revert_conflict' || !details) return conflict;
    const later = await this.history.findLatestEditByField(tx, targetId!, resultVersion!);
    const told = details.map((detail) => ({ ...detail, editId: later.get(detail.field) ?? null }));
    return new ApiError(conflict.getStatus(), code, error, { details: told });
  }

  /** Closes an open edit. */
  private async closeEdit(
    tx: EntityManager,
    caller: Caller,
    edit: Edit,
    decision: Pick<Edit, 'status' | 'decisionComment'>,
  ): Promise<EditRow> {
    const now = new Date();
    const decided = { ...decision, decidedAt: now, updatedAt: now, decidedById: caller.accountId };
    await tx.update(Edit, { id: edit.id }, decided);
    await this.targets.adjustOpenEditCount(tx, edit, -1);
    return { ...edit, ...decided };
  }

  /** Writes an edit to its target. */
  private async applyToTarget(
    tx: EntityManager,
    edit: EditRow,
    { target, fields }: EvaluatedEdit,
  ): Promise<TargetVersion> {
    const store = this.targets.getStore(edit.targetType);
    const by = { editId: edit.id, authorId: edit.authorId, createdAt: edit.decidedAt! };
    if (!target) {
      const { id, version } = await this.targets.create(tx, edit.targetType, fields, by);
      return { id, version };
    }
    if (edit.type === 'update') {
      await store.update(tx, target, fields, by);
      if (fields['location']) await this.updateOpenEditLocations(tx, edit, store);
    } else await store.setDeleted(tx, target, edit.type === 'delete' ? new Date() : null, by);
    return { id: target.id, version: target.version + 1 };
  }

  /** Open edits lie where their target does: there they are looked for, and by those who review there. */
  private async updateOpenEditLocations(tx: EntityManager, { targetId }: EditRow, store: TargetStore): Promise<void> {
    const { id, regionId = null, latE7 = null, lonE7 = null } = (await store.findForUpdate(tx, targetId!))!;
    await tx.update(Edit, { targetId: id, status: 'open' }, { regionId, latE7, lonE7 });
  }
}

function checkTargetVersion(target: Target | undefined, expected: number | null | undefined): void {
  if (expected == null || expected === target?.version) return;
  const found = target ? `is at version ${target.version}` : 'is not there yet';
  throw new ApiError(409, 'edit_conflict', `What this edit changes ${found}, not at version ${expected}.`);
}
