import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { isId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { ApiError } from '../http/api-error.js';
import type { Marker } from '../markers/marker.entity.js';
import { MarkersStore } from '../markers/markers-store.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { CollectionItem } from './collection-item.entity.js';
import type { AddedItems, NewItem } from './collection.dto.js';
import { Collection } from './collection.entity.js';
import { CollectionsService } from './collections.service.js';

/** How many artworks a collection can hold. */
const MAX_ITEMS = 1000;

/** What is put into collections and taken out again. */
@Injectable()
export class CollectionItemsService {
  constructor(
    private readonly collections: CollectionsService,
    private readonly markers: MarkersStore,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Adds artworks at the end, in the order given; one that is there already stays where it is. Neither the answer nor the
   * version tells which were: an app that may only write could find out what a private list holds.
   */
  async add(caller: Caller, id: string, items: NewItem[], ifMatch?: string): Promise<AddedItems> {
    return this.transactions.run(async (tx) => {
      const collection = await this.collections.own(tx, caller, id, ifMatch);
      const known = await this.markers.liveAmong(
        tx,
        items.map(({ markerId }) => markerId),
      );
      onlyArtworks(known);
      const wanted = items.filter(({ markerId }) => known.has(markerId));
      const added = await this.insert(tx, collection, wanted);
      return {
        notFound: [...new Set(items.map(({ markerId }) => markerId).filter((markerId) => !known.has(markerId)))],
        collection: await this.written(tx, collection, added),
      };
    });
  }

  /** Takes artworks out; one that is not there needs nothing done. */
  async remove(caller: Caller, id: string, markerIds: string[], ifMatch?: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const collection = await this.collections.own(tx, caller, id, ifMatch);
      const known = markerIds.filter((markerId) => isId('mrk', markerId));
      const { affected } = await tx.delete(CollectionItem, { collectionId: id, markerId: In(known) });
      await this.written(tx, collection, -(affected ?? 0));
    });
  }

  /** @returns how many were not there before */
  private async insert(tx: EntityManager, { id, itemCount }: Collection, items: NewItem[]): Promise<number> {
    const ids = items.map(({ markerId }) => markerId);
    const known = await tx.findBy(CollectionItem, { collectionId: id, markerId: In(ids) });
    const there = new Set(known.map(({ markerId }) => markerId));
    const fresh = new Map<string, NewItem>();
    for (const item of items) {
      if (!there.has(item.markerId) && !fresh.has(item.markerId)) fresh.set(item.markerId, item);
    }
    if (itemCount + fresh.size > MAX_ITEMS) {
      throw new ApiError(422, 'limit_reached', `A collection can hold ${MAX_ITEMS} artworks.`);
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

  private async written(tx: EntityManager, collection: Collection, added: number): Promise<AddedItems['collection']> {
    const itemCount = collection.itemCount + added;
    const { id, version } = await this.collections.write(tx, collection, { itemCount });
    return { id, version };
  }
}

/** Artworks are what the consent page speaks of. @throws ApiError 422 `not_an_artwork` */
function onlyArtworks(markers: Map<string, Marker>): void {
  const place = [...markers.values()].find(({ kind }) => kind !== 'artwork');
  if (place) throw new ApiError(422, 'not_an_artwork', `${place.id} is a place; a collection holds artworks.`);
}
