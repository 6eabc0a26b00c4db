import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../../identity/accounts/account.entity.js';
import { assertAllowed, checkNotBlocked } from '../../../identity/accounts/account-permissions.js';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import type { FieldChange, FieldValues } from '../../history/entity-version.entity.js';
import { HistoryService } from '../../history/history.service.js';
import { diffFields, areValuesEqual } from '../../history/field-changes.js';
import { ApiError, gone, notFound } from '../../../platform/http/api-error.js';
import type { Location } from '../../regions/location.dto.js';
import { RegionsService } from '../../regions/regions.service.js';
import { toPointE7 } from '../../regions/geo.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import { createConflictError, mergeChange, redactConflictDetails } from '../rules/edit-merge.js';
import { checkSuggestPermission } from '../rules/edit-permissions.js';
import { validateFields, validateSuggestion } from './suggestion-validation.js';
import { EditTargetsService, type Target } from '../edit-targets.service.js';
import { EditRulesService } from '../rules/edit-rules.service.js';
import { type EditWriteResponse, toEditWriteResponse } from '../edit.dto.js';
import type { SuggestEditRequest } from './suggest-edit.dto.js';
import { Edit } from '../edit.entity.js';
import { type EditRow, type EditTargetData, createEdit } from '../edit-factory.js';
import { type EditHeader, EditsStore } from '../edits.store.js';

/** Suggesting changes. A suggestion is always open: no app changes the map by itself, however trusted its person is. */
@Injectable()
export class EditSuggestionsService {
  constructor(
    private readonly targets: EditTargetsService,
    private readonly edits: EditsStore,
    private readonly rules: EditRulesService,
    private readonly regions: RegionsService,
    private readonly history: HistoryService,
    private readonly accounts: AccountsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws ApiError in the order 400, 404 or 410, 403, 422, 409 */
  async suggest(caller: Caller, given: SuggestEditRequest): Promise<EditWriteResponse> {
    validateSuggestion(given);
    const fields = await validateFields(given);
    return this.transactions.run(async (tx) => {
      const author = await this.accounts.findForUpdate(tx, caller.accountId);
      const target = await this.findTargetForUpdate(tx, given);
      const replaced = await this.findSuperseded(tx, author, given);
      assertAllowed(checkNotBlocked(author));
      validateTarget(given, target, replaced);
      if (!replaced) await this.assertBelowOpenEditLimit(tx, author);
      const problem = await this.targets.getStore(given.targetType).validateReferences?.(fields, tx);
      if (problem) throw problem;
      if (replaced) await this.assertSupersedable(tx, author, replaced.id, target);
      const changes = await this.computeChanges(tx, caller, given, target, fields);
      const edit = createEdit(caller, given, { ...(await this.resolvePlacement(tx, target, fields)), changes });
      await this.rejectDuplicate(tx, edit);
      if (replaced) await this.closeSuperseded(tx, replaced, author);
      await tx.insert(Edit, edit);
      await this.targets.adjustOpenEditCount(tx, edit, 1);
      return toEditWriteResponse(caller, await this.edits.reload(tx, edit.id));
    });
  }

  /** The edit that this one takes the place of. @throws ApiError 404 where it is not the person's own */
  private async findSuperseded(
    tx: EntityManager,
    author: Account,
    { supersedes }: SuggestEditRequest,
  ): Promise<EditHeader | null> {
    if (supersedes == null) return null;
    const edit = await this.edits.findHeader(tx, supersedes);
    if (edit?.authorId !== author.id) throw notFound('edit');
    return edit;
  }

  /** Holds an edit, after its target as all do. @throws ApiError 409 where it is decided */
  private async assertSupersedable(
    tx: EntityManager,
    author: Account,
    id: string,
    target: Target | null,
  ): Promise<void> {
    const edit = await this.edits.findForUpdate(tx, id);
    const verdict = await this.rules.evaluate(tx, 'supersede', author, edit!, target ?? undefined);
    if (verdict instanceof ApiError) throw verdict;
  }

  /** What is to be changed; nothing yet, for a creation. */
  private async findTargetForUpdate(
    tx: EntityManager,
    { type, targetType, targetId }: SuggestEditRequest,
  ): Promise<Target | null> {
    if (type === 'create') return null;
    const target = await this.targets.getStore(targetType).findForUpdate(tx, targetId!);
    if (!target) throw notFound(targetType);
    if (target.deletedAt) throw gone(targetType);
    return target;
  }

  private async assertBelowOpenEditLimit(tx: EntityManager, author: Account): Promise<void> {
    const refusal = checkSuggestPermission(author, await tx.countBy(Edit, { authorId: author.id, status: 'open' }));
    if (refusal) throw new ApiError(422, refusal.reason, refusal.message);
  }

  /** Where the target lies, and where it would. */
  private async resolvePlacement(
    tx: EntityManager,
    target: Target | null,
    fields: FieldValues,
  ): Promise<Omit<EditTargetData, 'changes'>> {
    const location = fields['location'] as Location | undefined;
    const to = location ? await this.regions.findRegionId(tx, location) : null;
    const made = { id: null, regionId: to, ...(location && toPointE7(location)) };
    const { id, regionId, latE7, lonE7 } = target ?? made;
    return {
      targetId: id,
      regionId: regionId ?? null,
      destinationRegionId: target && location ? to : null,
      latE7: latE7 ?? null,
      lonE7: lonE7 ?? null,
    };
  }

  /**
   * The changes, from what the author saw.
   * @throws ApiError 422 where there are none, 409 where somebody changed the same since
   */
  private async computeChanges(
    tx: EntityManager,
    caller: Caller,
    { type, targetType, baseVersion }: SuggestEditRequest,
    target: Target | null,
    fields: FieldValues,
  ): Promise<FieldChange[]> {
    const current = target ? this.targets.getStore(targetType).toFieldValues(target) : {};
    const seen =
      !target || baseVersion === target.version
        ? current
        : await this.history.findSnapshot(tx, target.id, baseVersion!);
    if (!seen) {
      const sentence = `The ${targetType} is at version ${target!.version}. Look at it and suggest the change to that one.`;
      throw new ApiError(409, 'edit_conflict', sentence);
    }
    const changes = diffFields(seen, fields);
    if (type !== 'delete' && changes.length === 0) {
      throw new ApiError(422, 'no_changes', 'This would change nothing.');
    }
    const conflicts = changes.map((change) => mergeChange(change, current[change.field] ?? null));
    const lost = target ? conflicts.filter(({ state }) => state === 'conflict') : [];
    if (lost.length > 0)
      throw redactConflictDetails(caller, { targetType }, createConflictError({ reverts: null }, lost));
    return changes;
  }

  /** @throws ApiError 409 where the person has suggested the same already */
  private async rejectDuplicate(tx: EntityManager, edit: EditRow): Promise<void> {
    const { authorId, type, targetType, targetId, supersedes } = edit;
    const open = await tx.findBy(Edit, { authorId, type, targetType, status: 'open' });
    const same = open.find(
      (one) =>
        one.targetId === targetId &&
        one.id !== supersedes &&
        areValuesEqual(sortByField(one.changes), sortByField(edit.changes)),
    );
    if (same) throw new ApiError(409, 'duplicate_open_edit', `You have suggested this already: ${same.id}.`);
  }

  private async closeSuperseded(tx: EntityManager, edit: EditHeader, author: Account): Promise<void> {
    const now = new Date();
    const closed = { status: 'superseded', decidedAt: now, decidedById: author.id, updatedAt: now } as const;
    await tx.update(Edit, { id: edit.id }, closed);
    await this.targets.adjustOpenEditCount(tx, edit, -1);
  }
}

function sortByField(changes: FieldChange[]): FieldChange[] {
  return changes.toSorted((one, other) => (one.field < other.field ? -1 : 1));
}

/** @throws ApiError 422 where edits do not change such a thing, or the edit to be replaced is about another */
function validateTarget(
  { type, targetType }: SuggestEditRequest,
  target: Target | null,
  replaced: EditHeader | null,
): void {
  if (target?.kind === 'place') {
    throw new ApiError(422, 'unsupported_target', 'This is a place; edits change artworks and artists.');
  }
  if (!replaced) return;
  const isSame = target ? replaced.targetId === target.id : replaced.targetType === targetType;
  if (isSame && (replaced.type === 'create') === (type === 'create')) return;
  throw new ApiError(422, 'other_target', 'An edit takes the place of one that is about the same.');
}
