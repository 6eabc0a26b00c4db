import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { randomBytes } from 'node:crypto';
import type { EntityManager, Repository } from 'typeorm';
import { buildRecordsetSql, query } from '../../platform/database/query.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { MapChange, type MapRecordType } from './map-change.entity.js';

/** A record that changed. */
export interface ChangedRecord {
  type: MapRecordType;
  id: string;
}

/** Where to continue in a feed. */
export interface FeedPosition {
  /** Number of the last change that was delivered, or 0. */
  after: number;
  /**
   * Number of the latest change when the first pass began. The pass skips records that were deleted
   * before. Undefined after the first pass.
   */
  passStart?: number | undefined;
}

/** Table of the records of each feed. */
const TABLES = { marker: 'markers', artist: 'artists' } as const;

/** Data access for the feeds of changes. */
@Injectable()
export class ChangesStore {
  /** The epoch that this process begins. */
  private readonly ownEpochId = randomBytes(12).toString('base64url');

  constructor(
    @InjectRepository(MapChange) private readonly changes: Repository<MapChange>,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Moves records to the end of their feeds. The counter stays locked until the commit, so this
   * must be the last write of the transaction.
   */
  async append(tx: EntityManager, records: ChangedRecord[]): Promise<void> {
    const before = await this.reserveNumbers(tx, records.length);
    const rows = records.map(({ type, id }, index) => ({ type, id, seq: before + index + 1 }));
    const upsert = `INSERT INTO map_changes (type, entity_id, seq)
      SELECT type, id, CAST(seq AS bigint) FROM ${buildRecordsetSql(tx, 'type', 'id', 'seq')} WHERE true
      ON CONFLICT (type, entity_id) DO UPDATE SET seq = excluded.seq`;
    await query(tx, upsert, { input: JSON.stringify(rows) });
  }

  /** Returns the ids and numbers of the next records of a feed, in the order of the numbers. */
  async findAfter(
    type: MapRecordType,
    { after, passStart = 0 }: FeedPosition,
    limit: number,
  ): Promise<{ id: string; seq: number }[]> {
    // PostgreSQL runs the inner query once per row. It could turn a join into a scan of the table.
    const sql = `SELECT c.entity_id AS id, c.seq FROM map_changes c
      WHERE c.type = :type AND c.seq > :after
        AND (c.seq > :passStart OR (SELECT r.deleted_at FROM ${TABLES[type]} r WHERE r.id = c.entity_id) IS NULL)
      ORDER BY c.seq LIMIT ${limit}`;
    const rows = await query<{ id: string; seq: number | string }>(this.changes.manager, sql, {
      type,
      after,
      passStart,
    });
    return rows.map(({ id, seq }) => ({ id, seq: Number(seq) }));
  }

  /** Returns the number of the latest change. */
  async findLastSeq(): Promise<number> {
    const [row] = await query<{ last: number | string }>(
      this.changes.manager,
      'SELECT last FROM map_change_counter WHERE id = 1',
    );
    return Number(row!.last);
  }

  /** Returns the id of the current epoch. Begins the epoch of this process if it has none yet. */
  async findCurrentEpoch(): Promise<string> {
    const own = 'SELECT id FROM map_change_epochs WHERE id = :id';
    const begun = await query(this.changes.manager, own, { id: this.ownEpochId });
    if (begun.length === 0) await this.transactions.run((tx) => this.reserveNumbers(tx, 0));
    const latest = 'SELECT id FROM map_change_epochs ORDER BY number DESC LIMIT 1';
    const [row] = await query<{ id: string }>(this.changes.manager, latest);
    return row!.id;
  }

  /**
   * Returns the number of the last change of an epoch; undefined if this database does not have the
   * epoch.
   */
  async findEpochEnd(epoch: string): Promise<number | undefined> {
    const sql = `SELECT COALESCE(
        (SELECT n.start_seq FROM map_change_epochs n WHERE n.number > e.number ORDER BY n.number LIMIT 1),
        (SELECT c.last FROM map_change_counter c WHERE c.id = 1)
      ) AS end_seq FROM map_change_epochs e WHERE e.id = :epoch`;
    const [row] = await query<{ end_seq: number | string }>(this.changes.manager, sql, { epoch });
    return row && Number(row.end_seq);
  }

  /**
   * Locks the counter until the commit and reserves numbers. Begins the epoch of this process if it
   * has not begun.
   * @returns the last number before the reserved ones
   */
  private async reserveNumbers(tx: EntityManager, count: number): Promise<number> {
    const reserve = 'UPDATE map_change_counter SET last = last + :count WHERE id = 1 RETURNING last';
    const [row] = await query<{ last: number | string }>(tx, reserve, { count });
    const before = Number(row!.last) - count;
    const beginEpoch = `INSERT INTO map_change_epochs (number, id, start_seq)
      SELECT (SELECT COALESCE(MAX(number), 0) + 1 FROM map_change_epochs), CAST(:id AS varchar), CAST(:before AS bigint)
      WHERE NOT EXISTS (SELECT 1 FROM map_change_epochs WHERE id = :id)`;
    await query(tx, beginEpoch, { id: this.ownEpochId, before });
    return before;
  }
}
