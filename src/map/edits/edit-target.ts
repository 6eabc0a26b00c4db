import type { EntityManager } from 'typeorm';
import type { FieldValues } from '../history/entity-version.entity.js';
import type { Authorship } from '../history/history.service.js';
import type { MarkerKind } from '../markers/marker.entity.js';
import type { Edit } from './edit.entity.js';

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
  /** Returns live and deleted rows, for reading. */
  findMany(ids: string[]): Promise<Target[]>;
  toFieldValues(target: Target): FieldValues;
  /** Each store has its own type of fields, including the required fields of a new row. */
  create(tx: EntityManager, fields: never, by: Authorship): Promise<Target>;
  /** Returns the updated row. */
  update(tx: EntityManager, target: Target, fields: FieldValues, by: Authorship): Promise<Target>;
  /** Deletes a row, or restores it if `deletedAt` is null. Returns the updated row. */
  setDeleted(tx: EntityManager, target: Target, deletedAt: Date | null, by: Authorship): Promise<Target>;
  /** Locks rows, or unlocks them if `lockedAt` is null. */
  lock(tx: EntityManager, ids: string[], lockedAt: Date | null): Promise<void>;
  /** Only for targets that count their open edits. */
  adjustOpenEditCount?(tx: EntityManager, id: string, by: number): Promise<void>;
}
