import { Inject, Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { listRows } from './row-list.js';
import { joinConditions, MAX_SEQ, type RowSource } from './row-source.js';
import { SEARCH_ADAPTER, type SearchAdapter } from './search-adapter.js';
import type { SearchPace } from './search-pace.js';
import type { SearchPlan } from './search-planner.service.js';
import type { KeysetPosition, SearchRow, SqlFragment } from './search.types.js';

/** The next window is larger after a fast statement, and smaller after a slow one. */
const FAST_MILLISECONDS = 2;
const SLOW_MILLISECONDS = 8;
const MIN_WINDOW = 5_000;

/** Number of rows in the first list, which usually has a page, and limit of the following lists. */
const FIRST_LIST_SIZE = 250;
const MAX_LIST_SIZE = 4_000;

/** FROM and WHERE of one of the statements that read the rows of a plan. */
export interface SearchPart extends SqlFragment {
  /** ORDER BY row number; empty if the rows are in this order. */
  orderBy: string;
  /**
   * Number of the last row that this part and the parts before have read, if they have read all
   * rows up to it; null if the parts are not in order.
   */
  readUpTo: number | null;
}

/** Which rows of a part to select by rank. */
export interface RankedSelection {
  after: KeysetPosition | undefined;
  limit: number;
  /** Limit of rows to rank. */
  maxRows: number;
}

/** Rows in order. */
export interface OrderedRows<Row> {
  rows: Row[];
  /** Number up to which the rows were read; null if all rows were read, or the limit is reached. */
  readUpTo: number | null;
}

/** Reads the rows of a plan in several statements, none of which takes long. */
@Injectable()
export class SearchReader {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  /** Returns the parts of a plan: its windows, or its sources. */
  async *readParts({ sources, conditions }: SearchPlan, after: number, pace: SearchPace): AsyncGenerator<SearchPart> {
    const [source] = sources;
    if (source!.firstWindow) {
      yield* this.readWindows(source!, conditions, after, pace);
      return;
    }
    if (source!.selectSeqs) {
      yield* this.readLists(source!, conditions, after, pace);
      return;
    }
    for (const each of sources) {
      const { sql, parameters } = joinConditions(each, conditions);
      const part = { sql: `${sql} AND s.seq > :after`, parameters: { ...parameters, after } };
      yield { ...part, orderBy: this.toOrderBy(each), readUpTo: null };
      await pace.pause();
    }
  }

  /** Selects columns of the rows of a part. `more` follows the conditions. */
  select<Row = object>({ sql, parameters }: SqlFragment, columns: string, more = ''): Promise<(SearchRow & Row)[]> {
    return query(this.manager, `SELECT s.seq, s.marker_id${columns} ${sql} ${more}`, parameters);
  }

  /**
   * Selects the first rows of a part, by rank and number, after a position.
   * @returns undefined if the part has more than `maxRows` rows
   */
  async selectByRank(
    { sql, parameters }: SqlFragment,
    rank: string,
    { after, limit, maxRows }: RankedSelection,
  ): Promise<(SearchRow & { rank: number })[] | undefined> {
    const [afterRank, afterSeq] = after ?? [-1, 0];
    // Without MATERIALIZED the databases compute the rank of a row for each place that uses it.
    const ranked = `ranked AS MATERIALIZED (SELECT s.seq, s.marker_id, ${rank} AS rank ${sql} LIMIT ${maxRows + 1})`;
    const first = `SELECT * FROM ranked WHERE (rank, seq) > (:afterRank, :afterSeq) ORDER BY rank, seq LIMIT ${limit}`;
    const rows = await query<SearchRow & { rank: number; total: number | string }>(
      this.manager,
      `WITH ${ranked} SELECT * FROM (SELECT count(*) AS total FROM ranked) t LEFT JOIN (${first}) f ON TRUE`,
      { ...parameters, afterRank, afterSeq },
    );
    return Number(rows[0]!.total) > maxRows ? undefined : rows.filter(({ seq }) => seq !== null);
  }

  /** Returns the first rows of a plan after a number, in order. */
  async readInOrder(plan: SearchPlan, after: number, limit: number, pace: SearchPace): Promise<OrderedRows<SearchRow>> {
    const page = await this.readPageWindow(plan, after, limit);
    if (page) return { rows: page, readUpTo: null };
    const rows: SearchRow[] = [];
    let isFirst = true;
    for await (const part of this.readParts(plan, after, pace)) {
      const isOrdered = part.readUpTo !== null;
      const count = isOrdered ? limit - rows.length : limit;
      rows.push(...(await this.select(part, '', `${part.orderBy} LIMIT ${count}`)));
      if (isOrdered && rows.length >= limit) break;
      if (pace.isOver && isOrdered) return { rows, readUpTo: part.readUpTo! < MAX_SEQ ? part.readUpTo : null };
      const better = isFirst && isOrdered ? await plan.findBetter?.() : undefined;
      if (better) return this.readInOrder(better, after, limit, pace);
      isFirst = false;
    }
    return { rows: rows.sort((one, other) => one.seq - other.seq).slice(0, limit), readUpTo: null };
  }

  /** Counts the rows of a plan up to a limit. */
  async count(plan: SearchPlan, limit: number, pace: SearchPace): Promise<{ count: number; isComplete: boolean }> {
    let count = 0;
    for await (const { sql, parameters } of this.readParts(plan, 0, pace)) {
      const counting = `SELECT count(*) AS n FROM (SELECT s.seq ${sql} LIMIT ${limit - count}) counted`;
      const [row] = await query<{ n: number | string }>(this.manager, counting, parameters);
      count += Number(row!.n);
      if (count >= limit || pace.isOver) return { count, isComplete: false };
    }
    return { count, isComplete: true };
  }

  /** Returns the first rows of a plan from the window that probably contains them, if it does. */
  private async readPageWindow(
    { sources, conditions }: SearchPlan,
    after: number,
    limit: number,
  ): Promise<SearchRow[] | undefined> {
    const [source] = sources;
    if (!source!.pageWindow) return undefined;
    const { sql, parameters } = joinConditions(source!, conditions);
    const window = {
      sql: `${sql} AND s.seq > :after AND s.seq <= :until`,
      parameters: { ...parameters, after, until: Math.min(after + source!.pageWindow, MAX_SEQ) },
    };
    const rows = await this.select(window, '', `${this.toOrderBy(source!)} LIMIT ${limit}`);
    return rows.length < limit ? undefined : rows;
  }

  private async *readWindows(
    source: RowSource,
    conditions: SqlFragment[],
    after: number,
    pace: SearchPace,
  ): AsyncGenerator<SearchPart> {
    const { sql, parameters } = joinConditions(source, conditions);
    const last = await this.findLastSeq();
    let [from, size] = [after, source.firstWindow!];
    while (from < last) {
      const until = from + size >= last ? MAX_SEQ : from + size;
      const startedAt = performance.now();
      yield {
        sql,
        parameters: { ...parameters, after: from, until },
        orderBy: this.toOrderBy(source),
        readUpTo: until,
      };
      const milliseconds = performance.now() - startedAt;
      if (milliseconds < FAST_MILLISECONDS) size *= 4;
      else if (milliseconds > SLOW_MILLISECONDS) size = Math.max(MIN_WINDOW, Math.floor(size / 2));
      from = until;
      await pace.pause();
    }
  }

  private async *readLists(
    source: RowSource,
    conditions: SqlFragment[],
    after: number,
    pace: SearchPace,
  ): AsyncGenerator<SearchPart> {
    const { sql, parameters } = joinConditions(source, conditions);
    let size = FIRST_LIST_SIZE;
    for (let from = after; from < MAX_SEQ; size = Math.min(4 * size, MAX_LIST_SIZE)) {
      const selected = { ...source.selectSeqs!, parameters: { ...source.selectSeqs!.parameters, after: from } };
      const { seqs, last } = await listRows(this.manager, selected, size);
      from = last ?? MAX_SEQ;
      yield { sql, parameters: { ...parameters, seqs }, orderBy: this.toOrderBy(source), readUpTo: from };
      await pace.pause();
    }
  }

  private toOrderBy({ order }: RowSource): string {
    if (order) return `ORDER BY ${order}`;
    return this.adapter.keepsOrder ? '' : 'ORDER BY s.seq';
  }

  private async findLastSeq(): Promise<number> {
    const [row] = await query<{ last: number | null }>(this.manager, 'SELECT max(seq) AS last FROM marker_search');
    return row!.last ?? 0;
  }
}
