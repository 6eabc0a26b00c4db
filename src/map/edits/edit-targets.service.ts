import { Injectable, type Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ArtistFields } from '../artists/artist.dto.js';
import { ArtistsStore } from '../artists/artists.store.js';
import type { FieldValues } from '../history/entity-version.entity.js';
import type { Authorship } from '../history/history.service.js';
import type { ApiError } from '../../platform/http/api-error.js';
import type { MarkerKind } from '../markers/marker.entity.js';
import { ArtworkFields } from '../markers/marker.dto.js';
import { MarkersStore } from '../markers/markers.store.js';
import type { Edit, TargetType } from './edit.entity.js';

/** A row that edits change. */
export interface Target {
  id: string;
  version: number;
  deletedAt: Date | null;
  lockedAt: Date | null;
  /** Of an artwork; a place is no target. */
  kind?: MarkerKind;
  regionId?: string | null;
  latE7?: number;
  lonE7?: number;
  title?: string;
  /** Of an artist. */
  name?: string;
  artworkCount?: number;
}

/** What names a target, as an edit does; none, for one that is yet to be made. */
export type TargetRef = Pick<Edit, 'targetType' | 'targetId'>;

/** What edits need of a resource that they change. */
export interface TargetStore {
  /** The row, whether live or deleted, held until the transaction ends. */
  findForUpdate(tx: EntityManager, id: string): Promise<Target | null>;
  /** Rows, whether live or deleted, for looking at. */
  findMany(ids: string[]): Promise<Target[]>;
  toFieldValues(target: Target): FieldValues;
  /** For a target whose fields name other rows: what is wrong where there is no such row. */
  validateReferences?(fields: FieldValues, tx: EntityManager): Promise<ApiError | undefined>;
  /** Each store takes fields of its own, with those that a new row cannot be without. */
  create(tx: EntityManager, fields: never, by: Authorship): Promise<Target>;
  update(tx: EntityManager, target: Target, fields: FieldValues, by: Authorship): Promise<void>;
  setDeleted(tx: EntityManager, target: Target, deletedAt: Date | null, by: Authorship): Promise<void>;
  /** For a target that tells how many open edits it has. */
  adjustOpenEditCount?(tx: EntityManager, id: string, by: 1 | -1): Promise<void>;
}

/** The resources that edits change: artworks, which are markers, and artists. */
@Injectable()
export class EditTargetsService {
  private readonly stores: Record<TargetType, TargetStore>;

  constructor(markers: MarkersStore, artists: ArtistsStore) {
    this.stores = { artwork: markers, artist: artists };
  }

  getStore(type: TargetType): TargetStore {
    return this.stores[type];
  }

  /** Makes a target, of fields that were checked when it was suggested. */
  create(tx: EntityManager, type: TargetType, fields: FieldValues & { id?: string }, by: Authorship): Promise<Target> {
    return this.getStore(type).create(tx, fields as never, by);
  }

  /** What an edit is about, held; nothing, where it is about nothing yet. */
  async findForUpdate(tx: EntityManager, edit: TargetRef | null): Promise<Target | undefined> {
    if (!edit || edit.targetId === null) return undefined;
    return (await this.getStore(edit.targetType).findForUpdate(tx, edit.targetId)) ?? undefined;
  }

  /** One more, or one less, open edit of a target that counts them. */
  async adjustOpenEditCount(tx: EntityManager, edit: TargetRef, by: 1 | -1): Promise<void> {
    if (edit.targetId !== null) await this.getStore(edit.targetType).adjustOpenEditCount?.(tx, edit.targetId, by);
  }

  /** Finds what edits, and others that name targets, are about. */
  async loadLookup(refs: TargetRef[]): Promise<(ref: TargetRef) => Target | undefined> {
    const lookUp = async (type: TargetType): Promise<Map<string, Target>> => {
      const ids = refs.flatMap(({ targetType, targetId }) => (targetType === type ? (targetId ?? []) : []));
      return new Map((await this.getStore(type).findMany(ids)).map((target) => [target.id, target]));
    };
    const found = { artwork: await lookUp('artwork'), artist: await lookUp('artist') };
    return ({ targetType, targetId }) => found[targetType].get(targetId ?? '');
  }
}

/** What a suggestion for a target is checked against, and what a new one cannot be without. */
export const TARGET_FIELD_SCHEMAS: Record<TargetType, { dto: Type<object>; required: string[] }> = {
  artwork: { dto: ArtworkFields, required: ['title', 'location'] },
  artist: { dto: ArtistFields, required: ['name'] },
};

/** Fields that hold a set, and how many it takes: what was added and removed is merged with what others did meanwhile. */
export const MAX_SET_SIZE_BY_FIELD: Record<string, number> = { tags: 20, artistIds: 10, medium: 5, aliases: 10 };
