import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ArtistsStore } from '../artists/artists.store.js';
import type { FieldValues } from '../history/entity-version.entity.js';
import type { Authorship } from '../history/history.service.js';
import { MarkersStore } from '../markers/markers.store.js';
import type { Target, TargetRef, TargetStore } from './edit-target.js';
import type { TargetType } from './edit.entity.js';

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
  create(tx: EntityManager, type: TargetType, fields: FieldValues & { id?: string }, by: Authorship): Promise<Target> {
    return this.getStore(type).create(tx, fields as never, by);
  }

  /** Locks and returns the target of an edit; undefined if the edit has no target yet. */
  async findForUpdate(tx: EntityManager, { targetType, targetId }: TargetRef): Promise<Target | undefined> {
    if (targetId === null) return undefined;
    return (await this.getStore(targetType).findForUpdate(tx, targetId)) ?? undefined;
  }

  /** Adjusts the number of open edits of a target that counts them. */
  async adjustOpenEditCount(tx: EntityManager, edit: TargetRef, by: number): Promise<void> {
    if (edit.targetId !== null) await this.getStore(edit.targetType).adjustOpenEditCount?.(tx, edit.targetId, by);
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
