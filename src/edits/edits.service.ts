import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, MoreThanOrEqual, type Repository } from 'typeorm';
import { holdRow } from '../database/hold-row.js';
import { isId } from '../database/ids.js';
import { type Page, pageOf } from '../http/paging.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { type EditResponse, type MyEditsQuery, toEditResponse } from './edit.dto.js';
import { Edit } from './edit.entity.js';

/** What a response needs besides the row. */
const RELATIONS = { author: true, app: true, decidedBy: true } as const;

/** What never changes of an edit; but one that makes something is about that once it is accepted. */
export type AboutEdit = Pick<Edit, 'id' | 'type' | 'targetType' | 'targetId' | 'authorId'>;

/** Finding edits, whoever may see them. */
@Injectable()
export class EditsService {
  constructor(@InjectRepository(Edit) private readonly edits: Repository<Edit>) {}

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
    const { data, page } = await this.page(where, sort, 'DESC', query);
    return { data: data.map(toEditResponse), page };
  }

  /** @param keep which of them belong to the list, where the database cannot say */
  page(
    where: FindOptionsWhere<Edit> | FindOptionsWhere<Edit>[],
    by: 'createdAt' | 'updatedAt',
    direction: 'ASC' | 'DESC',
    query: { limit: number; cursor?: string | null },
    keep?: (edits: Edit[]) => Promise<Edit[]>,
  ): Promise<Page<Edit>> {
    return pageOf(this.edits, { where, by, direction, relations: RELATIONS }, query, keep);
  }

  async find(ids: string[]): Promise<Edit[]> {
    return this.edits.find({ where: { id: In(ids.filter((id) => isId('edt', id))) }, relations: RELATIONS });
  }

  async countOpen(authorId: string): Promise<number> {
    return this.edits.countBy({ authorId, status: 'open' });
  }

  /** What an edit is about, before it is held: what it is about comes first. */
  async about(tx: EntityManager, id: string): Promise<AboutEdit | null> {
    return isId('edt', id) ? tx.findOneBy(Edit, { id }) : null;
  }

  /** An edit with what its response needs, held for a transaction that will change it. */
  async hold(tx: EntityManager, id: string): Promise<Edit | null> {
    return isId('edt', id) ? holdRow(tx, Edit, { where: { id }, relations: RELATIONS }) : null;
  }

  /** An edit as this transaction has written it. */
  async written(tx: EntityManager, id: string): Promise<Edit> {
    return tx.findOneOrFail(Edit, { where: { id }, relations: RELATIONS });
  }
}
