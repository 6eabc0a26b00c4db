import { Injectable, type Type } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { ArtistFields } from '../artists/artist.dto.js';
import { ArtistsService } from '../artists/artists.service.js';
import { ArtworkFields } from '../markers/marker.dto.js';
import { MarkersService } from '../markers/markers.service.js';
import type { FieldValue, TargetType } from './edit.entity.js';

/** Values of a target's fields, by name. */
export type Fields = Record<string, FieldValue>;

/** A row that edits change. */
export interface Target {
  id: string;
  version: number;
  deletedAt: Date | null;
  regionId?: string | null;
}

/** What edits need of a resource that they change. */
export interface TargetStore {
  /** The row, whether live or deleted, held until the transaction ends. */
  read(tx: EntityManager, id: string): Promise<Target | null>;
  fieldsOf(target: Target): Fields;
  /** For a target whose fields name other rows. @throws ApiError 422 where there is no such row */
  check?(tx: EntityManager, fields: Fields): Promise<void>;
  create(tx: EntityManager, fields: Fields): Promise<Target>;
  change(tx: EntityManager, target: Target, fields: Fields): Promise<void>;
  setDeleted(tx: EntityManager, target: Target, deletedAt: Date | null): Promise<void>;
}

/** The resources that edits change: artworks, which are markers, and artists. */
@Injectable()
export class EditTargets {
  private readonly stores: Record<TargetType, TargetStore>;

  constructor(markers: MarkersService, artists: ArtistsService) {
    // The fields that a new target cannot be without are asked for when it is suggested.
    this.stores = { artwork: markers as unknown as TargetStore, artist: artists as unknown as TargetStore };
  }

  of(type: TargetType): TargetStore {
    return this.stores[type];
  }
}

/** What a suggestion for a target is checked against, and what a new one cannot be without. */
export const TARGET_FIELDS: Record<TargetType, { dto: Type<object>; required: string[] }> = {
  artwork: { dto: ArtworkFields, required: ['title', 'location'] },
  artist: { dto: ArtistFields, required: ['name'] },
};

/** Whether two values of a field are the same; one that is cleared and an empty list are. */
export function sameValue(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): unknown =>
    value == null || (Array.isArray(value) && value.length === 0)
      ? null
      : (JSON.parse(JSON.stringify(value)) as unknown);
  return isDeepStrictEqual(plain(one), plain(other));
}
