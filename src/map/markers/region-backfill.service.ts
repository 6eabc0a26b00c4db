import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { query } from '../../platform/database/query.js';
import { toBoundingBox, type Region } from '../regions/region.entity.js';
import { buildAreaCondition } from './search/search-conditions.js';
import { toAreas } from '../regions/geo.js';
import type { SqlFragment } from './search/search.types.js';

/** How many markers are written in one transaction. */
const BATCH_SIZE = 1000;

/** Gives a new region the markers that lie in it and in none yet: a marker gets its region when it is written. */
@Injectable()
export class RegionBackfillService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
  ) {}

  /** Batch by batch: begun again, it goes on with the rest. */
  async assignMarkers(region: Region, follow: (done: number, total: number) => void): Promise<void> {
    const inside = buildAreaCondition(toAreas(toBoundingBox(region)));
    const counting = `SELECT count(*) AS total FROM marker_search s WHERE s.region_id IS NULL AND ${inside.sql}`;
    const [row] = await query<{ total: number | string }>(this.manager, counting, inside.parameters);
    for (let done = 0, after = 0; ;) {
      const from = after;
      const seqs = await this.transactions.run((tx) => this.assignBatch(tx, region, inside, from));
      if (seqs.length === 0) return;
      [done, after] = [done + seqs.length, seqs.at(-1)!];
      follow(done, Number(row!.total));
    }
  }

  /** @returns the numbers of the markers that were looked at */
  private async assignBatch(tx: EntityManager, { id }: Region, inside: SqlFragment, after: number): Promise<number[]> {
    const next = `SELECT s.seq, s.marker_id FROM marker_search s
      WHERE s.seq > :after AND s.region_id IS NULL AND ${inside.sql} ORDER BY s.seq LIMIT ${BATCH_SIZE}`;
    const rows = await query<{ seq: number; marker_id: string }>(tx, next, { ...inside.parameters, after });
    if (rows.length === 0) return [];
    const values = { ...inside.parameters, id, markerIds: rows.map(({ marker_id }) => marker_id) };
    const still = `s.id IN (:...markerIds) AND s.region_id IS NULL AND ${inside.sql}`;
    await query(tx, `UPDATE markers AS s SET region_id = :id WHERE ${still}`, values);
    const given = 'SELECT id FROM markers WHERE id IN (:...markerIds) AND region_id = :id';
    await query(tx, `UPDATE marker_search SET region_id = :id WHERE marker_id IN (${given})`, values);
    return rows.map(({ seq }) => seq);
  }
}
