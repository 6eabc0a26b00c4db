import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { allow, mayWrite } from '../accounts/account-permissions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { Transactions } from '../database/transactions.js';
import type { Change, Fields } from '../history/entity-version.entity.js';
import { History } from '../history/history.service.js';
import { changesBetween, sameValue } from '../history/same-value.js';
import { ApiError, gone, notFound } from '../http/api-error.js';
import type { Location } from '../markers/marker.dto.js';
import { RegionsService } from '../markers/regions.service.js';
import { placeAt } from '../markers/search/places.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { conflictWith, merge, toldTo } from './edit-outcome.js';
import { maySuggest } from './edit-permissions.js';
import { checkFields, checkShape } from './edit-shape.js';
import { EditTargets, type Target } from './edit-targets.js';
import { EditVerdicts } from './edit-verdicts.service.js';
import type { SuggestEdit, WrittenEdit } from './edit.dto.js';
import { Edit } from './edit.entity.js';
import { type EditRow, type Found, newEdit } from './new-edit.js';
import { type AboutEdit, EditsService } from './edits.service.js';
import { toWrittenEdit } from './written-edit.js';

/** Suggesting changes. A suggestion is always open: no app changes the map by itself, however trusted its person is. */
@Injectable()
export class EditSuggestionsService {
  constructor(
    private readonly targets: EditTargets,
    private readonly edits: EditsService,
    private readonly verdicts: EditVerdicts,
    private readonly regions: RegionsService,
    private readonly history: History,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ApiError in the order 400, 404 or 410, 403, 422, 409 */
  async suggest(caller: Caller, given: SuggestEdit): Promise<WrittenEdit> {
    checkShape(given);
    const fields = await checkFields(given);
    return this.transactions.run(async (tx) => {
      const author = await this.accounts.hold(tx, caller.accountId);
      const target = await this.targetOf(tx, given);
      const replaced = await this.replaced(tx, author, given);
      allow(mayWrite(author));
      checkTarget(given, target, replaced);
      if (!replaced) await this.checkRoom(tx, author);
      const problem = await this.targets.of(given.targetType).check?.(fields, tx);
      if (problem) throw problem;
      if (replaced) await this.checkOpen(tx, author, replaced.id, target);
      const changes = await this.changesOf(tx, caller, given, target, fields);
      const edit = newEdit(caller, given, { ...(await this.placeOf(tx, target, fields)), changes });
      await this.refuseRepetition(tx, edit);
      if (replaced) await this.close(tx, replaced, author);
      await tx.insert(Edit, edit);
      await this.targets.countOpenEdit(tx, edit, 1);
      return toWrittenEdit(caller, await this.edits.written(tx, edit.id));
    });
  }

  /** The edit that this one takes the place of. @throws ApiError 404 where it is not the person's own */
  private async replaced(tx: EntityManager, author: Account, { supersedes }: SuggestEdit): Promise<AboutEdit | null> {
    if (supersedes == null) return null;
    const edit = await this.edits.about(tx, supersedes);
    if (edit?.authorId !== author.id) throw notFound('edit');
    return edit;
  }

  /** Holds an edit, after its target as all do. @throws ApiError 409 where it is decided */
  private async checkOpen(tx: EntityManager, author: Account, id: string, target: Target | null): Promise<void> {
    const edit = await this.edits.hold(tx, id);
    const verdict = await this.verdicts.on(tx, 'supersede', author, edit!, target ?? undefined);
    if (verdict instanceof ApiError) throw verdict;
  }

  /** What is to be changed; nothing yet, for a creation. */
  private async targetOf(tx: EntityManager, { type, targetType, targetId }: SuggestEdit): Promise<Target | null> {
    if (type === 'create') return null;
    const target = await this.targets.of(targetType).hold(tx, targetId!);
    if (!target) throw notFound(targetType);
    if (target.deletedAt) throw gone(targetType);
    return target;
  }

  private async checkRoom(tx: EntityManager, author: Account): Promise<void> {
    const refusal = maySuggest(author, await tx.countBy(Edit, { authorId: author.id, status: 'open' }));
    if (refusal) throw new ApiError(422, refusal.reason, refusal.sentence);
  }

  /** Where the target lies, and where it would. */
  private async placeOf(tx: EntityManager, target: Target | null, fields: Fields): Promise<Omit<Found, 'changes'>> {
    const location = fields['location'] as Location | undefined;
    const to = location ? await this.regions.at(tx, location) : null;
    const made = { id: null, regionId: to, ...(location && placeAt(location)) };
    const { id, regionId, latE7, lonE7 } = target ?? made;
    return {
      targetId: id,
      regionId: regionId ?? null,
      toRegionId: target && location ? to : null,
      latE7: latE7 ?? null,
      lonE7: lonE7 ?? null,
    };
  }

  /**
   * The changes, from what the author saw.
   * @throws ApiError 422 where there are none, 409 where somebody changed the same since
   */
  private async changesOf(
    tx: EntityManager,
    caller: Caller,
    { type, targetType, baseVersion }: SuggestEdit,
    target: Target | null,
    fields: Fields,
  ): Promise<Change[]> {
    const current = target ? this.targets.of(targetType).fieldsOf(target) : {};
    const seen =
      !target || baseVersion === target.version ? current : await this.history.fieldsAt(tx, target.id, baseVersion!);
    if (!seen) {
      const sentence = `The ${targetType} is at version ${target!.version}. Look at it and suggest the change to that one.`;
      throw new ApiError(409, 'edit_conflict', sentence);
    }
    const changes = changesBetween(seen, fields);
    if (type !== 'delete' && changes.length === 0) {
      throw new ApiError(422, 'no_changes', 'This would change nothing.');
    }
    const conflicts = changes.map((change) => merge(change, current[change.field] ?? null));
    const lost = target ? conflicts.filter(({ state }) => state === 'conflict') : [];
    if (lost.length > 0) throw toldTo(caller, { targetType }, conflictWith({ reverts: null }, lost));
    return changes;
  }

  /** @throws ApiError 409 where the person has suggested the same already */
  private async refuseRepetition(tx: EntityManager, edit: EditRow): Promise<void> {
    const { authorId, type, targetType, targetId, supersedes } = edit;
    const open = await tx.findBy(Edit, { authorId, type, targetType, status: 'open' });
    const same = open.find(
      (one) =>
        one.targetId === targetId && one.id !== supersedes && sameValue(sorted(one.changes), sorted(edit.changes)),
    );
    if (same) throw new ApiError(409, 'duplicate_open_edit', `You have suggested this already: ${same.id}.`);
  }

  private async close(tx: EntityManager, edit: AboutEdit, author: Account): Promise<void> {
    const now = new Date();
    const closed = { status: 'superseded', decidedAt: now, decidedById: author.id, updatedAt: now } as const;
    await tx.update(Edit, { id: edit.id }, closed);
    await this.targets.countOpenEdit(tx, edit, -1);
  }
}

function sorted(changes: Change[]): Change[] {
  return changes.toSorted((one, other) => (one.field < other.field ? -1 : 1));
}

/** @throws ApiError 422 where edits do not change such a thing, or the edit to be replaced is about another */
function checkTarget({ type, targetType }: SuggestEdit, target: Target | null, replaced: AboutEdit | null): void {
  if (target?.kind === 'place') {
    throw new ApiError(422, 'unsupported_target', 'This is a place; edits change artworks and artists.');
  }
  if (!replaced) return;
  const isSame = target ? replaced.targetId === target.id : replaced.targetType === targetType;
  if (isSame && (replaced.type === 'create') === (type === 'create')) return;
  throw new ApiError(422, 'other_target', 'An edit takes the place of one that is about the same.');
}
