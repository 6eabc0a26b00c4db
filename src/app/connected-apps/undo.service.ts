import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checkNotBlocked } from '../../identity/accounts/account-permissions.js';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import { type AppAction, getTargetType } from '../../identity/app-record/app-action.entity.js';
import { AppRecordService, type RecordKey } from '../../identity/app-record/app-record.service.js';
import { createPersonActor } from '../../identity/scopes/caller.decorator.js';
import { CollectionUndoService, type UndoObstacle } from '../../map/collections/collection-undo.service.js';
import { EditReviewsService } from '../../map/edits/review/edit-reviews.service.js';
import { EditWithdrawalsService } from '../../map/edits/suggest/edit-withdrawals.service.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { assertAllowed } from '../../platform/errors/denial.js';
import { DomainError, type DomainErrorKind } from '../../platform/errors/domain-error.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';

/** Age up to which "Remove access and undo" undoes changes of collections. */
export const UNDO_ALL_AGE_MS = 30 * 24 * 3600_000;

/** Lines that one transaction undoes. On SQLite, no other write runs during it. */
const BATCH_SIZE = 50;

/** The kinds of errors that say that a line cannot be undone any more. */
const CONFLICT_KINDS: DomainErrorKind[] = ['conflict', 'gone', 'not_found', 'unprocessable'];

/** How many lines were undone, and how many stayed because something changed since. */
export interface UndoCount {
  undone: number;
  left: number;
}

/** Result of the undo of one line; `limit` if a collection or the person has too many. */
export type UndoResult = 'undone' | 'changed' | 'limit';

/** Undoes what apps did for a person, as the person's own act. */
@Injectable()
export class UndoService {
  constructor(
    private readonly record: AppRecordService,
    private readonly collections: CollectionUndoService,
    private readonly withdrawals: EditWithdrawalsService,
    private readonly reviews: EditReviewsService,
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Undoes one line, unless something changed since. A line that was undone stays so.
   * @throws DomainError `not_found` if it is not in the person's record of the app, `forbidden` if
   *   the person is blocked
   */
  async undo(key: RecordKey, lineId: string): Promise<UndoResult> {
    return this.transactions
      .run((tx) => this.undoLine(tx, key, lineId))
      .catch((error: unknown) => {
        if (error instanceof UndoneSinceError) return 'changed';
        throw error;
      });
  }

  /** Withdraws the open suggestions of an app. @throws DomainError `forbidden` if blocked */
  async withdrawSuggestions(key: RecordKey): Promise<number> {
    return this.transactions.run(async (tx) => {
      await this.lockAccount(tx, key);
      const ids = await this.withdrawals.withdrawAll(tx, key.accountId, key.appId);
      await this.record.markSuggestionsUndone(tx, key, ids);
      if (ids.length > 0) await this.recordEvent(tx, key, `edit.suggested (${ids.length})`);
      return ids.length;
    });
  }

  /**
   * Withdraws the open suggestions of an app, and undoes its changes of collections of the last 30
   * days that nothing has changed since. The work is done in batches; after a crash, the same call
   * does the rest.
   */
  async undoAll(key: RecordKey): Promise<UndoCount> {
    const count = { undone: await this.withdrawSuggestions(key), left: 0 };
    const since = new Date(Date.now() - UNDO_ALL_AGE_MS);
    let beforeId: string | undefined;
    for (let isDone = false; !isDone;) {
      isDone = await this.transactions.run(async (tx) => {
        await this.lockAccount(tx, key);
        const batch = await this.record.listCollectionActions(key, { since, beforeId, limit: BATCH_SIZE }, tx);
        const { undone, obstacles } = await this.collections.undo(tx, key.accountId, batch);
        if (undone.length > 0) await this.recordEvent(tx, key, `collections (${undone.length})`);
        beforeId = batch.at(-1)?.id;
        count.undone += undone.length;
        count.left += [...obstacles.values()].filter((obstacle) => typeof obstacle !== 'string').length;
        return batch.length < BATCH_SIZE;
      });
    }
    return count;
  }

  private async undoLine(tx: EntityManager, key: RecordKey, lineId: string): Promise<UndoResult> {
    await this.lockAccount(tx, key);
    const line = await this.record.findForUpdate(tx, key.accountId, lineId);
    if (line?.appId !== key.appId) throw createNotFoundError('change');
    if (line.undoneAt) return 'undone';
    if (getTargetType(line.action) === 'edit') return this.undoEdit(tx, line);
    const { undone, obstacles } = await this.collections.undo(tx, key.accountId, [line]);
    for (const other of undone) await this.recordEvent(tx, key, describe(other));
    return obstacles.size === 0 ? 'undone' : toResult([...obstacles.values()][0]!);
  }

  private async undoEdit(tx: EntityManager, line: AppAction): Promise<UndoResult> {
    const { id, accountId, action, targetId } = line;
    const actor = createPersonActor(accountId);
    try {
      if (action === 'edit.suggested') await this.withdrawals.withdraw(actor, targetId, tx);
      else if (action === 'edit.accepted') await this.reviews.revert(actor, targetId, {}, tx);
      else return 'changed';
    } catch (error) {
      throw isConflict(error) ? new UndoneSinceError() : error;
    }
    await this.record.markUndone(tx, [id]);
    await this.recordEvent(tx, line, describe(line));
    return 'undone';
  }

  /** Locks the account, which every write of an app for it locks too. */
  private async lockAccount(tx: EntityManager, { accountId }: RecordKey): Promise<void> {
    assertAllowed(checkNotBlocked(await this.accounts.findForUpdate(tx, accountId)));
  }

  private async recordEvent(tx: EntityManager, { accountId, appId }: RecordKey, detail: string): Promise<void> {
    await this.audit.record(tx, { type: 'app_action.undone', accountId, appId, detail });
  }
}

/** Something changed since the line, so that its transaction must write nothing. */
class UndoneSinceError extends Error {}

function isConflict(error: unknown): boolean {
  return error instanceof DomainError && (CONFLICT_KINDS.includes(error.kind) || error.code === 'not_allowed');
}

function toResult(obstacle: UndoObstacle): UndoResult {
  return typeof obstacle === 'string' ? 'limit' : 'changed';
}

function describe({ action, targetId }: AppAction): string {
  return `${action} ${targetId}`;
}
