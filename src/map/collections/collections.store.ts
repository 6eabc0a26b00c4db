import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOperator, In, IsNull, Raw, type Repository } from 'typeorm';
import { isId } from '../../platform/database/ids.js';
import { type Page, findPage } from '../../platform/database/keyset-pagination.js';
import type { PageQuery } from '../../platform/validation/page-query.dto.js';
import { buildRecordsetSql, query } from '../../platform/database/query.js';
import { lockRow } from '../../platform/database/lock-row.js';
import { Collection, CollectionItem } from './collection.entity.js';
import type { CollectionsQuery } from './collection.dto.js';

/** Columns of a collection, without the relation. */
export type CollectionRow = Omit<Collection, 'owner'>;

/** An item outside of its collection, as the record of an app stores it. */
export type StoredItem = Pick<CollectionItem, 'markerId' | 'note' | 'position'> & {
  /** Milliseconds since 1970. */
  addedAtMs: number;
};

/** The place of an artwork in a collection. */
export type ItemPosition = Pick<CollectionItem, 'markerId' | 'position'>;

/** Data access for collections and their items. */
@Injectable()
export class CollectionsStore {
  constructor(
    @InjectRepository(Collection) private readonly collections: Repository<Collection>,
    @InjectRepository(CollectionItem) private readonly items: Repository<CollectionItem>,
  ) {}

  /** Returns a page of a person's collections with their owner, latest change first. */
  findPageByOwner(
    ownerId: string,
    { visibility, containsMarkerId, ...query }: CollectionsQuery,
  ): Promise<Page<Collection>> {
    const where = {
      ownerId,
      ...(visibility && { visibility }),
      ...(containsMarkerId !== undefined && { id: containsMarker(containsMarkerId) }),
    };
    const relations = { owner: true };
    return findPage(this.collections, { where, sortBy: 'updatedAt', direction: 'DESC', relations }, query);
  }

  async find(id: string): Promise<Collection | null> {
    if (!isId('col', id)) return null;
    const [collection] = await this.collections.find({ where: { id }, relations: { owner: true } });
    return collection ?? null;
  }

  /** Returns the names of collections, by id. Skips those that do not exist. */
  async findNames(ids: string[]): Promise<Map<string, string>> {
    const found = await this.collections.find({ select: { id: true, name: true }, where: { id: In(ids) } });
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  /** Locks a collection and returns it, without its owner. */
  async findForUpdate(tx: EntityManager, id: string): Promise<CollectionRow | null> {
    return isId('col', id) ? lockRow(tx, Collection, { where: { id } }) : null;
  }

  async countByOwner(tx: EntityManager, ownerId: string): Promise<number> {
    return tx.countBy(Collection, { ownerId });
  }

  async insert(tx: EntityManager, { createdAt, updatedAt, ...collection }: CollectionRow): Promise<void> {
    const times = { createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() };
    await query(tx, INSERT_SQL, { ...collection, ...times });
  }

  /** Changes a collection, increments its version and returns the new row. */
  async update<Row extends CollectionRow>(
    tx: EntityManager,
    collection: Row,
    change: Partial<CollectionRow>,
  ): Promise<Row> {
    const updated = { ...collection, ...change, version: collection.version + 1, updatedAt: new Date() };
    await query(tx, UPDATE_SQL, { ...updated, updatedAt: updated.updatedAt.getTime() });
    return updated;
  }

  /** Returns all collections of a person, the oldest first. */
  async listByOwner(ownerId: string): Promise<Collection[]> {
    return this.collections.find({ where: { ownerId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Returns all items of several collections, in their order. */
  async listItems(collectionIds: string[]): Promise<CollectionItem[]> {
    return this.items.find({ where: { collectionId: In(collectionIds) }, order: { position: 'ASC' } });
  }

  /** Deletes all collections of a person with their items. */
  async deleteByOwner(tx: EntityManager, ownerId: string): Promise<void> {
    for (const { id } of await tx.findBy(Collection, { ownerId })) await this.delete(tx, id);
  }

  /** Deletes a collection, and returns its items. */
  async delete(tx: EntityManager, id: string): Promise<StoredItem[]> {
    const items = await this.deleteWhere(tx, 'collection_id = :id', { id });
    await query(tx, 'DELETE FROM collections WHERE id = :id', { id });
    return items;
  }

  /**
   * Returns a page of the items whose markers are live, with marker and artists, in their order.
   */
  findItemsPage(collectionId: string, query: PageQuery): Promise<Page<CollectionItem>> {
    const where = { collectionId, marker: { deletedAt: IsNull() } };
    const relations = { marker: { artists: true } };
    const list = { where, sortBy: 'position', tieBreaker: 'markerId', direction: 'ASC', relations } as const;
    return findPage(this.items, list, query);
  }

  /** Returns the number of items of each collection whose markers are live. Skips empty ones. */
  async countLiveItems(ids: string[], tx: EntityManager = this.items.manager): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const sql = `SELECT i.collection_id, count(*) AS total FROM collection_items i
      JOIN markers m ON m.id = i.marker_id WHERE i.collection_id IN (:...ids) AND m.deleted_at IS NULL
      GROUP BY i.collection_id`;
    const rows = await query<{ collection_id: string; total: number | string }>(tx, sql, { ids });
    return new Map(rows.map(({ collection_id, total }) => [collection_id, Number(total)]));
  }

  /** Returns those of the markers that the collection contains. */
  async findContained(tx: EntityManager, collectionId: string, markerIds: string[]): Promise<Set<string>> {
    const items = await tx.findBy(CollectionItem, { collectionId, markerId: In(markerIds) });
    return new Set(items.map(({ markerId }) => markerId));
  }

  /** Adds items at the end of a collection. */
  async insertItems(
    tx: EntityManager,
    collectionId: string,
    items: Pick<CollectionItem, 'markerId' | 'note'>[],
    addedAt: Date,
  ): Promise<void> {
    if (items.length === 0) return;
    const last = (await tx.maximum(CollectionItem, 'position', { collectionId })) ?? 0;
    await tx.insert(
      CollectionItem,
      items.map(({ markerId, note }, index) => ({ collectionId, markerId, note, position: last + index + 1, addedAt })),
    );
  }

  /** Returns the markers of all items with their positions, in their order. */
  async listPositions(tx: EntityManager, collectionId: string): Promise<ItemPosition[]> {
    const items = await tx.find(CollectionItem, { where: { collectionId }, order: { position: 'ASC' } });
    return items.map(({ markerId, position }) => ({ markerId, position }));
  }

  /**
   * Gives all items new positions. They are behind the current ones, because positions are unique
   * at every moment.
   */
  async setOrder(tx: EntityManager, collectionId: string, markerIds: string[]): Promise<void> {
    const last = (await tx.maximum(CollectionItem, 'position', { collectionId })) ?? 0;
    const positions = markerIds.map((markerId, index) => ({ markerId, position: last + index + 1 }));
    await this.updatePositions(tx, collectionId, positions);
  }

  /** Gives some items positions that no other item has; two of them can exchange theirs. */
  async setPositions(tx: EntityManager, collectionId: string, positions: ItemPosition[]): Promise<void> {
    if (positions.length === 0) return;
    const free = positions.map(({ markerId, position }) => ({ markerId, position: -position }));
    await this.updatePositions(tx, collectionId, free);
    await this.updatePositions(tx, collectionId, positions);
  }

  private async updatePositions(tx: EntityManager, collectionId: string, positions: ItemPosition[]): Promise<void> {
    const input = JSON.stringify(positions);
    const sql = `UPDATE collection_items SET position = CAST(input."position" AS integer)
      FROM ${buildRecordsetSql(tx, 'markerId', 'position')}
      WHERE collection_id = :collectionId AND marker_id = input."markerId"`;
    await query(tx, sql, { collectionId, input });
  }

  /** Adds items at their own positions. */
  async restoreItems(tx: EntityManager, collectionId: string, items: StoredItem[]): Promise<void> {
    if (items.length === 0) return;
    const rows = items.map(({ addedAtMs, ...item }) => ({ collectionId, ...item, addedAt: new Date(addedAtMs) }));
    await tx.insert(CollectionItem, rows);
  }

  /** Returns an item, or null. */
  async findItem(
    tx: EntityManager,
    item: Pick<CollectionItem, 'collectionId' | 'markerId'>,
  ): Promise<CollectionItem | null> {
    return tx.findOneBy(CollectionItem, item);
  }

  async updateNote(
    tx: EntityManager,
    item: Pick<CollectionItem, 'collectionId' | 'markerId'>,
    note: string | null,
  ): Promise<void> {
    await tx.update(CollectionItem, item, { note });
  }

  /** Deletes the items of some markers, and returns them. */
  async deleteItems(tx: EntityManager, collectionId: string, markerIds: string[]): Promise<StoredItem[]> {
    const valid = markerIds.filter((markerId) => isId('mrk', markerId));
    if (valid.length === 0) return [];
    return this.deleteWhere(tx, 'collection_id = :collectionId AND marker_id IN (:...valid)', { collectionId, valid });
  }

  private async deleteWhere(
    tx: EntityManager,
    condition: string,
    parameters: Record<string, unknown>,
  ): Promise<StoredItem[]> {
    const sql = `DELETE FROM collection_items WHERE ${condition}
      RETURNING marker_id AS "markerId", note, position, added_at AS "addedAtMs"`;
    const items = await query<StoredItem & { addedAtMs: number | string }>(tx, sql, parameters);
    return items.map((item) => ({ ...item, addedAtMs: Number(item.addedAtMs) }));
  }
}

/** Condition on a column with ids of collections: the collection contains the marker. */
function containsMarker(markerId: string): FindOperator<string> {
  const collections = 'SELECT "collection_id" FROM "collection_items" WHERE "marker_id" = :markerId';
  return Raw((column) => `${column} IN (${collections})`, { markerId }) as FindOperator<string>;
}

/** Statements of their own, because TypeORM takes longer to build one than a database to run it. */
const INSERT_SQL = `INSERT INTO collections
  (id, owner_id, name, description, visibility, item_count, version, created_at, updated_at)
  VALUES (:id, :ownerId, :name, :description, :visibility, :itemCount, :version, :createdAt, :updatedAt)`;
const UPDATE_SQL = `UPDATE collections SET name = :name, description = :description, visibility = :visibility,
  item_count = :itemCount, version = :version, updated_at = :updatedAt WHERE id = :id`;
