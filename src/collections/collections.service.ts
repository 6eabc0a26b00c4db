import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Raw, type Repository } from 'typeorm';
import { allow, mayWrite } from '../accounts/account-permissions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { holdRow } from '../database/hold-row.js';
import { isId, newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { ApiError, notFound } from '../http/api-error.js';
import { checkVersion } from '../http/entity-tag.js';
import { type Page, pageOf, type PageQuery } from '../http/paging.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { CollectionItem } from './collection-item.entity.js';
import { mayAddress, mayChange, maySee } from './collection-permissions.js';
import {
  type ChangeCollection,
  type CollectionItemResponse,
  type CollectionResponse,
  type CollectionsQuery,
  type CreateCollection,
  toCollectionResponse,
  toItemResponse,
  toWrittenCollection,
  type WrittenCollection,
} from './collection.dto.js';
import { Collection } from './collection.entity.js';

/** How many collections a person can have. */
const MAX_COLLECTIONS = 200;

/** A collection with a page of what is in it. */
export type CollectionWithItems = CollectionResponse & { items: CollectionItemResponse[] } & Pick<Page<never>, 'page'>;

@Injectable()
export class CollectionsService {
  constructor(
    @InjectRepository(Collection) private readonly collections: Repository<Collection>,
    @InjectRepository(CollectionItem) private readonly items: Repository<CollectionItem>,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  /** The person's own, the latest changed first. */
  async listOwn(
    caller: Caller,
    { visibility, containsMarkerId, ...query }: CollectionsQuery,
  ): Promise<Page<CollectionResponse>> {
    const where = {
      ownerId: caller.accountId,
      ...(visibility && { visibility }),
      ...(containsMarkerId !== undefined && { id: holding(containsMarkerId) }),
    };
    const listing = { where, by: 'updatedAt', direction: 'DESC', relations: { owner: true } } as const;
    const { data, page } = await pageOf(this.collections, listing, query);
    return { data: data.map(toCollectionResponse), page };
  }

  /** @throws ApiError 404 where there is none, or none that this caller may know of */
  async get(caller: Caller | undefined, id: string, query: PageQuery): Promise<CollectionWithItems> {
    const collection = isId('col', id)
      ? await this.collections.findOne({ where: { id }, relations: { owner: true } })
      : null;
    if (!collection || !maySee(caller, collection)) throw notFound('collection');
    const { data, page } = await this.itemsOf(id, query);
    return { ...toCollectionResponse(collection), items: data.map(toItemResponse), page };
  }

  async create(caller: Caller, { name, description, visibility }: CreateCollection): Promise<WrittenCollection> {
    return this.transactions.run(async (tx) => {
      const owner = await this.accounts.hold(tx, caller.accountId);
      allow(mayWrite(owner));
      if ((await tx.countBy(Collection, { ownerId: owner.id })) >= MAX_COLLECTIONS) {
        throw new ApiError(422, 'limit_reached', `A person can have ${MAX_COLLECTIONS} collections.`);
      }
      const now = new Date();
      const collection = {
        id: newId('col'),
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
      return toWrittenCollection(caller, { ...collection, owner }, ['name', 'description', 'visibility']);
    });
  }

  /** @param ifMatch the entity tag of the version that the caller saw @throws ApiError 412 where there is a later one */
  async change(
    caller: Caller,
    id: string,
    { description, ...change }: ChangeCollection,
    ifMatch?: string,
  ): Promise<WrittenCollection> {
    return this.transactions.run(async (tx) => {
      const collection = await this.own(tx, caller, id, ifMatch);
      const given = { ...change, ...(description !== undefined && { description: description || null }) };
      const written = Object.keys(given) as (keyof typeof given)[];
      const changed = written.length > 0 ? await this.write(tx, collection, given) : collection;
      return toWrittenCollection(caller, changed, written);
    });
  }

  async delete(caller: Caller, id: string, ifMatch?: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const collection = await this.own(tx, caller, id, ifMatch);
      await tx.delete(CollectionItem, { collectionId: collection.id });
      await tx.delete(Collection, { id: collection.id });
    });
  }

  /** The collection that a caller is about to change. @throws ApiError 404 or 403 where the person may not, 412 by `If-Match` */
  async own(tx: EntityManager, caller: Caller, id: string, ifMatch?: string): Promise<Collection> {
    const person = await this.accounts.hold(tx, caller.accountId);
    const collection = isId('col', id)
      ? await holdRow(tx, Collection, { where: { id }, relations: { owner: true } })
      : null;
    if (!collection || !mayAddress(person, collection)) throw notFound('collection');
    allow(mayChange(person, collection));
    checkVersion(ifMatch, collection);
    return collection;
  }

  /** Writes a change that the collection's version counts. */
  async write(tx: EntityManager, collection: Collection, change: Partial<Collection>): Promise<Collection> {
    const written = { ...change, version: collection.version + 1, updatedAt: new Date() };
    await tx.update(Collection, { id: collection.id }, written);
    return { ...collection, ...written };
  }

  private async itemsOf(collectionId: string, query: PageQuery): Promise<Page<CollectionItem>> {
    const relations = { marker: { artists: true } };
    const where = { collectionId, marker: { deletedAt: IsNull() } };
    const listing = { where, by: 'position', then: 'markerId', direction: 'ASC', relations } as const;
    return pageOf(this.items, listing, query);
  }
}

/** Ids of collections that hold a marker. */
function holding(markerId: string): ReturnType<typeof Raw> {
  const held = 'SELECT "collection_id" FROM "collection_items" WHERE "marker_id" = :markerId';
  return Raw((column) => `${column} IN (${held})`, { markerId });
}
