import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, MoreThanOrEqual, type Repository } from 'typeorm';
import { lockRow } from '../../platform/database/lock-row.js';
import { isId } from '../../platform/database/ids.js';
import { type Page, findPage } from '../../platform/database/keyset-pagination.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { type EditResponse, toEditResponse } from './edit.dto.js';
import type { MyEditsQuery } from './view/edit-views.dto.js';
import { Edit } from './edit.entity.js';

/** What a response needs besides the row. */
const RESPONSE_RELATIONS = { author: true, app: true, decidedBy: true } as const;

/** What never changes of an edit; but one that makes something is about that once it is accepted. */
export type EditHeader = Pick<Edit, 'id' | 'type' | 'targetType' | 'targetId' | 'authorId'>;

/** Finding edits, whoever may see them. */
@Injectable()
export class EditsStore {
  constructor(@InjectRepository(Edit) private readonly repository: Repository<Edit>) {}

  /** The person's own, the newest first. */
  async listMine(caller: Caller, query: MyEditsQuery): Promise<Page<EditResponse>> {
    const { status, type, targetType, targetId, createdSince, updatedSince, sort = 'createdAt' } = query;
    const where = {
      authorId: caller.accountId,
      ...(status && { status: In(status) }),
      ...(type && { type: In(type) }),
      ...(targetType && { targetType }),
      ...(targetId && { targetId }),
      ...(createdSince && { createdAt: MoreThanOrEqual(createdSince) }),
      ...(updatedSince && { updatedAt: MoreThanOrEqual(updatedSince) }),
    };
    const { data, page } = await this.findPage(where, sort, 'DESC', query);
    return { data: data.map(toEditResponse), page };
  }

  /** @param keep which of them belong to the list, where the database cannot say */
  findPage(
    where: FindOptionsWhere<Edit> | FindOptionsWhere<Edit>[],
    by: 'createdAt' | 'updatedAt',
    direction: 'ASC' | 'DESC',
    query: { limit: number; cursor?: string | null },
    keep?: (edits: Edit[]) => Promise<Edit[]>,
  ): Promise<Page<Edit>> {
    return findPage(this.repository, { where, sortBy: by, direction, relations: RESPONSE_RELATIONS }, query, keep);
  }

  async findMany(ids: string[]): Promise<Edit[]> {
    return this.repository.find({
      where: { id: In(ids.filter((id) => isId('edt', id))) },
      relations: RESPONSE_RELATIONS,
    });
  }

  async countOpen(authorId: string): Promise<number> {
    return this.repository.countBy({ authorId, status: 'open' });
  }

  /** What an edit is about, before it is held: what it is about comes first. */
  async findHeader(tx: EntityManager, id: string): Promise<EditHeader | null> {
    return isId('edt', id) ? tx.findOneBy(Edit, { id }) : null;
  }

  /** An edit with what its response needs, held for a transaction that will change it. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Edit | null> {
    return isId('edt', id) ? lockRow(tx, Edit, { where: { id }, relations: RESPONSE_RELATIONS }) : null;
  }

  /** An edit as this transaction has written it. */
  async reload(tx: EntityManager, id: string): Promise<Edit> {
    return tx.findOneOrFail(Edit, { where: { id }, relations: RESPONSE_RELATIONS });
  }
}
