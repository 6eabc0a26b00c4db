import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../database/transactions.js';
import { query } from '../database/query.js';
import { boxOf, type Region } from './region.entity.js';
import { within } from './search/conditions.js';
import { areasOf } from './search/places.js';
import type { Piece } from './search/search.js';

/** How many markers are written in one transaction. */
const BATCH = 1000;

/** Gives a new region the markers that lie in it and in none yet: a marker gets its region when it is written. */
@Injectable()
export class RegionFill {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: Transactions,
  ) {}

  /** Batch by batch: begun again, it goes on with the rest. */
  async run(region: Region, follow: (done: number, total: number) => void): Promise<void> {
    const inside = within(areasOf(boxOf(region)));
    const counting = `SELECT count(*) AS total FROM marker_search s WHERE s.region_id IS NULL AND ${inside.sql}`;
    const [row] = await query<{ total: number | string }>(this.manager, counting, inside.parameters);
    for (let done = 0, after = 0; ;) {
      const from = after;
      const seqs = await this.transactions.run((tx) => this.write(tx, region, inside, from));
      if (seqs.length === 0) return;
      [done, after] = [done + seqs.length, seqs.at(-1)!];
      follow(done, Number(row!.total));
    }
  }

  /** @returns the numbers of the markers that were looked at */
  private async write(tx: EntityManager, { id }: Region, inside: Piece, after: number): Promise<number[]> {
    const next = `SELECT s.seq, s.marker_id FROM marker_search s
      WHERE s.seq > :after AND s.region_id IS NULL AND ${inside.sql} ORDER BY s.seq LIMIT ${BATCH}`;
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
