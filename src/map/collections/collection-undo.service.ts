import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Action, AppAction } from '../../identity/app-record/app-action.entity.js';
import { AppRecordService } from '../../identity/app-record/app-record.service.js';
import { MAX_COLLECTIONS_PER_PERSON, MAX_ITEMS_PER_COLLECTION } from './collection-rules.js';
import {
  type DeletedUndo,
  type FieldsChangedUndo,
  type ItemsRemovedUndo,
  keepItems,
  makeRoom,
  type NoteChangedUndo,
  type OrderedUndo,
  planUndo,
  type UndoConflict,
  type UndoStep,
} from './collection-undo.js';
import { type CollectionRow, CollectionsStore } from './collections.store.js';

/** Why a line about a collection cannot be undone. */
export type UndoObstacle = UndoConflict | 'too_many_collections' | 'too_many_items';

/** Whether the undo of an action adds artworks to a collection, or removes them. */
const ITEM_SIGN: Partial<Record<Action, number>> = { 'collection.item_removed': 1, 'collection.items_added': -1 };

/** The lines that were undone, and those that were not. */
export interface UndoneLines {
  undone: AppAction[];
  obstacles: Map<AppAction, UndoObstacle>;
}

/** Undoes what apps did with the collections of a person. Callers lock the account. */
@Injectable()
export class CollectionUndoService {
  constructor(
    private readonly record: AppRecordService,
    private readonly collections: CollectionsStore,
  ) {}

  /** Returns, for each line of a person's record about collections, what changed it since. */
  async findConflicts(accountId: string, lines: AppAction[]): Promise<(UndoConflict | null)[]> {
    const all = await this.record.findWithLater(accountId, lines);
    return lines.map((line) => {
      const plan = planUndo(
        line,
        all.filter(({ targetId }) => targetId === line.targetId),
      );
      return Array.isArray(plan) ? null : plan;
    });
  }

  /**
   * Undoes lines one after the other, each after the later lines of its app that it depends on.
   * @param lines the newest first
   */
  async undo(tx: EntityManager, accountId: string, lines: AppAction[]): Promise<UndoneLines> {
    let remaining = await this.record.findWithLater(accountId, lines, tx);
    const result: UndoneLines = { undone: [], obstacles: new Map() };
    for (const { id } of lines) {
      const line = remaining.find((other) => other.id === id);
      if (!line) continue;
      const steps = await this.undoLine(tx, line, remaining);
      if (!Array.isArray(steps)) {
        result.obstacles.set(line, steps);
        continue;
      }
      result.undone.push(...steps.map((step) => step.line));
      const whole = steps.filter(({ rest }) => rest.length === 0).map((step) => step.line);
      await this.record.markUndone(
        tx,
        whole.map((undone) => undone.id),
      );
      remaining = remaining.filter((other) => !whole.includes(other));
    }
    return result;
  }

  /** @returns the steps that undid it, or why nothing was undone */
  private async undoLine(tx: EntityManager, line: AppAction, lines: AppAction[]): Promise<UndoStep[] | UndoObstacle> {
    const plan = planUndo(
      line,
      lines.filter(({ targetId }) => targetId === line.targetId),
    );
    if (!Array.isArray(plan)) return plan;
    const obstacle = await this.findLimit(tx, plan);
    if (obstacle) return obstacle;
    // The deletion of a created collection undoes what the app did with it.
    const steps = line.action === 'collection.created' ? plan.slice(-1) : plan;
    for (const step of steps) await this.apply(tx, step);
    return plan;
  }

  /** Whether the person would have too many collections, or one of them too many artworks. */
  private async findLimit(tx: EntityManager, plan: UndoStep[]): Promise<UndoObstacle | null> {
    const { action, accountId, targetId } = plan.at(-1)!.line;
    if (action === 'collection.deleted') {
      const count = await this.collections.countByOwner(tx, accountId);
      return count >= MAX_COLLECTIONS_PER_PERSON ? 'too_many_collections' : null;
    }
    const restored = plan.reduce(
      (sum, { line, markerIds }) => sum + (ITEM_SIGN[line.action] ?? 0) * markerIds.length,
      0,
    );
    if (restored <= 0) return null;
    const collection = await this.collections.findForUpdate(tx, targetId);
    return collection!.itemCount + restored > MAX_ITEMS_PER_COLLECTION ? 'too_many_items' : null;
  }

  private async apply(tx: EntityManager, { line, markerIds, rest }: UndoStep): Promise<void> {
    const { action } = line;
    const { undo } = await this.record.load(tx, line.id);
    if (rest.length > 0) await this.record.setUndo(tx, line, keepItems(line, rest));
    if (action === 'collection.deleted') return this.restore(tx, { ...line, undo });
    const collection = (await this.collections.findForUpdate(tx, line.targetId))!;
    if (action === 'collection.created') await this.collections.delete(tx, collection.id);
    if (action === 'collection.changed') {
      await this.restoreFields(tx, collection, undo as FieldsChangedUndo | NoteChangedUndo);
    }
    if (action === 'collection.items_added') await this.removeItems(tx, collection, markerIds);
    if (action === 'collection.item_removed') {
      await this.restoreItems(tx, collection, undo as ItemsRemovedUndo, markerIds);
    }
    if (action === 'collection.ordered') await this.restoreOrder(tx, collection, undo as OrderedUndo);
  }

  private async restoreFields(
    tx: EntityManager,
    collection: CollectionRow,
    undo: FieldsChangedUndo | NoteChangedUndo,
  ): Promise<void> {
    if ('before' in undo) {
      await this.collections.update(tx, collection, undo.before);
      return;
    }
    const item = { collectionId: collection.id, markerId: undo.markerId };
    await this.collections.updateNote(tx, item, undo.noteBefore);
    await this.collections.update(tx, collection, {});
  }

  private async removeItems(tx: EntityManager, collection: CollectionRow, markerIds: string[]): Promise<void> {
    const removed = await this.collections.deleteItems(tx, collection.id, markerIds);
    await this.collections.update(tx, collection, { itemCount: collection.itemCount - removed.length });
  }

  private async restoreItems(
    tx: EntityManager,
    collection: CollectionRow,
    { items }: ItemsRemovedUndo,
    markerIds: string[],
  ): Promise<void> {
    const restored = items.filter(({ markerId }) => markerIds.includes(markerId));
    const current = await this.collections.listPositions(tx, collection.id);
    await this.collections.setPositions(tx, collection.id, makeRoom(current, restored));
    await this.collections.restoreItems(tx, collection.id, restored);
    await this.collections.update(tx, collection, { itemCount: collection.itemCount + restored.length });
  }

  private async restoreOrder(tx: EntityManager, collection: CollectionRow, { positions }: OrderedUndo): Promise<void> {
    const current = await this.collections.listPositions(tx, collection.id);
    const contained = new Set(current.map(({ markerId }) => markerId));
    const restored = positions.filter(({ markerId }) => contained.has(markerId));
    const known = new Set(restored.map(({ markerId }) => markerId));
    const others = current.filter(({ markerId }) => !known.has(markerId));
    await this.collections.setPositions(tx, collection.id, [...makeRoom(others, restored), ...restored]);
    await this.collections.update(tx, collection, {});
  }

  private async restore(tx: EntityManager, { accountId, targetId, targetVersion, undo }: AppAction): Promise<void> {
    const { items, createdAtMs, ...fields } = undo as DeletedUndo;
    await this.collections.insert(tx, {
      id: targetId,
      ownerId: accountId,
      ...fields,
      itemCount: items.length,
      version: targetVersion! + 1,
      createdAt: new Date(createdAtMs),
      updatedAt: new Date(),
    });
    await this.collections.restoreItems(tx, targetId, items);
  }
}
