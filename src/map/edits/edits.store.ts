import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  And,
  Between,
  type EntityManager,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThanOrEqual,
  MoreThan,
  MoreThanOrEqual,
  Not,
  type Repository,
} from 'typeorm';
import { isId } from '../../platform/database/ids.js';
import { type Page, findPage } from '../../platform/database/keyset-pagination.js';
import { query } from '../../platform/database/query.js';
import { lockRow } from '../../platform/database/lock-row.js';
import type { FieldChange } from '../history/entity-version.entity.js';
import { type Area, toAreas, toPointE7 } from '../regions/geo.js';
import type { Location } from '../regions/location.dto.js';
import { toBoundingBox, type Region } from '../regions/region.entity.js';
import { Edit, type EditRow, type EditStatus } from './edit.entity.js';

/** Relations that the response of an edit contains. */
const RESPONSE_RELATIONS = { author: true, app: true, decidedBy: true } as const;

/** Whether changes contain a location in one of the areas. */
function isMoveInto(areas: Area[], changes: FieldChange[]): boolean {
  const location = changes.find(({ field }) => field === 'location')?.to;
  if (!location) return false;
  const { latE7, lonE7 } = toPointE7(location as Location);
  return areas.some(
    ({ west, south, east, north }) => west <= lonE7 && lonE7 <= east && south <= latE7 && latE7 <= north,
  );
}

/** Columns of an edit that never change, except `targetId`, which an accepted creation sets. */
export type EditHeader = Pick<Edit, 'id' | 'type' | 'targetType' | 'targetId' | 'authorId'>;

/** Selects an author's open edits on any target of one type, through any app or one. */
export type OpenByAuthor = Pick<Edit, 'authorId' | 'targetType'> & { appId?: string };

/** The apps that sent edits, or the people for whom they acted. */
export const CONTRIBUTOR_KINDS = ['apps', 'authors'] as const;
export type ContributorKind = (typeof CONTRIBUTOR_KINDS)[number];

/** The numbers of edits of one author or app. */
export interface Contributor {
  /** With its author and app. */
  latestEdit: Edit;
  open: number;
  accepted: number;
  rejected: number;
}

/** Data access for edits, independent of permissions. */
@Injectable()
export class EditsStore {
  constructor(@InjectRepository(Edit) private readonly repository: Repository<Edit>) {}

  /** @param keep selects the rows of the list, for conditions that the query cannot express */
  findPage(
    where: FindOptionsWhere<Edit> | FindOptionsWhere<Edit>[],
    sortBy: 'createdAt' | 'updatedAt',
    direction: 'ASC' | 'DESC',
    query: { limit: number; cursor?: string | null },
    keep?: (edits: Edit[]) => Promise<Edit[]>,
  ): Promise<Page<Edit>> {
    return findPage(this.repository, { where, sortBy, direction, relations: RESPONSE_RELATIONS }, query, keep);
  }

  /** Returns the edits with these ids, in no order. Skips unknown ids. */
  async findMany(ids: string[]): Promise<Edit[]> {
    return this.repository.find({
      where: { id: In(ids.filter((id) => isId('edt', id))) },
      relations: RESPONSE_RELATIONS,
    });
  }

  /** Returns the authors or apps of edits, those with the latest edit first. */
  async listContributors(
    kind: ContributorKind,
    where: FindOptionsWhere<Edit>[],
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Contributor[]> {
    if (where.length === 0) return [];
    const column = kind === 'authors' ? 'authorId' : 'appId';
    const count = (status: EditStatus): string => `SUM(CASE WHEN edit.status = '${status}' THEN 1 ELSE 0 END)`;
    const rows = await this.repository
      .createQueryBuilder('edit')
      .select('MAX(edit.id)', 'latest_id')
      .addSelect(count('open'), 'open')
      .addSelect(count('accepted'), 'accepted')
      .addSelect(count('rejected'), 'rejected')
      .where(where.map((condition) => ({ [column]: Not(IsNull()), ...condition })))
      .groupBy(`edit.${column}`)
      .orderBy('latest_id', 'DESC')
      .limit(limit)
      .offset(offset)
      .getRawMany<Record<'latest_id' | 'open' | 'accepted' | 'rejected', string>>();
    const edits = new Map((await this.findMany(rows.map((row) => row.latest_id))).map((edit) => [edit.id, edit]));
    return rows.map(({ latest_id: latestId, open, accepted, rejected }) => ({
      latestEdit: edits.get(latestId)!,
      open: Number(open),
      accepted: Number(accepted),
      rejected: Number(rejected),
    }));
  }

  /** Returns the number of edits, without those of blocked authors, and the number of those. */
  async countByBlock(where: FindOptionsWhere<Edit>[]): Promise<{ others: number; blocked: number }> {
    if (where.length === 0) return { others: 0, blocked: 0 };
    const notBlocked = [{ blockedAt: IsNull() }, { blockedUntil: LessThanOrEqual(new Date()) }];
    const others = await this.repository.countBy(
      where.flatMap((condition) => notBlocked.map((author) => ({ ...condition, author }))),
    );
    return { others, blocked: (await this.repository.countBy(where)) - others };
  }

  async countOpen(authorId: string, tx: EntityManager = this.repository.manager): Promise<number> {
    return tx.countBy(Edit, { authorId, status: 'open' });
  }

  /** Returns when an author last suggested edits through apps since a time, latest first. */
  async listSuggestionTimes(
    authorId: string,
    { since, limit }: { since: Date; limit: number },
    tx = this.repository.manager,
  ): Promise<Date[]> {
    const where = { authorId, createdAt: MoreThan(since), appId: Not(IsNull()), reverts: IsNull() };
    const order = { createdAt: 'DESC' } as const;
    const edits = await tx.find(Edit, { select: { createdAt: true }, where, order, take: limit });
    return edits.map(({ createdAt }) => createdAt);
  }

  /** Returns whether an author has this number of accepted edits, or more. */
  async hasAccepted(authorId: string, count: number, tx = this.repository.manager): Promise<boolean> {
    const where = { authorId, status: 'accepted' } as const;
    return (await tx.find(Edit, { select: { id: true }, where, take: count })).length === count;
  }

  /** Returns the latest open suggestions of new artworks in areas, up to a limit. */
  async listCreationsInAreas(areas: Area[], limit: number, tx = this.repository.manager): Promise<Edit[]> {
    const where = areas.map(({ west, south, east, north }) => ({
      ...OPEN_CREATION,
      latE7: Between(south, north),
      lonE7: Between(west, east),
    }));
    const select = { id: true, changes: true, latE7: true, lonE7: true } as const;
    return tx.find(Edit, { select, where, order: { id: 'DESC' }, take: limit });
  }

  /** Returns open edits of an author without locking them. */
  async findOpenByAuthor(tx: EntityManager, { authorId, targetType, appId }: OpenByAuthor): Promise<Edit[]> {
    return tx.findBy(Edit, { authorId, targetType, status: 'open', ...(appId !== undefined && { appId }) });
  }

  /** Returns how many edits of an author through an app are open. */
  async countOpenByApp(authorId: string, appId: string): Promise<number> {
    return this.repository.countBy({ authorId, appId, status: 'open' });
  }

  /** Withdraws open edits of an author. @returns the ids of those that were still open */
  async withdrawOpenByAuthor(
    tx: EntityManager,
    { authorId, targetType, appId }: OpenByAuthor,
    now: Date,
  ): Promise<string[]> {
    const sql = `UPDATE edits SET status = 'withdrawn', decided_at = :now, decided_by_id = :authorId, updated_at = :now
      WHERE author_id = :authorId AND target_type = :targetType AND status = 'open'
      ${appId === undefined ? '' : 'AND app_id = :appId'} RETURNING id`;
    const rows = await query<{ id: string }>(tx, sql, { now: now.getTime(), authorId, targetType, appId });
    return rows.map(({ id }) => id);
  }

  /** Returns the last edits of an author that were accepted or rejected since a time. */
  async listDecided(authorId: string, since: Date, limit: number): Promise<Edit[]> {
    return this.repository.find({
      where: { authorId, status: In(['accepted', 'rejected']), decidedAt: MoreThanOrEqual(since) },
      order: { decidedAt: 'DESC', id: 'DESC' },
      take: limit,
    });
  }

  /** Returns the authors on whose edits others decided, and who want to know and were not told. */
  async listAuthorsToTell({ after, until }: { after: Date; until: Date }): Promise<string[]> {
    const rows = await this.repository
      .createQueryBuilder('edit')
      .innerJoin('edit.author', 'author')
      .select('edit.authorId', 'author_id')
      .distinct()
      .where({ ...DECIDED, decidedAt: And(MoreThan(after), LessThanOrEqual(until)) })
      .andWhere('edit.decided_by_id <> edit.author_id')
      .andWhere('edit.decided_at > COALESCE(author.decisions_told_at, 0)')
      .andWhere('author.wants_decision_mail AND author.email_verified_at IS NOT NULL')
      .getRawMany<{ author_id: string }>();
    return rows.map((row) => row.author_id);
  }

  /** Returns the edits of an author on which others decided in a time, the first decision first. */
  async listDecidedByOthers(tx: EntityManager, authorId: string, after: Date, until: Date): Promise<Edit[]> {
    return tx.find(Edit, {
      where: {
        ...DECIDED,
        authorId,
        decidedById: Not(authorId),
        decidedAt: And(MoreThan(after), LessThanOrEqual(until)),
      },
      order: { decidedAt: 'ASC', id: 'ASC' },
    });
  }

  /** Returns the edits that a person suggested, and those of others that the person decided. */
  async listByPerson(accountId: string): Promise<{ suggested: Edit[]; decided: Edit[] }> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const suggested = await this.repository.find({ where: { authorId: accountId }, order });
    const decided = await this.repository.find({
      where: { decidedById: accountId, authorId: Not(accountId) },
      order,
    });
    return { suggested, decided };
  }

  /** Returns an edit without locking it: the header names the target, which is locked first. */
  async findHeader(tx: EntityManager, id: string): Promise<EditHeader | null> {
    return isId('edt', id) ? tx.findOneBy(Edit, { id }) : null;
  }

  /** Locks an edit and returns it with the relations of its response. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Edit | null> {
    return isId('edt', id) ? lockRow(tx, Edit, { where: { id }, relations: RESPONSE_RELATIONS }) : null;
  }

  /** Returns an existing edit with the relations of its response. */
  async get(tx: EntityManager, id: string): Promise<Edit> {
    const [edit] = await tx.find(Edit, { where: { id }, relations: RESPONSE_RELATIONS });
    return edit!;
  }

  async insert(tx: EntityManager, edit: EditRow): Promise<void> {
    await query(tx, INSERT_SQL, {
      ...edit,
      changes: JSON.stringify(edit.changes),
      createdAt: edit.createdAt.getTime(),
      updatedAt: edit.updatedAt.getTime(),
      decidedAt: edit.decidedAt?.getTime() ?? null,
    });
  }

  async update(tx: EntityManager, id: string, change: Partial<EditRow>): Promise<void> {
    await tx.update(Edit, { id }, change);
  }

  /**
   * Moves a target's open edits to its new location, so that the reviewers of that region find
   * them.
   */
  async moveOpenEdits(
    tx: EntityManager,
    targetId: string,
    location: Pick<EditRow, 'regionId' | 'latE7' | 'lonE7'>,
  ): Promise<void> {
    await tx.update(Edit, { targetId, status: 'open' }, location);
  }

  /** Closes the open edits of a deleted target. @returns their number */
  async closeOpenEdits(tx: EntityManager, targetId: string, deletedAt: Date): Promise<number> {
    const closed = { status: 'obsolete', decidedAt: deletedAt, updatedAt: deletedAt } as const;
    return (await tx.update(Edit, { targetId, status: 'open' }, closed)).affected ?? 0;
  }

  /** Returns the ids of the open edits that are located in a region and have no region. */
  async listUnassigned(region: Region): Promise<string[]> {
    const where = toAreas(toBoundingBox(region)).map(({ west, south, east, north }) => ({
      ...UNASSIGNED,
      latE7: Between(south, north),
      lonE7: Between(west, east),
    }));
    return (await this.repository.find({ select: { id: true }, where })).map(({ id }) => id);
  }

  /** Returns the ids of the open edits that move an artwork into a region. */
  async listUnassignedMoves(region: Region): Promise<string[]> {
    const areas = toAreas(toBoundingBox(region));
    const edits = await this.repository.find({ select: { id: true, changes: true }, where: UNASSIGNED_MOVE });
    return edits.filter(({ changes }) => isMoveInto(areas, changes)).map(({ id }) => id);
  }

  /** Assigns a region to an edit, unless it was closed or moved since it was listed. */
  async assignRegion(tx: EntityManager, id: string, { id: regionId }: Region): Promise<void> {
    await tx.update(Edit, { id, ...UNASSIGNED }, { regionId });
  }

  /** Assigns the destination of a move, unless the edit was closed since it was listed. */
  async assignDestination(tx: EntityManager, id: string, { id: destinationRegionId }: Region): Promise<void> {
    await tx.update(Edit, { id, ...UNASSIGNED_MOVE }, { destinationRegionId });
  }
}

/** A statement of its own, because TypeORM takes longer to build one than a database to run it. */
const INSERT_SQL = `INSERT INTO edits (id, type, status, target_type, target_id, base_version, region_id,
  destination_region_id, lat_e7, lon_e7, changes, comment, source_url, author_id, app_id, created_at, updated_at,
  decided_at, decided_by_id, decision_comment, result_version, supersedes, reverts, reverted_by)
  VALUES (:id, :type, :status, :targetType, :targetId, :baseVersion, :regionId,
  :destinationRegionId, :latE7, :lonE7, :changes, :comment, :sourceUrl, :authorId, :appId, :createdAt, :updatedAt,
  :decidedAt, :decidedById, :decisionComment, :resultVersion, :supersedes, :reverts, :revertedBy)`;

/** A decision; an accepted edit may have been reverted since. */
const DECIDED = { status: In(['accepted', 'rejected', 'reverted']) };
const OPEN_CREATION = { status: 'open', type: 'create', targetType: 'artwork' } as const;

/** Conditions of the edits that a new region can be assigned to. */
const UNASSIGNED = { status: 'open', regionId: IsNull() } as const;
const UNASSIGNED_MOVE = {
  status: 'open',
  type: 'update',
  targetType: 'artwork',
  destinationRegionId: IsNull(),
} as const;
