import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { type Page, findPage } from '../../platform/database/keyset-pagination.js';
import type { PageQuery } from '../../platform/validation/page-query.dto.js';
import { EntityVersion, type FieldValues, type VersionAction } from './entity-version.entity.js';
import { toVersionResponse, type VersionResponse } from './history.dto.js';
import { diffFields } from './field-changes.js';
import type { PersonalDataSource } from '../../identity/accounts/personal-data.registry.js';

/** Edit, author and time of a change. */
export interface ChangeAuthor {
  editId: string;
  authorId: string;
  createdAt: Date;
}

/** Change of a target from one version to the next. */
export interface VersionTransition {
  target: { id: string; version: number; updatedAt: Date };
  action: VersionAction;
  before: FieldValues;
  after: FieldValues;
}

/** Records and lists the versions of artworks and artists. */
@Injectable()
export class HistoryService {
  constructor(@InjectRepository(EntityVersion) private readonly versions: Repository<EntityVersion>) {}

  /** Records the first version of a target that an edit creates. */
  async recordCreation(
    tx: EntityManager,
    targetId: string,
    fields: FieldValues,
    { editId, authorId, createdAt }: ChangeAuthor,
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
   * Records the next version of a target. Data from an operator has no history before its first
   * change; then this method records the version before the change as well.
   */
  async recordChange(
    tx: EntityManager,
    { target, action, before, after }: VersionTransition,
    { editId, authorId, createdAt }: ChangeAuthor,
  ): Promise<void> {
    const targetId = target.id;
    if (!(await tx.existsBy(EntityVersion, { targetId, version: target.version }))) {
      await tx.insert(EntityVersion, {
        targetId,
        version: target.version,
        action: 'created',
        snapshot: before,
        changes: diffFields({}, before),
        editId: null,
        authorId: null,
        createdAt: target.updatedAt,
      });
    }
    const snapshot = { ...before, ...after };
    const changes = diffFields(before, after);
    const version = target.version + 1;
    await tx.insert(EntityVersion, { targetId, version, action, snapshot, changes, editId, authorId, createdAt });
  }

  /** Returns the fields of a version; null if the history does not contain that version. */
  async findSnapshot(tx: EntityManager, targetId: string, version: number): Promise<FieldValues | null> {
    return (await tx.findOneBy(EntityVersion, { targetId, version }))?.snapshot ?? null;
  }

  /**
   * Returns several versions by target and number. Skips versions that the history does not
   * contain.
   */
  async findVersions(
    versions: { targetId: string; version: number }[],
    tx: EntityManager = this.versions.manager,
  ): Promise<EntityVersion[]> {
    return versions.length > 0 ? tx.findBy(EntityVersion, versions) : [];
  }

  /** Returns the latest edit that changed each field after a version. */
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

  /** Returns the versions that a person's edits created, the oldest first. */
  async listByAuthor(authorId: string): Promise<EntityVersion[]> {
    return this.versions.find({ where: { authorId }, order: { createdAt: 'ASC', targetId: 'ASC', version: 'ASC' } });
  }

  /** Lists versions, newest first. */
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

/**
 * Describes the versions of artworks and artists that a person's edits created. The rows never
 * change; responses show the author of a deleted account as deleted.
 */
export function describeHistoryPersonalData(history: HistoryService): PersonalDataSource {
  return {
    name: 'history',
    entities: [EntityVersion],
    export: async (accountId) => (await history.listByAuthor(accountId)).map(toVersionExport),
    delete: () => Promise.resolve(),
  };
}

function toVersionExport({ targetId, version, action, editId, createdAt }: EntityVersion): object {
  return { target: targetId, version, action, edit: editId, at: createdAt.toISOString() };
}
