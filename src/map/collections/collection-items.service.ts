import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';
import { AppRecordService } from '../../identity/app-record/app-record.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import {
  type IdempotencyKey,
  IdempotentWritesService,
  type Written,
} from '../../platform/idempotency/idempotent-writes.service.js';
import type { Marker } from '../markers/marker.entity.js';
import { MarkersStore } from '../markers/markers.store.js';
import {
  createItemNotFoundError,
  createNotAnArtworkError,
  createTooManyItemsError,
  MAX_ITEMS_PER_COLLECTION,
} from './collection-rules.js';
import type {
  AddCollectionItemsResponse,
  NewCollectionItem,
  OrderCollectionItemsResponse,
  UpdateCollectionItemResponse,
} from './collection.dto.js';
import type { Collection } from './collection.entity.js';
import {
  type ItemsAddedUndo,
  type ItemsRemovedUndo,
  type NoteChangedUndo,
  type OrderedUndo,
  toTarget,
} from './collection-undo.js';
import { CollectionsService } from './collections.service.js';
import { CollectionsStore } from './collections.store.js';

/** Adds items to collections, orders and removes them. */
@Injectable()
export class CollectionItemsService {
  constructor(
    private readonly collections: CollectionsService,
    private readonly store: CollectionsStore,
    private readonly markers: MarkersStore,
    private readonly transactions: TransactionService,
    private readonly idempotentWrites: IdempotentWritesService,
    private readonly record: AppRecordService,
  ) {}

  /**
   * Adds artworks at the end, in the given order. An artwork that the collection contains keeps its
   * position. Neither the response nor the version shows which artworks were new, because an app
   * that can only write could find out the content of a private collection.
   * @param key if it is sent again, the artworks are not added again
   */
  async add(
    caller: Caller,
    id: string,
    items: NewCollectionItem[],
    ifMatch?: string,
    key?: IdempotencyKey,
  ): Promise<Written<AddCollectionItemsResponse>> {
    const markerIds = items.map(({ markerId }) => markerId);
    const write = async (tx: EntityManager): Promise<AddCollectionItemsResponse> => {
      const collection = await this.collections.findOwnedForUpdate(tx, caller, id, ifMatch);
      const markers = await this.markers.findLive(tx, markerIds);
      assertOnlyArtworks(markers);
      const existing = items.filter(({ markerId }) => markers.has(markerId));
      const added = await this.insertMissing(tx, collection, existing);
      const changed = await this.updateItemCount(tx, collection, added.length);
      if (added.length > 0) {
        const undo: ItemsAddedUndo = { markerIds: added };
        await this.record.record(tx, caller, { action: 'collection.items_added', ...toTarget(changed), undo });
      }
      return { notFound: [...new Set(markerIds.filter((markerId) => !markers.has(markerId)))], collection: changed };
    };
    return this.idempotentWrites.run(write, {
      key: key && { ...key, request: [id, key.request] },
      scope: ['collection items', caller.appId, caller.accountId],
      authorize: (tx) => this.collections.findWriter(tx, caller),
    });
  }

  /**
   * Replaces the note of an artwork. As in `add`, an app that can only write does not learn whether
   * the collection contains it.
   * @throws DomainError `not_found` if the artwork does not exist, or if it is not in a collection
   *   that the app can read
   */
  async setNote(
    caller: Caller,
    { id, markerId }: { id: string; markerId: string },
    sent: string | null,
    ifMatch?: string,
  ): Promise<UpdateCollectionItemResponse> {
    return this.transactions.run(async (tx) => {
      const collection = await this.collections.findOwnedForUpdate(tx, caller, id, ifMatch);
      if (!(await this.markers.findLive(tx, [markerId])).has(markerId)) throw createNotFoundError('artwork');
      const item = await this.store.findItem(tx, { collectionId: id, markerId });
      if (!item && caller.scopes.has('collections:read')) throw createItemNotFoundError();
      const note = sent || null;
      await this.store.updateNote(tx, { collectionId: id, markerId }, note);
      const changed = await this.updateItemCount(tx, collection, 0);
      if (item && item.note !== note) {
        const undo: NoteChangedUndo = { markerId, noteBefore: item.note };
        await this.record.record(tx, caller, { action: 'collection.changed', ...toTarget(changed), undo });
      }
      return { markerId, note, collection: changed };
    });
  }

  /**
   * Puts artworks first, in the given order. The others keep their relative order behind them. An
   * app that can only write does not learn which artworks the collection contains.
   */
  async order(
    caller: Caller,
    id: string,
    markerIds: string[],
    ifMatch?: string,
  ): Promise<OrderCollectionItemsResponse> {
    return this.transactions.run(async (tx) => {
      const collection = await this.collections.findOwnedForUpdate(tx, caller, id, ifMatch);
      const before = await this.store.listPositions(tx, id);
      const current = before.map(({ markerId }) => markerId);
      const [contained, given] = [new Set(current), new Set(markerIds)];
      const first = markerIds.filter((markerId) => contained.has(markerId));
      const canRead = caller.scopes.has('collections:read');
      const found = canRead ? contained : await this.markers.findExisting(tx, markerIds);
      const order = [...first, ...current.filter((markerId) => !given.has(markerId))];
      await this.store.setOrder(tx, id, order);
      const changed = await this.updateItemCount(tx, collection, 0);
      if (order.some((markerId, index) => markerId !== current[index])) {
        const undo: OrderedUndo = { positions: before };
        await this.record.record(tx, caller, { action: 'collection.ordered', ...toTarget(changed), undo });
      }
      return { notFound: markerIds.filter((markerId) => !found.has(markerId)), collection: changed };
    });
  }

  /** Removes artworks. Ignores artworks that the collection does not contain. */
  async remove(caller: Caller, id: string, markerIds: string[], ifMatch?: string, key?: IdempotencyKey): Promise<void> {
    const write = async (tx: EntityManager): Promise<void> => {
      const collection = await this.collections.findOwnedForUpdate(tx, caller, id, ifMatch);
      const items = await this.store.deleteItems(tx, id, markerIds);
      const changed = await this.updateItemCount(tx, collection, -items.length);
      if (items.length === 0) return;
      const undo: ItemsRemovedUndo = { items };
      await this.record.record(tx, caller, { action: 'collection.item_removed', ...toTarget(changed), undo });
    };
    await this.idempotentWrites.run(write, {
      key: key && { ...key, request: [id, key.request] },
      scope: ['removed collection items', caller.appId, caller.accountId],
      authorize: (tx) => this.collections.findWriter(tx, caller),
    });
  }

  /**
   * @returns the markers of the new items
   * @throws DomainError `unprocessable` if the collection would have too many items
   */
  private async insertMissing(
    tx: EntityManager,
    { id, itemCount }: Collection,
    items: NewCollectionItem[],
  ): Promise<string[]> {
    const markerIds = items.map(({ markerId }) => markerId);
    const contained = await this.store.findContained(tx, id, markerIds);
    const missing = new Map<string, { markerId: string; note: string | null }>();
    for (const { markerId, note } of items) {
      if (!contained.has(markerId) && !missing.has(markerId)) missing.set(markerId, { markerId, note: note || null });
    }
    if (itemCount + missing.size > MAX_ITEMS_PER_COLLECTION) throw createTooManyItemsError();
    await this.store.insertItems(tx, id, [...missing.values()], new Date());
    return [...missing.keys()];
  }

  private async updateItemCount(
    tx: EntityManager,
    collection: Collection,
    added: number,
  ): Promise<AddCollectionItemsResponse['collection']> {
    const itemCount = collection.itemCount + added;
    const { id, version } = await this.store.update(tx, collection, { itemCount });
    return { id, version };
  }
}

/** @throws DomainError `not_an_artwork` */
function assertOnlyArtworks(markers: Map<string, Marker>): void {
  const place = [...markers.values()].find(({ kind }) => kind !== 'artwork');
  if (place) throw createNotAnArtworkError(place.id);
}
