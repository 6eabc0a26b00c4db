import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { type Page, pageOf, type PageQuery } from '../http/paging.js';
import { type Change, EntityVersion, type Fields, type VersionAction } from './entity-version.entity.js';
import { toVersionResponse, type VersionResponse } from './history.dto.js';
import { changesBetween } from './same-value.js';

/** Whose edit makes a change, and when. */
export interface Authorship {
  editId: string;
  authorId: string;
  at: Date;
}

/** A step from one version of a target to the next. */
export interface Step {
  target: { id: string; version: number; updatedAt: Date };
  action: VersionAction;
  before: Fields;
  after: Fields;
}

/** What artworks and artists have been, version by version. */
@Injectable()
export class History {
  constructor(@InjectRepository(EntityVersion) private readonly versions: Repository<EntityVersion>) {}

  /** The first version of a target that an edit made. */
  async begin(
    tx: EntityManager,
    targetId: string,
    fields: Fields,
    { editId, authorId, at }: Authorship,
  ): Promise<void> {
    const changes = changesBetween({}, fields);
    const row = { targetId, version: 1, action: 'created', snapshot: fields, changes, editId, authorId, at } as const;
    await tx.insert(EntityVersion, row);
  }

  /**
   * The version after this target's. What an operator brought in has no history until it is first changed: then the
   * version before is kept as well.
   */
  async add(tx: EntityManager, step: Step, { editId, authorId, at }: Authorship): Promise<void> {
    const { target, action, before, after } = step;
    const targetId = target.id;
    if (!(await tx.existsBy(EntityVersion, { targetId, version: target.version }))) {
      const kept = { snapshot: before, changes: changesBetween({}, before), editId: null, authorId: null };
      await tx.insert(EntityVersion, {
        targetId,
        version: target.version,
        action: 'created',
        ...kept,
        at: target.updatedAt,
      });
    }
    const snapshot = { ...before, ...after };
    const changes = changesBetween(before, after);
    const version = target.version + 1;
    await tx.insert(EntityVersion, { targetId, version, action, snapshot, changes, editId, authorId, at });
  }

  /** The fields of a target as a version had them; null where that version was not kept. */
  async fieldsAt(tx: EntityManager, targetId: string, version: number): Promise<Fields | null> {
    return (await tx.findOneBy(EntityVersion, { targetId, version }))?.snapshot ?? null;
  }

  /** What a version changed of the one before; null where it was not kept. */
  async changesIn(tx: EntityManager, targetId: string, version: number): Promise<Change[] | null> {
    return (await tx.findOneBy(EntityVersion, { targetId, version }))?.changes ?? null;
  }

  /** Which edit was the last to change each field of a target, after a version. */
  async editsAfter(tx: EntityManager, targetId: string, version: number): Promise<Map<string, string | null>> {
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
    const listing = { where: { targetId }, by: 'version', then: 'version', direction: 'DESC', relations } as const;
    const { data, page } = await pageOf(this.versions, listing, query);
    return { data: data.map(toVersionResponse), page };
  }
}
