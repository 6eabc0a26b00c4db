import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ArtistsStore } from '../artists/artists.store.js';
import type { FieldValues } from '../history/entity-version.entity.js';
import type { ChangeAuthor } from '../history/history.service.js';
import { MarkersStore } from '../markers/markers.store.js';
import type { Edit, TargetType } from './edit.entity.js';
import type { MarkerKind } from '../markers/marker.entity.js';

/** Row of an artwork or artist, as far as edits use it. */
export interface Target {
  id: string;
  version: number;
  deletedAt: Date | null;
  lockedAt: Date | null;
  /** Artworks only. Edits cannot change places. */
  kind?: MarkerKind;
  regionId?: string | null;
  latE7?: number;
  lonE7?: number;
  title?: string;
  /** Artists only. */
  name?: string;
  artworkCount?: number;
}

/** Reference to a target; `targetId` is null if the edit creates its target. */
export type TargetRef = Pick<Edit, 'targetType' | 'targetId'>;

/** Data access that edits need for one type of target. */
export interface TargetStore {
  /** Locks and returns a live or deleted row. */
  findForUpdate(tx: EntityManager, id: string): Promise<Target | null>;
  /** Locks live or deleted rows in the order of their ids. */
  lockForUpdate(tx: EntityManager, ids: string[]): Promise<void>;
  /** Returns live and deleted rows, for reading. */
  findMany(ids: string[]): Promise<Target[]>;
  toFieldValues(target: Target): FieldValues;
  /** Each store has its own type of fields, including the required fields of a new row. */
  create(tx: EntityManager, fields: never, by: ChangeAuthor): Promise<Target>;
  /** Returns the updated row. */
  update(tx: EntityManager, target: Target, fields: FieldValues, by: ChangeAuthor): Promise<Target>;
  /** Deletes a row, or restores it if `deletedAt` is null. Returns the updated row. */
  setDeleted(tx: EntityManager, target: Target, deletedAt: Date | null, by: ChangeAuthor): Promise<Target>;
  /** Locks rows, or unlocks them if `lockedAt` is null. */
  lock(tx: EntityManager, ids: string[], lockedAt: Date | null): Promise<void>;
  /** Only for targets that count their open edits. */
  adjustOpenEditCount?(tx: EntityManager, ids: string[], by: number): Promise<void>;
}

/** Returns the title or name of a target; the proposed one if the edit creates it. */
export function getTargetTitle(
  { id, changes }: Pick<Edit, 'id' | 'changes'>,
  target: Pick<Target, 'title' | 'name'> | null | undefined,
): string {
  const proposed = changes.find(({ field }) => field === 'title' || field === 'name')?.to;
  return target?.title ?? target?.name ?? (typeof proposed === 'string' ? proposed : id);
}

/** Gives edits access to their targets: artworks, which are markers, and artists. */
@Injectable()
export class EditTargetsService {
  private readonly stores: Record<TargetType, TargetStore>;

  constructor(markers: MarkersStore, artists: ArtistsStore) {
    this.stores = { artwork: markers, artist: artists };
  }

  getStore(type: TargetType): TargetStore {
    return this.stores[type];
  }

  /** Creates a target from fields that were validated when the edit was suggested. */
  create(
    tx: EntityManager,
    type: TargetType,
    fields: FieldValues & { id?: string },
    by: ChangeAuthor,
  ): Promise<Target> {
    return this.getStore(type).create(tx, fields as never, by);
  }

  /** Locks and returns the target of an edit; undefined if the edit has no target yet. */
  async findForUpdate(tx: EntityManager, { targetType, targetId }: TargetRef): Promise<Target | undefined> {
    if (targetId === null) return undefined;
    return (await this.getStore(targetType).findForUpdate(tx, targetId)) ?? undefined;
  }

  /** Adjusts the number of open edits of a target that counts them. */
  async adjustOpenEditCount(tx: EntityManager, edit: TargetRef, by: number): Promise<void> {
    if (edit.targetId !== null) await this.getStore(edit.targetType).adjustOpenEditCount?.(tx, [edit.targetId], by);
  }

  /** Locks the targets of edits on one type of target. */
  async lockForUpdate(tx: EntityManager, edits: TargetRef[]): Promise<void> {
    const [targetType] = edits.map((edit) => edit.targetType);
    if (targetType) await this.getStore(targetType).lockForUpdate(tx, [...countByTarget(edits).keys()]);
  }

  /** Subtracts closed edits on one type of target from the numbers of open edits. */
  async subtractOpenEdits(tx: EntityManager, edits: TargetRef[]): Promise<void> {
    const idsByCount = new Map<number, string[]>();
    for (const [id, count] of countByTarget(edits)) {
      if (!idsByCount.get(count)?.push(id)) idsByCount.set(count, [id]);
    }
    for (const [count, ids] of idsByCount)
      await this.getStore(edits[0]!.targetType).adjustOpenEditCount?.(tx, ids, -count);
  }

  /**
   * Loads the targets of several references. Returns a function that finds a target by reference.
   */
  async loadLookup(refs: TargetRef[]): Promise<(ref: TargetRef) => Target | undefined> {
    const load = async (type: TargetType): Promise<Map<string, Target>> => {
      const ids = refs.flatMap(({ targetType, targetId }) => (targetType === type ? (targetId ?? []) : []));
      return new Map((await this.getStore(type).findMany(ids)).map((target) => [target.id, target]));
    };
    const targets = { artwork: await load('artwork'), artist: await load('artist') };
    return ({ targetType, targetId }) => targets[targetType].get(targetId ?? '');
  }
}

/** Returns the number of edits of each target. Creations have none. */
function countByTarget(edits: TargetRef[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { targetId } of edits) if (targetId !== null) counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  return counts;
}
