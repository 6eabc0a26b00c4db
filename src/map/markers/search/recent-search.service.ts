import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { SORTED_BY_SEQ } from './row-source.js';
import type { SearchPace } from './search-pace.js';
import { SearchPlanner, type SearchPlan } from './search-planner.service.js';
import { SearchReader } from './search-reader.service.js';
import {
  createPage,
  type KeysetPosition,
  type MarkerFilters,
  type MarkerSearchQuery,
  type SearchHit,
  type SearchHitPage,
} from './search.types.js';

/** Number of rows of the index by time that one statement reads. */
const ROWS_PER_STATEMENT = 5_000;

/** Columns of the index by time. */
interface TimeRow {
  seq: number;
  updated_at: number | string;
}

/** Finds markers by the time of their last change, the oldest first. */
@Injectable()
export class RecentSearch {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly planner: SearchPlanner,
    private readonly reader: SearchReader,
  ) {}

  async find({ filters, after, limit }: MarkerSearchQuery, pace: SearchPace): Promise<SearchHitPage> {
    const start = after ?? [filters.updatedSince?.getTime() ?? 0, 0];
    const selective = await this.planner.findSelective(filters);
    return selective
      ? createPage(await this.readAfter(selective, start, limit, pace), start, limit)
      : this.readInOrder(filters, start, limit, pace);
  }

  private async readAfter(
    plan: SearchPlan,
    start: KeysetPosition,
    limit: number,
    pace: SearchPace,
  ): Promise<SearchHit[]> {
    const hits: SearchHit[] = [];
    for await (const { sql, parameters } of this.reader.readParts(plan, 0, pace)) {
      const after = 'AND (s.updated_at, s.seq) > (:at, :afterSeq) ORDER BY s.updated_at, s.seq';
      const part = { sql, parameters: { ...parameters, at: start[0], afterSeq: start[1] } };
      const rows = await this.reader.select<TimeRow>(part, ', s.updated_at', `${after} LIMIT ${limit + 1}`);
      hits.push(...rows.map(toHit));
    }
    return hits;
  }

  /** Reads the index by time in several statements. */
  private async readInOrder(
    filters: MarkerFilters,
    start: KeysetPosition,
    limit: number,
    pace: SearchPace,
  ): Promise<SearchHitPage> {
    const hits: SearchHit[] = [];
    for (let from: KeysetPosition | null = start; from && hits.length <= limit;) {
      if (pace.isOver) return { hits, next: from };
      const until = await this.findEnd(from);
      const interval = {
        sql: `FROM marker_search s WHERE (s.updated_at, s.seq) > (:at, :afterSeq) AND (s.updated_at, s.seq) <= (:untilAt, :untilSeq)`,
        parameters: { at: from[0], afterSeq: from[1], untilAt: until?.[0] ?? MAX_TIME, untilSeq: until?.[1] ?? 0 },
        order: SORTED_BY_SEQ,
      };
      const plan = this.planner.createPlan([interval], filters);
      for await (const part of this.reader.readParts(plan, 0, pace)) {
        const order = `ORDER BY s.updated_at, s.seq LIMIT ${limit + 1 - hits.length}`;
        hits.push(...(await this.reader.select<TimeRow>(part, ', s.updated_at', order)).map(toHit));
      }
      from = until;
    }
    return createPage(hits, undefined, limit);
  }

  /** Returns the position of the last row of one statement; null at the end of the index. */
  private async findEnd(from: KeysetPosition): Promise<KeysetPosition | null> {
    const [row] = await query<TimeRow>(
      this.manager,
      `SELECT updated_at, seq FROM marker_search WHERE (updated_at, seq) > (:at, :seq)
        ORDER BY updated_at, seq LIMIT 1 OFFSET ${ROWS_PER_STATEMENT - 1}`,
      { at: from[0], seq: from[1] },
    );
    return row ? [Number(row.updated_at), row.seq] : null;
  }
}

/** Greater than any time of a change, in milliseconds. */
const MAX_TIME = 8.64e15;

function toHit({ marker_id, updated_at, seq }: TimeRow & { marker_id: string }): SearchHit {
  return { id: marker_id, position: [Number(updated_at), seq] };
}
