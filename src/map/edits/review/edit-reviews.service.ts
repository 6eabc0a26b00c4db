import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../../identity/accounts/account.entity.js';
import { AppRecordService } from '../../../identity/app-record/app-record.service.js';
import type { Actor } from '../../../identity/scopes/caller.decorator.js';
import { checkNotBlocked } from '../../../identity/accounts/account-permissions.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import { assertAllowed } from '../../../platform/errors/denial.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { createInvalidRequestError } from '../../../platform/errors/request-errors.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { type ChangeAuthor, HistoryService } from '../../history/history.service.js';
import { EditContextLoader } from '../edit-context.loader.js';
import { createEditNotFoundError, toEditError } from '../edit-errors.js';
import { createInverseEdit } from '../edit-factory.js';
import { EditTargetsService, type Target } from '../edit-targets.service.js';
import { toEditWriteResponse } from '../edit.dto.js';
import type { Edit, EditRow } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';
import type { ReviewAction } from '../rules/edit-permissions.js';
import { type EditContext, type EditEffect, evaluateEdit } from '../rules/evaluate-edit.js';
import type { EditDenial } from '../rules/rule-result.js';
import type {
  AcceptEditRequest,
  AcceptEditResponse,
  DecideEditsItem,
  DecideEditsRequest,
  DecideEditsResponse,
  EditDecision,
  RejectEditRequest,
  RejectEditResponse,
  RevertEditResponse,
  TargetVersion,
} from './edit-decision.dto.js';

/** An edit whose evaluation allowed the decision, and the effect of the decision. */
type AllowedDecision = EditContext & EditEffect;

interface DecideOptions {
  action: ReviewAction;
  expectedTargetVersion?: number | null | undefined;
  /** A transaction to run in; by default a new one. */
  open?: EntityManager | undefined;
}

/** The lines of the record that decisions add. */
const RECORDED_ACTIONS = { accept: 'edit.accepted', reject: 'edit.rejected', revert: 'edit.reverted' } as const;

/** Columns of a decision. */
type Decision = Pick<EditRow, 'status' | 'updatedAt' | 'decidedById' | 'decisionComment'> & { decidedAt: Date };

/**
 * Decides edits: accept, reject, revert. One transaction writes the edit, its target and the
 * target's history.
 */
@Injectable()
export class EditReviewsService {
  constructor(
    private readonly contexts: EditContextLoader,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly history: HistoryService,
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly record: AppRecordService,
  ) {}

  /**
   * Applies an open edit to its target.
   * @throws DomainError `not_found`, `forbidden`, `conflict`, `unprocessable`, in this order
   */
  accept(actor: Actor, id: string, { comment, expectedTargetVersion }: AcceptEditRequest): Promise<AcceptEditResponse> {
    return this.decide(actor, id, { action: 'accept', expectedTargetVersion }, async (tx, allowed) => {
      const decision = createDecision('accepted', allowed.person, comment);
      const by = { editId: id, authorId: allowed.edit.authorId, createdAt: decision.decidedAt };
      const target = await this.applyToTarget(tx, allowed, by);
      const result = { targetId: target.id, resultVersion: target.version };
      const edit = await this.close(tx, allowed, { ...decision, ...result });
      await this.updateOpenEdits(tx, allowed, target);
      return { edit: toEditWriteResponse(actor, edit), target: toTargetVersion(target) };
    });
  }

  /**
   * Closes an open edit without applying it.
   * @throws DomainError `not_found`, `forbidden`, `conflict`, in this order
   */
  reject(actor: Actor, id: string, { comment }: RejectEditRequest): Promise<RejectEditResponse> {
    return this.decide(actor, id, { action: 'reject' }, async (tx, allowed) => {
      const edit = await this.close(tx, allowed, createDecision('rejected', allowed.person, comment));
      return { edit: toEditWriteResponse(actor, edit) };
    });
  }

  /**
   * Undoes an accepted edit by a new, accepted edit with the inverse change.
   * @param open a transaction to run in; by default a new one
   * @throws DomainError as `accept`
   */
  revert(actor: Actor, id: string, { comment }: EditDecision, open?: EntityManager): Promise<RevertEditResponse> {
    return this.decide(actor, id, { action: 'revert', open }, async (tx, allowed) => {
      const { edit, change } = allowed;
      const inverse = createInverseEdit(edit, change, actor, comment);
      const { id: editId, authorId, createdAt } = inverse;
      const target = await this.applyToTarget(tx, allowed, { editId, authorId, createdAt });
      await this.edits.insert(tx, { ...inverse, resultVersion: target.version });
      const reverted = { status: 'reverted', revertedBy: editId, updatedAt: createdAt } as const;
      await this.edits.update(tx, id, reverted);
      await this.updateOpenEdits(tx, allowed, target);
      return {
        edit: toEditWriteResponse(actor, { ...edit, ...reverted }),
        revertEdit: toEditWriteResponse(actor, await this.edits.get(tx, editId)),
        target: toTargetVersion(target),
      };
    });
  }

  /**
   * Takes the same decision on many edits, each in its own transaction.
   * @throws DomainError `invalid` without the comment of a rejection, `forbidden` if the person is
   *   blocked
   */
  async decideMany(actor: Actor, { ids, decision, comment }: DecideEditsRequest): Promise<DecideEditsResponse> {
    if (decision === 'reject' && (comment ?? '').length < 3) throw createCommentRequiredError();
    const person = await this.accounts.getCaller(actor);
    assertAllowed(checkNotBlocked(person));
    const data: DecideEditsItem[] = [];
    for (const id of new Set(ids)) data.push(await this.decideOne(actor, id, decision, comment ?? ''));
    return { data };
  }

  private async decideOne(
    actor: Actor,
    id: string,
    decision: DecideEditsRequest['decision'],
    comment: string,
  ): Promise<DecideEditsItem> {
    try {
      await this[decision](actor, id, { comment });
      return { id, status: decision === 'reject' ? 'rejected' : 'reverted' };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unauthenticated') throw error;
      const { message, code, reason } = error;
      return { id, error: message, code, ...(reason !== undefined && { reason }) };
    }
  }

  /** Loads and locks an edit, evaluates the action once, and applies it if it is allowed. */
  private decide<T>(
    actor: Actor,
    id: string,
    { action, expectedTargetVersion, open }: DecideOptions,
    apply: (tx: EntityManager, allowed: AllowedDecision) => Promise<T>,
  ): Promise<T> {
    const decide = async (tx: EntityManager): Promise<T> => {
      const context = await this.contexts.loadForUpdate(tx, actor, id);
      if (!context) throw createEditNotFoundError();
      const result = evaluateEdit(action, context, expectedTargetVersion);
      if (!result.allowed) {
        throw toEditError(await this.addLaterEditIds(tx, context.edit, result), actor, context.edit.targetType);
      }
      const response = await apply(tx, { ...context, ...result.value });
      await this.record.record(tx, actor, { action: RECORDED_ACTIONS[action], targetId: id });
      return response;
    };
    return open ? decide(open) : this.transactions.run(decide);
  }

  /** Adds to each conflict of a revert the later edit that changed the field. */
  private async addLaterEditIds(tx: EntityManager, edit: Edit, denial: EditDenial): Promise<EditDenial> {
    if (denial.code !== 'revert_conflict' || !denial.details?.length) return denial;
    const later = await this.history.findLatestEditByField(tx, edit.targetId!, edit.resultVersion!);
    const details = denial.details.map((detail) => ({ ...detail, editId: later.get(detail.field) ?? null }));
    return { ...denial, details };
  }

  /**
   * Creates, updates, deletes or restores the target, and records the change in its history. An
   * update that another edit has applied already changes nothing.
   */
  private applyToTarget(
    tx: EntityManager,
    { target, change, fields }: AllowedDecision,
    by: ChangeAuthor,
  ): Promise<Target> {
    if (!target) return this.targets.create(tx, change.targetType, fields, by);
    const store = this.targets.getStore(change.targetType);
    if (change.type === 'update')
      return Object.keys(fields).length > 0 ? store.update(tx, target, fields, by) : Promise.resolve(target);
    return store.setDeleted(tx, target, change.type === 'delete' ? by.createdAt : null, by);
  }

  /**
   * Closes an open edit. The target counts open edits; an accepted creation had no target and was
   * never counted.
   */
  private async close(tx: EntityManager, { edit, person }: AllowedDecision, change: Partial<EditRow>): Promise<Edit> {
    await this.edits.update(tx, edit.id, change);
    await this.targets.adjustOpenEditCount(tx, edit, -1);
    return { ...edit, ...change, decidedBy: person };
  }

  /**
   * Moves the open edits of a moved target, and closes those of a deleted one. Runs after the
   * decided edit is closed, because it changes all open edits of the target.
   */
  private async updateOpenEdits(tx: EntityManager, { change, fields }: AllowedDecision, target: Target): Promise<void> {
    const { id, regionId = null, latE7 = null, lonE7 = null } = target;
    if (change.type === 'update' && fields['location'])
      await this.edits.moveOpenEdits(tx, id, { regionId, latE7, lonE7 });
    if (change.type !== 'delete') return;
    const closed = await this.edits.closeOpenEdits(tx, id, target.deletedAt!);
    if (closed > 0)
      await this.targets.adjustOpenEditCount(tx, { targetType: change.targetType, targetId: id }, -closed);
  }
}

function createDecision(
  status: 'accepted' | 'rejected',
  reviewer: Account,
  comment: string | null | undefined,
): Decision {
  const now = new Date();
  return { status, decidedAt: now, updatedAt: now, decidedById: reviewer.id, decisionComment: comment || null };
}

function toTargetVersion({ id, version }: Target): TargetVersion {
  return { id, version };
}

function createCommentRequiredError(): DomainError {
  return createInvalidRequestError([
    { path: 'comment', code: 'too_short', message: 'comment must have 3 to 1,000 characters. The author reads it.' },
  ]);
}
