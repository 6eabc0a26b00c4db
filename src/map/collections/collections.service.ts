import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../identity/accounts/account.entity.js';
import { checkNotBlocked } from '../../identity/accounts/account-permissions.js';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import type { PageQuery } from '../../platform/validation/page-query.dto.js';
import type { Actor, Caller } from '../../identity/scopes/caller.decorator.js';
import { generateId } from '../../platform/database/ids.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { AppRecordService } from '../../identity/app-record/app-record.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { assertAllowed } from '../../platform/errors/denial.js';
import { assertIfMatch } from '../../platform/http/entity-tag.js';
import {
  type IdempotencyKey,
  IdempotentWritesService,
  type Written,
} from '../../platform/idempotency/idempotent-writes.service.js';
import {
  canViewCollection,
  canViewForWrite,
  checkUpdatePermission,
  createCollectionNotFoundError,
  createTooManyCollectionsError,
  MAX_COLLECTIONS_PER_PERSON,
} from './collection-rules.js';
import {
  type CollectionResponse,
  type CollectionsQuery,
  type CollectionWithItemsResponse,
  type CollectionWriteResponse,
  type CreateCollectionRequest,
  restrictCollectionResponse,
  toCollectionItemResponse,
  toCollectionResponse,
  toCollectionWriteResponse,
  type UpdateCollectionRequest,
} from './collection.dto.js';
import type { Collection } from './collection.entity.js';
import { type CreatedUndo, findChangedFields, toDeletionUndo, toTarget } from './collection-undo.js';
import { CollectionsStore } from './collections.store.js';

/** Lists, reads and changes collections. */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly collections: CollectionsStore,
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly idempotentWrites: IdempotentWritesService,
    private readonly record: AppRecordService,
  ) {}

  /** Lists the person's own collections, latest change first. */
  async listOwn(caller: Caller, query: CollectionsQuery): Promise<Page<CollectionResponse>> {
    const { data, page } = await this.collections.findPageByOwner(caller.accountId, query);
    const counts = await this.collections.countLiveItems(data.map(({ id }) => id));
    return { data: data.map((collection) => toCollectionResponse(collection, counts.get(collection.id) ?? 0)), page };
  }

  /** @throws DomainError `not_found` if it does not exist or the caller cannot read it */
  async get(actor: Actor | undefined, id: string, query: PageQuery): Promise<CollectionWithItemsResponse> {
    const collection = await this.collections.find(id);
    if (!collection || !canViewCollection(actor, collection)) throw createCollectionNotFoundError();
    const { data, page } = await this.collections.findItemsPage(id, query);
    const itemCount = await this.countItems(id);
    return { ...toCollectionResponse(collection, itemCount), items: data.map(toCollectionItemResponse), page };
  }

  /**
   * @param key if it is sent again, the collection is not created again
   * @throws DomainError `forbidden` if the account is blocked, `unprocessable` at the limit
   */
  async create(
    caller: Caller,
    { name, description, visibility }: CreateCollectionRequest,
    key?: IdempotencyKey,
  ): Promise<Written<CollectionWriteResponse>> {
    const write = async (tx: EntityManager): Promise<CollectionWriteResponse> => {
      const owner = await this.findWriter(tx, caller);
      if ((await this.collections.countByOwner(tx, owner.id)) >= MAX_COLLECTIONS_PER_PERSON)
        throw createTooManyCollectionsError();
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
      await this.collections.insert(tx, collection);
      const undo: CreatedUndo = { name };
      await this.record.record(tx, caller, { action: 'collection.created', ...toTarget(collection), undo });
      return toCollectionWriteResponse(caller, { ...collection, owner }, 0);
    };
    return this.idempotentWrites.run(write, {
      key,
      scope: ['collections', caller.appId, caller.accountId],
      authorize: (tx) => this.findWriter(tx, caller),
      restrict: (response) => restrictCollectionResponse(caller, response),
    });
  }

  /**
   * Locks and returns the account of the caller.
   * @throws DomainError `forbidden` if it is blocked
   */
  async findWriter(tx: EntityManager, caller: Caller): Promise<Account> {
    const person = await this.accounts.findCallerForUpdate(tx, caller);
    assertAllowed(checkNotBlocked(person));
    return person;
  }

  /**
   * @param ifMatch entity tag of the version that the caller saw
   * @throws DomainError as `findOwnedForUpdate`
   */
  async update(
    caller: Caller,
    id: string,
    { description, ...request }: UpdateCollectionRequest,
    ifMatch?: string,
  ): Promise<CollectionWriteResponse> {
    return this.transactions.run(async (tx) => {
      const collection = await this.findOwnedForUpdate(tx, caller, id, ifMatch);
      const change = { ...request, ...(description !== undefined && { description: description || null }) };
      const fields = Object.keys(change) as (keyof typeof change)[];
      const updated = fields.length > 0 ? await this.collections.update(tx, collection, change) : collection;
      const undo = findChangedFields(collection, updated);
      if (undo) await this.record.record(tx, caller, { action: 'collection.changed', ...toTarget(updated), undo });
      return toCollectionWriteResponse(caller, updated, await this.countItems(id, tx), fields);
    });
  }

  /** @throws DomainError as `findOwnedForUpdate` */
  async delete(caller: Caller, id: string, ifMatch?: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const collection = await this.findOwnedForUpdate(tx, caller, id, ifMatch);
      const undo = toDeletionUndo(collection, await this.collections.delete(tx, id));
      const target = toTarget({ id, version: collection.version + 1 });
      await this.record.record(tx, caller, { action: 'collection.deleted', ...target, undo });
    });
  }

  /**
   * Locks the account and the collection, and returns the collection if the caller can change it.
   * @throws DomainError `not_found` if the person cannot read it, `forbidden` if they cannot change
   *   it; ApiError 412 if `ifMatch` does not match
   */
  async findOwnedForUpdate(tx: EntityManager, caller: Caller, id: string, ifMatch?: string): Promise<Collection> {
    const person = await this.accounts.findCallerForUpdate(tx, caller);
    const collection = await this.collections.findForUpdate(tx, id);
    if (!collection || !canViewForWrite(person, collection)) throw createCollectionNotFoundError();
    assertAllowed(checkUpdatePermission(person, collection));
    assertIfMatch(ifMatch, collection);
    return { ...collection, owner: person };
  }

  private async countItems(id: string, tx?: EntityManager): Promise<number> {
    return (await this.collections.countLiveItems([id], tx)).get(id) ?? 0;
  }
}
