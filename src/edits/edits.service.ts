import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { holdRow } from '../database/hold-row.js';
import { isId } from '../database/ids.js';
import { notFound } from '../http/api-error.js';
import { type Page, pageOf } from '../http/paging.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { type EditAction, isReady, mayReview, maySee, REVIEW_SCOPE } from './edit-permissions.js';
import { type EditResponse, type MyEditsQuery, toEditResponse } from './edit.dto.js';
import { Edit } from './edit.entity.js';

const RELATIONS = { author: true, app: true, decidedBy: true } as const;

/** An edit as it is looked at: room for what is rendered from it. */
export interface EditView {
  edit: EditResponse;
}

export interface EditViews {
  data: EditView[];
  /** Ids of edits that do not exist, or that the caller may not see. */
  missing: string[];
  page: Page<never>['page'];
}

/** Whether an action would go through: the person may, and the app may (spec §5, rule 5). */
export interface ActionAnswer {
  allowed: boolean;
  person: boolean;
  app: boolean;
  reason?: string;
  requiredScope?: string;
}

export type EditAnswer =
  { editId: string; found: true; actions: Record<EditAction, ActionAnswer> } | { editId: string; found: false };

/** Looking at edits, and asking what could be done with them. */
@Injectable()
export class EditsService {
  constructor(
    @InjectRepository(Edit) private readonly edits: Repository<Edit>,
    private readonly accounts: AccountsService,
  ) {}

  /** The person's own, the newest first. */
  async listMine(caller: Caller, { status, ...query }: MyEditsQuery): Promise<Page<EditResponse>> {
    const where = { authorId: caller.accountId, ...(status && { status: In(status) }) };
    const listing = { where, by: 'createdAt', direction: 'DESC', relations: RELATIONS } as const;
    const { data, page } = await pageOf(this.edits, listing, query);
    return { data: data.map(toEditResponse), page };
  }

  /** @throws ApiError 404 where there is none, or none that the caller may see */
  async get(caller: Caller, id: string): Promise<EditView> {
    const person = await this.accounts.get(caller.accountId);
    const edit = (await this.visible(caller, person, [id])).get(id);
    if (!edit) throw notFound('edit');
    return { edit: toEditResponse(edit) };
  }

  /** Several edits at once, in the order asked for. */
  async view(caller: Caller, ids: string[]): Promise<EditViews> {
    const asked = [...new Set(ids)];
    const visible = await this.visible(caller, await this.accounts.get(caller.accountId), asked);
    return {
      data: asked.flatMap((id) => visible.get(id) ?? []).map((edit) => ({ edit: toEditResponse(edit) })),
      missing: asked.filter((id) => !visible.has(id)),
      page: { limit: 100, nextCursor: null },
    };
  }

  /** What the caller could do with these edits: advice, for the write asks again. */
  async evaluate(caller: Caller, ids: string[]): Promise<{ data: EditAnswer[] }> {
    const person = await this.accounts.get(caller.accountId);
    const visible = await this.visible(caller, person, ids);
    const answer = (editId: string): EditAnswer => {
      const edit = visible.get(editId);
      return edit ? { editId, found: true, actions: actionsOf(caller, person, edit) } : { editId, found: false };
    };
    return { data: ids.map(answer) };
  }

  /** An edit with what its response needs, held for a transaction that will change it. */
  async hold(tx: EntityManager, id: string): Promise<Edit | null> {
    return isId('edt', id) ? holdRow(tx, Edit, { where: { id }, relations: RELATIONS }) : null;
  }

  /** An edit as this transaction has written it. */
  async written(tx: EntityManager, id: string): Promise<Edit> {
    return tx.findOneOrFail(Edit, { where: { id }, relations: RELATIONS });
  }

  private async visible(caller: Caller, person: Account, ids: string[]): Promise<Map<string, Edit>> {
    const where = { id: In(ids.filter((id) => isId('edt', id))) };
    const edits = await this.edits.find({ where, relations: RELATIONS });
    return new Map(edits.filter((edit) => maySee(caller, person, edit)).map((edit) => [edit.id, edit]));
  }
}

function actionsOf(caller: Caller, person: Account, edit: Edit): Record<EditAction, ActionAnswer> {
  const app = caller.scopes.has(REVIEW_SCOPE);
  const answer = (action: EditAction): ActionAnswer => {
    const refusal = mayReview(person, edit) ?? isReady(action, edit);
    if (refusal) return { allowed: false, person: false, app, reason: refusal.reason };
    if (!app) return { allowed: false, person: true, app, reason: 'missing_scope', requiredScope: REVIEW_SCOPE };
    return { allowed: true, person: true, app };
  };
  return { accept: answer('accept'), reject: answer('reject'), revert: answer('revert') };
}
