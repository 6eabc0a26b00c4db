import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { type Page, findPage, type PageQuery } from '../../platform/database/keyset-pagination.js';
import { type FieldChange, EntityVersion, type FieldValues, type VersionAction } from './entity-version.entity.js';
import { toVersionResponse, type VersionResponse } from './history.dto.js';
import { diffFields } from './field-changes.js';

/** Whose edit makes a change, and when. */
export interface Authorship {
  editId: string;
  authorId: string;
  createdAt: Date;
}

/** A step from one version of a target to the next. */
export interface VersionTransition {
  target: { id: string; version: number; updatedAt: Date };
  action: VersionAction;
  before: FieldValues;
  after: FieldValues;
}

/** What artworks and artists have been, version by version. */
@Injectable()
export class HistoryService {
  constructor(@InjectRepository(EntityVersion) private readonly versions: Repository<EntityVersion>) {}

  /** The first version of a target that an edit made. */
  async recordCreation(
    tx: EntityManager,
    targetId: string,
    fields: FieldValues,
    { editId, authorId, createdAt }: Authorship,
  ): Promise<void> {
    const changes = diffFields({}, fields);
    const row = {
      targetId,
      version: 1,
      action: 'created',
      snapshot: fields,
      changes,
      editId,
      authorId,
      createdAt,
    } as const;
    await tx.insert(EntityVersion, row);
  }

  /**
   * The version after this target's. What an operator brought in has no history until it is first changed: then the
   * version before is kept as well.
   */
  async recordChange(
    tx: EntityManager,
    step: VersionTransition,
    { editId, authorId, createdAt }: Authorship,
  ): Promise<void> {
    const { target, action, before, after } = step;
    const targetId = target.id;
    if (!(await tx.existsBy(EntityVersion, { targetId, version: target.version }))) {
      const kept = { snapshot: before, changes: diffFields({}, before), editId: null, authorId: null };
      await tx.insert(EntityVersion, {
        targetId,
        version: target.version,
        action: 'created',
        ...kept,
        createdAt: target.updatedAt,
      });
    }
    const snapshot = { ...before, ...after };
    const changes = diffFields(before, after);
    const version = target.version + 1;
    await tx.insert(EntityVersion, { targetId, version, action, snapshot, changes, editId, authorId, createdAt });
  }

  /** The fields of a target as a version had them; null where that version was not kept. */
  async findSnapshot(tx: EntityManager, targetId: string, version: number): Promise<FieldValues | null> {
    return (await tx.findOneBy(EntityVersion, { targetId, version }))?.snapshot ?? null;
  }

  /** What a version changed of the one before; null where it was not kept. */
  async findChanges(tx: EntityManager, targetId: string, version: number): Promise<FieldChange[] | null> {
    return (await tx.findOneBy(EntityVersion, { targetId, version }))?.changes ?? null;
  }

  /** Which edit was the last to change each field of a target, after a version. */
  async findLatestEditByField(
    tx: EntityManager,
    targetId: string,
    version: number,
  ): Promise<Map<string, string | null>> {
    const versions = await tx.find(EntityVersion, {
      select: { version: true, changes: true, editId: true },
      where: { targetId, version: MoreThan(version) },
      order: { version: 'ASC' },
    });
    return new Map(versions.flatMap(({ changes, editId }) => changes.map(({ field }) => [field, editId])));
  }

  /** The newest first. */
  async list(targetId: string, query: PageQuery): Promise<Page<VersionResponse>> {
    const relations = { author: true };
    const listing = {
      where: { targetId },
      sortBy: 'version',
      tieBreaker: 'version',
      direction: 'DESC',
      relations,
    } as const;
    const { data, page } = await findPage(this.versions, listing, query);
    return { data: data.map(toVersionResponse), page };
  }
}
