import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppRecordService } from '../../../identity/app-record/app-record.service.js';
import { checkNotBlocked } from '../../../identity/accounts/account-permissions.js';
import type { Actor } from '../../../identity/scopes/caller.decorator.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { EditContextLoader } from '../edit-context.loader.js';
import { assertEditAllowed, createEditNotFoundError } from '../edit-errors.js';
import { EditTargetsService } from '../edit-targets.service.js';
import type { EditRow } from '../edit.entity.js';
import { EditsStore, type OpenByAuthor } from '../edits.store.js';
import { checkStatus } from '../rules/evaluate-edit.js';
import type { WithdrawnEdit } from './suggest-edit.dto.js';

/** Withdraws open edits for their authors, or with the account of an author. */
@Injectable()
export class EditWithdrawalsService {
  constructor(
    private readonly contexts: EditContextLoader,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly transactions: TransactionService,
    private readonly record: AppRecordService,
  ) {}

  /**
   * Withdraws an edit of the actor.
   * @param open a transaction to run in; by default a new one
   * @throws DomainError `not_found`, also for another's edit; `forbidden`, `conflict`
   */
  withdraw(actor: Actor, id: string, open?: EntityManager): Promise<WithdrawnEdit> {
    const withdraw = async (tx: EntityManager): Promise<WithdrawnEdit> => {
      const context = await this.contexts.loadForUpdate(tx, actor, id);
      if (context?.edit.authorId !== actor.accountId) throw createEditNotFoundError();
      const { edit, person, target } = context;
      assertEditAllowed(checkNotBlocked(person) ?? checkStatus('withdraw', edit), actor, edit.targetType);
      await this.edits.update(tx, id, buildWithdrawal(actor.accountId));
      await this.targets.adjustOpenEditCount(tx, edit, -1);
      await this.record.record(tx, actor, { action: 'edit.withdrawn', targetId: id });
      return { id, status: 'withdrawn', version: target?.version ?? null };
    };
    return open ? withdraw(open) : this.transactions.run(withdraw);
  }

  /**
   * Withdraws the open edits of an author, whose account the caller has locked.
   * @param appId only those that this app suggested
   * @returns their ids
   */
  async withdrawAll(tx: EntityManager, authorId: string, appId?: string): Promise<string[]> {
    const by = { authorId, ...(appId !== undefined && { appId }) };
    // Artworks first, because a decision about an artwork locks artists after its edit.
    const artworkEdits = await this.withdrawByTarget(tx, { ...by, targetType: 'artwork' });
    return [...artworkEdits, ...(await this.withdrawByTarget(tx, { ...by, targetType: 'artist' }))];
  }

  private async withdrawByTarget(tx: EntityManager, where: OpenByAuthor): Promise<string[]> {
    // All transactions lock a target before its edits. Another one may have decided edits first.
    await this.targets.lockForUpdate(tx, await this.edits.findOpenByAuthor(tx, where));
    const edits = await this.edits.findOpenByAuthor(tx, where);
    // A creation has no target to lock: a reviewer can decide it until its row is written.
    const closed = new Set(await this.edits.withdrawOpenByAuthor(tx, where, new Date()));
    await this.targets.subtractOpenEdits(
      tx,
      edits.filter(({ id }) => closed.has(id)),
    );
    return [...closed];
  }
}

function buildWithdrawal(authorId: string): Partial<EditRow> {
  const now = new Date();
  return { status: 'withdrawn', decidedAt: now, decidedById: authorId, updatedAt: now };
}
