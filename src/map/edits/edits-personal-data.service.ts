import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../identity/accounts/account.entity.js';
import type { PersonalDataSource } from '../../identity/accounts/personal-data.registry.js';
import { Edit } from './edit.entity.js';
import { EditsStore } from './edits.store.js';
import { EditWithdrawalsService } from './suggest/edit-withdrawals.service.js';

/**
 * The edits that a person suggested or decided. A deletion of the account withdraws the open ones.
 * The others stay, because the map and its history come from them; responses show their author as
 * deleted.
 */
@Injectable()
export class EditsPersonalDataService implements PersonalDataSource {
  readonly name = 'edits';
  readonly entities = [Edit];

  constructor(
    private readonly edits: EditsStore,
    private readonly withdrawals: EditWithdrawalsService,
  ) {}

  async export(accountId: string): Promise<object> {
    const { suggested, decided } = await this.edits.listByPerson(accountId);
    return { suggested: suggested.map(toEditExport), reviewed: decided.map(toReviewExport) };
  }

  async delete(tx: EntityManager, { id }: Account): Promise<void> {
    await this.withdrawals.withdrawAll(tx, id);
  }
}

function toEditExport(edit: Edit): object {
  return {
    id: edit.id,
    type: edit.type,
    status: edit.status,
    target_type: edit.targetType,
    target: edit.targetId,
    changes: edit.changes,
    comment: edit.comment,
    source_url: edit.sourceUrl,
    app: edit.appId,
    created_at: edit.createdAt.toISOString(),
    decided_at: edit.decidedAt?.toISOString() ?? null,
    supersedes: edit.supersedes,
    reverts: edit.reverts,
  };
}

/** The person's decision, without the edit of the other person. */
function toReviewExport({ id, status, decidedAt, decisionComment }: Edit): object {
  return { edit: id, status, decided_at: decidedAt?.toISOString() ?? null, comment: decisionComment };
}
