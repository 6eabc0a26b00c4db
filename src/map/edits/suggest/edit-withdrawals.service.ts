import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checkNotBlocked } from '../../../identity/accounts/account-permissions.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { EditContextLoader } from '../edit-context.loader.js';
import { assertEditAllowed, createEditNotFoundError } from '../edit-errors.js';
import { EditTargetsService } from '../edit-targets.service.js';
import type { EditRow } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';
import { checkStatus } from '../rules/evaluate-edit.js';
import type { WithdrawnEdit } from './suggest-edit.dto.js';

/** Withdraws open edits for their authors. */
@Injectable()
export class EditWithdrawalsService {
  constructor(
    private readonly contexts: EditContextLoader,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Withdraws an edit of the caller.
   * @throws DomainError `not_found`, also for another's edit; `forbidden`, `conflict`
   */
  withdraw(caller: Caller, id: string): Promise<WithdrawnEdit> {
    return this.transactions.run(async (tx) => {
      const context = await this.contexts.loadForUpdate(tx, caller, id);
      if (context?.edit.authorId !== caller.accountId) throw createEditNotFoundError();
      const { edit, person, target } = context;
      assertEditAllowed(checkNotBlocked(person) ?? checkStatus('withdraw', edit), caller, edit.targetType);
      await this.close(tx, edit);
      return { id, status: 'withdrawn', version: target?.version ?? null };
    });
  }

  /** Closes an open edit, which the caller has locked with its target. */
  async close(tx: EntityManager, edit: EditRow): Promise<void> {
    const { id, authorId } = edit;
    const now = new Date();
    await this.edits.update(tx, id, { status: 'withdrawn', decidedAt: now, decidedById: authorId, updatedAt: now });
    await this.targets.adjustOpenEditCount(tx, edit, -1);
  }
}
