import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Raw, type Repository } from 'typeorm';
import { assertAllowed, checkNotBlocked } from '../../identity/accounts/account-permissions.js';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import { lockRow } from '../../platform/database/lock-row.js';
import { isId, generateId } from '../../platform/database/ids.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import { assertIfMatch } from '../../platform/http/entity-tag.js';
import { type Page, findPage, type PageQuery } from '../../platform/database/keyset-pagination.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { CollectionItem } from './collection-item.entity.js';
import { canViewForWrite, checkUpdatePermission, canView } from './collection-permissions.js';
import {
  type UpdateCollectionRequest,
  type CollectionResponse,
  type CollectionsQuery,
  type CreateCollectionRequest,
  toCollectionResponse,
  toCollectionItemResponse,
  toCollectionWriteResponse,
  type CollectionWithItemsResponse,
  type CollectionWriteResponse,
} from './collection.dto.js';
import { Collection } from './collection.entity.js';

/** How many collections a person can have. */
const MAX_COLLECTIONS_PER_PERSON = 200;

@Injectable()
export class CollectionsService {
  constructor(
    @InjectRepository(Collection) private readonly collections: Repository<Collection>,
    @InjectRepository(CollectionItem) private readonly items: Repository<CollectionItem>,
    private readonly accounts: AccountsService,
    private readonly transactions: TransactionService,
  ) {}

  /** The person's own, the latest changed first. */
  async listOwn(
    caller: Caller,
    { visibility, containsMarkerId, ...query }: CollectionsQuery,
  ): Promise<Page<CollectionResponse>> {
    const where = {
      ownerId: caller.accountId,
      ...(visibility && { visibility }),
      ...(containsMarkerId !== undefined && { id: containsMarker(containsMarkerId) }),
    };
    const listing = { where, sortBy: 'updatedAt', direction: 'DESC', relations: { owner: true } } as const;
    const { data, page } = await findPage(this.collections, listing, query);
    return { data: data.map(toCollectionResponse), page };
  }

  /** @throws ApiError 404 where there is none, or none that this caller may know of */
  async get(caller: Caller | undefined, id: string, query: PageQuery): Promise<CollectionWithItemsResponse> {
    const collection = isId('col', id)
      ? await this.collections.findOne({ where: { id }, relations: { owner: true } })
      : null;
    if (!collection || !canView(caller, collection)) throw notFound('collection');
    const { data, page } = await this.findItemsPage(id, query);
    return { ...toCollectionResponse(collection), items: data.map(toCollectionItemResponse), page };
  }

  async create(
    caller: Caller,
    { name, description, visibility }: CreateCollectionRequest,
  ): Promise<CollectionWriteResponse> {
    return this.transactions.run(async (tx) => {
      const owner = await this.accounts.findForUpdate(tx, caller.accountId);
      assertAllowed(checkNotBlocked(owner));
      if ((await tx.countBy(Collection, { ownerId: owner.id })) >= MAX_COLLECTIONS_PER_PERSON) {
        throw new ApiError(422, 'limit_reached', `A person can have ${MAX_COLLECTIONS_PER_PERSON} collections.`);
      }
      const now = new Date();
      const collection = {
        id: generateId('col'),
        ownerId: owner.id,
        name,
        description: description || null,
        visibility: visibility ?? 'private',
        itemCount: 0,
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      await tx.insert(Collection, collection);
      return toCollectionWriteResponse(caller, { ...collection, owner }, ['name', 'description', 'visibility']);
    });
  }

  /** @param ifMatch the entity tag of the version that the caller saw @throws ApiError 412 where there is a later one */
  async update(
    caller: Caller,
    id: string,
    { description, ...change }: UpdateCollectionRequest,
    ifMatch?: string,
  ): Promise<CollectionWriteResponse> {
    return this.transactions.run(async (tx) => {
      const collection = await this.findOwnedForUpdate(tx, caller, id, ifMatch);
      const given = { ...change, ...(description !== undefined && { description: description || null }) };
      const written = Object.keys(given) as (keyof typeof given)[];
      const changed = written.length > 0 ? await this.updateWithVersion(tx, collection, given) : collection;
      return toCollectionWriteResponse(caller, changed, written);
    });
  }

  async delete(caller: Caller, id: string, ifMatch?: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const collection = await this.findOwnedForUpdate(tx, caller, id, ifMatch);
      await tx.delete(CollectionItem, { collectionId: collection.id });
      await tx.delete(Collection, { id: collection.id });
    });
  }

  /** The collection that a caller is about to change. @throws ApiError 404 or 403 where the person may not, 412 by `If-Match` */
  async findOwnedForUpdate(tx: EntityManager, caller: Caller, id: string, ifMatch?: string): Promise<Collection> {
    const person = await this.accounts.findForUpdate(tx, caller.accountId);
    const collection = isId('col', id)
      ? await lockRow(tx, Collection, { where: { id }, relations: { owner: true } })
      : null;
    if (!collection || !canViewForWrite(person, collection)) throw notFound('collection');
    assertAllowed(checkUpdatePermission(person, collection));
    assertIfMatch(ifMatch, collection);
    return collection;
  }

  /** Writes a change that the collection's version counts. */
  async updateWithVersion(tx: EntityManager, collection: Collection, change: Partial<Collection>): Promise<Collection> {
    const written = { ...change, version: collection.version + 1, updatedAt: new Date() };
    await tx.update(Collection, { id: collection.id }, written);
    return { ...collection, ...written };
  }

  private async findItemsPage(collectionId: string, query: PageQuery): Promise<Page<CollectionItem>> {
    const relations = { marker: { artists: true } };
    const where = { collectionId, marker: { deletedAt: IsNull() } };
    const listing = { where, sortBy: 'position', tieBreaker: 'markerId', direction: 'ASC', relations } as const;
    return findPage(this.items, listing, query);
  }
}

/** Ids of collections that hold a marker. */
function containsMarker(markerId: string): ReturnType<typeof Raw> {
  const held = 'SELECT "collection_id" FROM "collection_items" WHERE "marker_id" = :markerId';
  return Raw((column) => `${column} IN (${held})`, { markerId });
}
