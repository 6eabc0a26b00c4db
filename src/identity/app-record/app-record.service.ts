import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, LessThan, MoreThanOrEqual, Not, type Repository } from 'typeorm';
import { buildFirstId, generateId, isId } from '../../platform/database/ids.js';
import { findPage, type Page } from '../../platform/database/keyset-pagination.js';
import { query } from '../../platform/database/query.js';
import { lockRow } from '../../platform/database/lock-row.js';
import type { RetentionPolicy } from '../../platform/scheduling/retention-policy.js';
import type { Account } from '../accounts/account.entity.js';
import type { PersonalDataSource } from '../accounts/personal-data.registry.js';
import type { Actor } from '../scopes/caller.decorator.js';
import { type Action, AppAction, getTargetType } from './app-action.entity.js';

/** A write to record. */
export interface RecordedWrite {
  action: Action;
  targetId: string;
  targetVersion?: number;
  undo?: object;
}

/** The account and the app of a record. */
export type RecordKey = Pick<AppAction, 'accountId' | 'appId'>;

/** What an app did for a person. */
export interface Deeds {
  suggestions: number;
  /** Decisions on edits of others. */
  decisions: number;
  /** Changed collections, each counted once. */
  collections: number;
  lastAt: Date;
}

/**
 * The record of the writes of apps for people. Each write is recorded in its own transaction, so
 * that the record is complete. A deletion of the account deletes it.
 */
@Injectable()
export class AppRecordService implements PersonalDataSource {
  readonly name = 'appRecord';
  readonly entities = [AppAction];

  constructor(@InjectRepository(AppAction) private readonly actions: Repository<AppAction>) {}

  /** Records a write of an app. What a person does on a page is not recorded. */
  async record(
    tx: EntityManager,
    { accountId, appId }: Actor,
    { targetVersion, undo, ...write }: RecordedWrite,
  ): Promise<void> {
    if (appId === null) return;
    await query(tx, INSERT_SQL, {
      id: generateId('act'),
      accountId,
      appId,
      ...write,
      targetVersion: targetVersion ?? null,
      undo: undo ? JSON.stringify(undo) : null,
      at: Date.now(),
    });
  }

  /** Returns a page of the record, the newest line first. */
  findPage({ accountId, appId }: RecordKey, page: { limit: number; cursor: string | null }): Promise<Page<AppAction>> {
    return findPage(this.actions, { where: { accountId, appId }, sortBy: 'id', direction: 'DESC' }, page);
  }

  /** Locks a line of a person's record and returns it; null if it does not exist. */
  async findForUpdate(tx: EntityManager, accountId: string, id: string): Promise<AppAction | null> {
    return isId('act', id) ? lockRow(tx, AppAction, { where: { id, accountId } }) : null;
  }

  /**
   * Returns lines about collections since a time that were not undone, the newest first.
   * @param beforeId only lines before this one
   */
  async listCollectionActions(
    { accountId, appId }: RecordKey,
    { since, beforeId, limit }: { since: Date; beforeId?: string | undefined; limit: number },
    tx: EntityManager = this.actions.manager,
  ): Promise<AppAction[]> {
    const where = { accountId, appId, at: MoreThanOrEqual(since), undoneAt: IsNull(), targetVersion: Not(IsNull()) };
    return tx.find(AppAction, {
      where: { ...where, ...(beforeId !== undefined && { id: LessThan(beforeId) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /**
   * Returns lines and the later ones about the same targets, with their apps, the oldest first.
   * Those that were undone are missing. A plan does not need the stored orders and deleted
   * collections, which are large: their `undo` is null.
   */
  async findWithLater(
    accountId: string,
    someLines: AppAction[],
    tx: EntityManager = this.actions.manager,
  ): Promise<AppAction[]> {
    const firstVersions = new Map<string, number>();
    for (const { targetId, targetVersion } of someLines) {
      firstVersions.set(targetId, Math.min(targetVersion!, firstVersions.get(targetId) ?? Infinity));
    }
    if (firstVersions.size === 0) return [];
    const where = [...firstVersions].map(([targetId, version]) => ({
      accountId,
      targetId,
      targetVersion: MoreThanOrEqual(version),
      undoneAt: IsNull(),
    }));
    const order = { targetVersion: 'ASC', id: 'ASC' } as const;
    const lines = await tx.find(AppAction, { select: WITHOUT_UNDO, where, relations: { app: true }, order });
    const small = await tx.find(AppAction, {
      select: { id: true, undo: true },
      where: where.map((condition) => ({ ...condition, action: Not(In(LARGE_ACTIONS)) })),
    });
    const undoById = new Map(small.map(({ id, undo }) => [id, undo]));
    return lines.map((line) => ({ ...line, undo: undoById.get(line.id) ?? null }));
  }

  /** Returns a line with everything that its undo needs. */
  async load(tx: EntityManager, id: string): Promise<AppAction> {
    return tx.findOneByOrFail(AppAction, { id });
  }

  async markUndone(tx: EntityManager, ids: string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += MARK_BATCH_SIZE) {
      const batch = ids.slice(start, start + MARK_BATCH_SIZE);
      await tx.update(AppAction, { id: In(batch) }, { undoneAt: new Date() });
    }
  }

  /** Replaces what is needed to undo a line, a part of which was undone. */
  async setUndo(tx: EntityManager, line: AppAction, undo: object): Promise<void> {
    await tx.update(AppAction, { id: line.id }, { undo });
    line.undo = undo;
  }

  /** Marks the suggestions of some edits as undone. */
  async markSuggestionsUndone(tx: EntityManager, { accountId, appId }: RecordKey, editIds: string[]): Promise<void> {
    const lines = { accountId, appId, action: 'edit.suggested', targetId: In(editIds), undoneAt: IsNull() } as const;
    await tx.update(AppAction, lines, { undoneAt: new Date() });
  }

  /** Whether the record of an app has a line. */
  async hasAny(tx: EntityManager, { accountId, appId }: RecordKey): Promise<boolean> {
    return tx.existsBy(AppAction, { accountId, appId });
  }

  /** Returns what each app did for a person, by app. Apps that did nothing are missing. */
  async countByApp(accountId: string): Promise<Map<string, Deeds>> {
    const rows = await this.actions
      .createQueryBuilder('line')
      .select('line.appId', 'appId')
      .addSelect(`sum(CASE WHEN line.action = 'edit.suggested' THEN 1 ELSE 0 END)`, 'suggestions')
      .addSelect(`sum(CASE WHEN line.action IN (${DECISIONS}) THEN 1 ELSE 0 END)`, 'decisions')
      .addSelect(`count(DISTINCT CASE WHEN line.targetVersion IS NOT NULL THEN line.targetId END)`, 'collections')
      .addSelect('max(line.at)', 'lastAt')
      .where({ accountId })
      .groupBy('line.appId')
      .getRawMany<Record<keyof Deeds | 'appId', string>>();
    return new Map(
      rows.map(({ appId, lastAt, suggestions, decisions, collections }) => [
        appId,
        {
          suggestions: Number(suggestions),
          decisions: Number(decisions),
          collections: Number(collections),
          lastAt: new Date(Number(lastAt)),
        },
      ]),
    );
  }

  async export(accountId: string): Promise<object[]> {
    const lines = await this.actions.find({
      select: WITHOUT_UNDO,
      where: { accountId },
      relations: { app: true },
      order: { id: 'ASC' },
    });
    return lines.map(({ at, action, app, targetId }) => ({
      at: at.toISOString(),
      action,
      client: { id: app.id, name: app.name },
      target: { type: getTargetType(action), id: targetId },
    }));
  }

  async delete(tx: EntityManager, { id: accountId }: Account): Promise<void> {
    await tx.delete(AppAction, { accountId });
  }
}

/** Lines that one statement marks. */
const MARK_BATCH_SIZE = 1000;

/** The actions whose `undo` has every artwork of a collection. */
const LARGE_ACTIONS: Action[] = ['collection.ordered', 'collection.deleted'];

/** All columns except `undo`. */
const WITHOUT_UNDO = {
  id: true,
  accountId: true,
  appId: true,
  action: true,
  targetId: true,
  targetVersion: true,
  at: true,
  undoneAt: true,
  app: { id: true, name: true },
} as const;

/** A statement of its own, because TypeORM takes longer to build one than a database to run it. */
const INSERT_SQL = `INSERT INTO app_actions (id, account_id, app_id, action, target_id, target_version, undo, at)
  VALUES (:id, :accountId, :appId, :action, :targetId, :targetVersion, :undo, :at)`;

const DECISIONS = `'edit.accepted', 'edit.rejected', 'edit.reverted'`;

/** Deletes lines that are older than `APP_RECORD_RETENTION`. */
export function createAppRecordRetention(retentionMs: number): RetentionPolicy<AppAction> {
  return {
    entity: AppAction,
    key: 'id',
    where: (now) => ({ id: LessThan(buildFirstId('act', now - retentionMs)) }),
    order: { id: 'ASC' },
  };
}
