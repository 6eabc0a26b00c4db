import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { computeDistanceMeters } from '../../regions/geo.js';
import {
  type Circle,
  MAX_ROW_NUMBER,
  type PagePosition,
  type ReadStep,
  type SearchHit,
  type SearchHitPage,
  type SearchPlan,
  type SearchStage,
  type SqlFragment,
} from './search-plan.js';
import { type RowBatch, SearchRun } from './search-run.js';

/** Results of a stage in order. `next` is set if the time limit came before all rows were read. */
interface StageResult {
  hits: SearchHit[];
  next: PagePosition | null;
}

/** A row of `marker_search`, with its distance and rank if the query selects them. */
interface SearchRow {
  row_number: number;
  marker_id: string;
  lat_e7: number;
  lon_e7: number;
  updated_at: number | string;
  rank: number;
}

/** A row with the distance from the center of a circle, in meters. */
interface LocatedRow extends SearchRow {
  distance: number;
}

/** Runs the plans of searches, in short statements. */
@Injectable()
export class SearchExecutorService {
  constructor(@InjectEntityManager() private readonly manager: EntityManager) {}

  async find(plan: SearchPlan, limit: number): Promise<SearchHitPage> {
    const run = new SearchRun(this.manager);
    const hits: SearchHit[] = [];
    for (const stage of plan) {
      const found = await this.readStage(stage, limit + 1 - hits.length, run);
      hits.push(...(found?.hits ?? []));
      if (hits.length > limit) return { hits: hits.slice(0, limit), next: hits[limit - 1]!.position };
      if (found && (found.next || stage.isExhaustive)) return { hits, next: found.next };
    }
    return { hits, next: null };
  }

  /** Counts the results of a stage up to a limit. */
  async count({ steps, order }: SearchStage, limit: number): Promise<{ count: number; isComplete: boolean }> {
    const run = new SearchRun(this.manager);
    const circle = order.by === 'distance' ? order.circle : undefined;
    let count = 0;
    for await (const batch of this.readBatches(steps, run)) {
      if (circle) count += (await this.selectInCircle(batch, circle)).filter(isInside(circle)).length;
      else count += await this.countRows(batch, limit - count);
      if (count >= limit || (!circle && run.isOver)) return { count, isComplete: false };
    }
    return { count, isComplete: true };
  }

  /** Returns FROM and WHERE of the statements that read all rows of the first step that is used. */
  async *readBatches(steps: ReadStep[], run = new SearchRun(this.manager)): AsyncGenerator<SqlFragment> {
    for (const step of steps) {
      const batches = await run.open(step);
      if (!batches) continue;
      yield* batches;
      return;
    }
  }

  /** Returns the first results of a stage; undefined if none of its steps is used. */
  private async readStage(stage: SearchStage, limit: number, run: SearchRun): Promise<StageResult | undefined> {
    const { steps, order, after, rank } = stage;
    run.startStage(order.by === 'number' ? (after?.at(-1) ?? 0) : 0);
    const hits: SearchHit[] = [];
    for (const step of steps) {
      const end = await this.readStep(step, stage, hits, limit, run);
      if (!end) continue;
      const next = end.readUpTo && [...(rank === undefined ? [] : [rank]), ...end.readUpTo];
      return { hits: toSortedPage(hits, after, limit), next };
    }
    return undefined;
  }

  /**
   * Adds the results of a step.
   * @returns undefined if the next step continues; the end of the rows that were read if the time
   *   limit is reached; otherwise null
   */
  private async readStep(
    step: ReadStep,
    stage: SearchStage,
    hits: SearchHit[],
    limit: number,
    run: SearchRun,
  ): Promise<{ readUpTo: PagePosition | null } | undefined> {
    const isInOrder = stage.order.by === 'number' || stage.order.by === 'time';
    const batches = await run.open(step);
    if (!batches) return undefined;
    let count = 0;
    for await (const batch of batches) {
      const isNext = isInOrder && batch.readUpTo !== undefined;
      const found = await this.selectHits(batch, stage, step, isNext ? limit - hits.length : limit);
      if (!found) return undefined;
      hits.push(...found);
      if (!isNext || batch.readUpTo === undefined) continue;
      if (hits.length >= limit || batch.readUpTo === null) return { readUpTo: null };
      if (run.isOver) return { readUpTo: batch.readUpTo };
      count += 1;
      if (count === step.batchLimit) return undefined;
    }
    return { readUpTo: null };
  }

  /** Selects the results in a batch; undefined if it has too many rows to rank. */
  private async selectHits(
    batch: RowBatch,
    { order, after, rank }: SearchStage,
    { rankLimit = MAX_ROW_NUMBER }: ReadStep,
    limit: number,
  ): Promise<SearchHit[] | undefined> {
    if (order.by === 'number') {
      const rows = await this.select(batch, '', `${batch.orderBy} LIMIT ${limit}`);
      return rows.map((row) => toHit(row, rank === undefined ? [] : [rank]));
    }
    if (order.by === 'time') {
      const rows = await this.select(batch, ', s.updated_at', `ORDER BY s.updated_at, s.row_number LIMIT ${limit}`);
      return rows.map((row) => toHit(row, [Number(row.updated_at)]));
    }
    if (order.by === 'distance') {
      const rows = await this.selectInCircle(batch, order.circle);
      const found = rows.filter(isInside(order.circle, order.beyond));
      return found.map((row) => toHit(row, rank === undefined ? [] : [rank], row.distance));
    }
    const ranked = { ...batch, parameters: { ...batch.parameters, ...order.rank.parameters } };
    if (!order.circle) return this.selectByRank(ranked, order.rank.sql, { after, limit, rankLimit });
    const rows = await this.selectInCircle(ranked, order.circle, `, ${order.rank.sql} AS rank`, rankLimit + 1);
    if (rows.length > rankLimit) return undefined;
    return rows.filter(isInside(order.circle)).map((row) => toHit(row, [row.rank], row.distance));
  }

  /** Selects columns of the rows of a batch. `more` follows the conditions. */
  private select({ sql, parameters }: SqlFragment, columns: string, more = ''): Promise<SearchRow[]> {
    return query(this.manager, `SELECT s.row_number, s.marker_id${columns} ${sql} ${more}`, parameters);
  }

  /** Selects rows with their distance from the center of a circle, also rows outside of it. */
  private async selectInCircle(
    batch: SqlFragment,
    circle: Circle,
    columns = '',
    limit?: number,
  ): Promise<LocatedRow[]> {
    const rows = await this.select(
      batch,
      `, s.lat_e7, s.lon_e7${columns}`,
      limit === undefined ? '' : `LIMIT ${limit}`,
    );
    return rows.map((row) => ({
      ...row,
      distance: computeDistanceMeters(circle, { latE7: row.lat_e7, lonE7: row.lon_e7 }),
    }));
  }

  /**
   * Selects the first rows by rank and number; undefined if the batch has too many rows to rank.
   */
  private async selectByRank(
    { sql, parameters }: SqlFragment,
    rank: string,
    { after, limit, rankLimit }: { after: PagePosition | undefined; limit: number; rankLimit: number },
  ): Promise<SearchHit[] | undefined> {
    const [afterRank, afterNumber] = after ?? [-1, 0];
    // Without MATERIALIZED the databases compute the rank of a row for each place that uses it.
    const ranked = `ranked AS MATERIALIZED (SELECT s.row_number, s.marker_id, ${rank} AS rank ${sql} LIMIT ${rankLimit + 1})`;
    const first = `SELECT * FROM ranked WHERE (rank, row_number) > (:afterRank, :afterNumber) ORDER BY rank, row_number LIMIT ${limit}`;
    const rows = await query<SearchRow & { total: number | string }>(
      this.manager,
      `WITH ${ranked} SELECT * FROM (SELECT count(*) AS total FROM ranked) t LEFT JOIN (${first}) f ON TRUE`,
      { ...parameters, afterRank, afterNumber },
    );
    if (Number(rows[0]!.total) > rankLimit) return undefined;
    return rows.filter(({ row_number }) => row_number !== null).map((row) => toHit(row, [row.rank]));
  }

  private async countRows({ sql, parameters }: SqlFragment, limit: number): Promise<number> {
    const counting = `SELECT count(*) AS n FROM (SELECT s.row_number ${sql} LIMIT ${limit}) counted`;
    const [row] = await query<{ n: number | string }>(this.manager, counting, parameters);
    return Number(row!.n);
  }
}

function toHit({ marker_id, row_number }: SearchRow, sortValues: number[], distance?: number): SearchHit {
  if (distance === undefined) return { id: marker_id, position: [...sortValues, row_number] };
  return { id: marker_id, position: [...sortValues, distance, row_number], distance };
}

/** Whether a row is in a circle, and farther away than a distance. */
function isInside({ radius }: Circle, beyond = -1): (row: LocatedRow) => boolean {
  return ({ distance }) => distance <= radius && distance > beyond;
}

/** Sorts results, and returns the first ones after a position. */
function toSortedPage(hits: SearchHit[], after: PagePosition | undefined, limit: number): SearchHit[] {
  return hits
    .filter(({ position }) => !after || comparePositions(position, after) > 0)
    .sort((one, other) => comparePositions(one.position, other.position))
    .slice(0, limit);
}

function comparePositions(one: PagePosition, other: PagePosition): number {
  const index = one.findIndex((value, place) => value !== other[place]);
  return index < 0 ? 0 : one[index]! - other[index]!;
}
