import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../identity/accounts/account.entity.js';
import type { PersonalDataSource } from '../../identity/accounts/personal-data.registry.js';
import { Collection, CollectionItem } from './collection.entity.js';
import { CollectionsStore } from './collections.store.js';

/** The collections of a person. A deletion of the account deletes them. */
@Injectable()
export class CollectionsPersonalDataService implements PersonalDataSource {
  readonly name = 'collections';
  readonly entities = [Collection, CollectionItem];

  constructor(private readonly collections: CollectionsStore) {}

  async export(accountId: string): Promise<object[]> {
    const collections = await this.collections.listByOwner(accountId);
    const items = await this.collections.listItems(collections.map(({ id }) => id));
    return collections.map((collection) =>
      toCollectionExport(
        collection,
        items.filter(({ collectionId }) => collectionId === collection.id),
      ),
    );
  }

  async delete(tx: EntityManager, { id }: Account): Promise<void> {
    await this.collections.deleteByOwner(tx, id);
  }
}

function toCollectionExport(collection: Collection, items: CollectionItem[]): object {
  return {
    id: collection.id,
    name: collection.name,
    description: collection.description,
    visibility: collection.visibility,
    created_at: collection.createdAt.toISOString(),
    updated_at: collection.updatedAt.toISOString(),
    items: items.map(({ markerId, note, addedAt }) => ({ marker: markerId, note, added_at: addedAt.toISOString() })),
  };
}
