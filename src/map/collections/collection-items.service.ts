import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { isId } from '../../platform/database/ids.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { Marker } from '../markers/marker.entity.js';
import { MarkersStore } from '../markers/markers.store.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { CollectionItem } from './collection-item.entity.js';
import type { AddCollectionItemsResponse, NewCollectionItem } from './collection.dto.js';
import { Collection } from './collection.entity.js';
import { CollectionsService } from './collections.service.js';

/** How many artworks a collection can hold. */
const MAX_ITEMS_PER_COLLECTION = 1000;

/** What is put into collections and taken out again. */
@Injectable()
export class CollectionItemsService {
  constructor(
    private readonly collections: CollectionsService,
    private readonly markers: MarkersStore,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Adds artworks at the end, in the order given; one that is there already stays where it is. Neither the answer nor the
   * version tells which were: an app that may only write could find out what a private list holds.
   */
  async add(
    caller: Caller,
    id: string,
    items: NewCollectionItem[],
    ifMatch?: string,
  ): Promise<AddCollectionItemsResponse> {
    return this.transactions.run(async (tx) => {
      const collection = await this.collections.findOwnedForUpdate(tx, caller, id, ifMatch);
      const known = await this.markers.findLive(
        tx,
        items.map(({ markerId }) => markerId),
      );
      assertOnlyArtworks(known);
      const wanted = items.filter(({ markerId }) => known.has(markerId));
      const added = await this.insertMissing(tx, collection, wanted);
      return {
        notFound: [...new Set(items.map(({ markerId }) => markerId).filter((markerId) => !known.has(markerId)))],
        collection: await this.updateItemCount(tx, collection, added),
      };
    });
  }

  /** Takes artworks out; one that is not there needs nothing done. */
  async remove(caller: Caller, id: string, markerIds: string[], ifMatch?: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const collection = await this.collections.findOwnedForUpdate(tx, caller, id, ifMatch);
      const known = markerIds.filter((markerId) => isId('mrk', markerId));
      const { affected } = await tx.delete(CollectionItem, { collectionId: id, markerId: In(known) });
      await this.updateItemCount(tx, collection, -(affected ?? 0));
    });
  }

  /** @returns how many were not there before */
  private async insertMissing(
    tx: EntityManager,
    { id, itemCount }: Collection,
    items: NewCollectionItem[],
  ): Promise<number> {
    const ids = items.map(({ markerId }) => markerId);
    const known = await tx.findBy(CollectionItem, { collectionId: id, markerId: In(ids) });
    const there = new Set(known.map(({ markerId }) => markerId));
    const fresh = new Map<string, NewCollectionItem>();
    for (const item of items) {
      if (!there.has(item.markerId) && !fresh.has(item.markerId)) fresh.set(item.markerId, item);
    }
    if (itemCount + fresh.size > MAX_ITEMS_PER_COLLECTION) {
      throw new ApiError(422, 'limit_reached', `A collection can hold ${MAX_ITEMS_PER_COLLECTION} artworks.`);
    }
    const last = (await tx.maximum(CollectionItem, 'position', { collectionId: id })) ?? 0;
    const addedAt = new Date();
    const rows = [...fresh.values()].map(({ markerId, note }, at) => ({
      collectionId: id,
      markerId,
      position: last + at + 1,
      note: note || null,
      addedAt,
    }));
    if (rows.length > 0) await tx.insert(CollectionItem, rows);
    return rows.length;
  }

  private async updateItemCount(
    tx: EntityManager,
    collection: Collection,
    added: number,
  ): Promise<AddCollectionItemsResponse['collection']> {
    const itemCount = collection.itemCount + added;
    const { id, version } = await this.collections.updateWithVersion(tx, collection, { itemCount });
    return { id, version };
  }
}

/** Artworks are what the consent page speaks of. @throws ApiError 422 `not_an_artwork` */
function assertOnlyArtworks(markers: Map<string, Marker>): void {
  const place = [...markers.values()].find(({ kind }) => kind !== 'artwork');
  if (place) throw new ApiError(422, 'not_an_artwork', `${place.id} is a place; a collection holds artworks.`);
}
