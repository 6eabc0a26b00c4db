import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { waitForBatches } from '../../../platform/database/batch-loader.js';
import { query } from '../../../platform/database/query.js';
import { runOutsideRequest } from '../../../platform/logging/request-context.js';
import {
  joinConditions,
  MAX_ROW_NUMBER,
  type PagePosition,
  type ReadStep,
  type RowCheck,
  type RowsAtOnce,
  type RowsByTime,
  type RowsInBatches,
  type RowsInLists,
  type SqlFragment,
} from './search-plan.js';

/**
 * After this time since the first search of a turn of the event loop, searches let other requests
 * run. `bench/README.md`: refreshes beside searches.
 */
const MAX_TURN_MILLISECONDS = 5;

/**
 * After this time a search returns what it has found. `bench/README.md`: refreshes beside searches.
 */
const MAX_SEARCH_MILLISECONDS = 1000;

/**
 * The next batch is larger after a fast statement, and smaller after a slow one. `bench/README.md`:
 * reads of one marker beside four counts of which nothing matches.
 */
const FAST_MILLISECONDS = 2;
const SLOW_MILLISECONDS = 8;
const MIN_BATCH_SIZE = 5_000;

/**
 * Number of rows in the first list, which usually has a page, and limit of the following lists.
 * `bench/README.md`: text, common word, and word of descriptions only.
 */
const FIRST_LIST_SIZE = 250;
const MAX_LIST_SIZE = 4_000;

/**
 * Number of rows in the order of their change that one statement reads. `bench/README.md`: reads of
 * one marker beside one of each.
 */
const ROWS_BY_TIME_PER_STATEMENT = 5_000;

/** Greater than any time of a change, in milliseconds. */
const MAX_TIME = 8.64e15;

/**
 * After this time a search continues although refreshes run, because there may always be some.
 * `bench/README.md`: refreshes beside searches.
 */
const MAX_WAIT_MILLISECONDS = 10;

/** When the first search of this turn of the event loop began or continued; undefined before. */
let turnStartedAt: number | undefined;

/** Functions that continue the waiting searches, in order. The first search may be running. */
const waiting: (() => void)[] = [];

/** FROM and WHERE of one of the statements that read the rows of a step. */
export interface RowBatch extends SqlFragment {
  /** ORDER BY row number; empty if the rows are in this order. */
  orderBy: string;
  /**
   * Position of the last row, if this batch and those before have all rows up to it in order; null
   * if no row follows.
   */
  readUpTo?: PagePosition | null;
}

/** A JSON list of row numbers. `last` is null if no number follows. */
interface NumberList {
  rowNumbers: string;
  last: number | null;
}

/** The answer of PostgreSQL to EXPLAIN. */
interface QueryPlan {
  'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
}

/**
 * A running search: its time, and the position up to which it has read. SQLite runs statements in
 * the thread that serves all requests, so a search reads in short statements, and pauses between
 * them.
 */
export class SearchRun {
  private readonly startedAt = performance.now();
  private readonly estimates = new Map<SqlFragment, number>();
  /** Number of the last row of the batches before. */
  private after = 0;
  private batchSize: number | undefined;

  constructor(private readonly manager: EntityManager) {}

  /** Whether the search has used its time. */
  get isOver(): boolean {
    return performance.now() - this.startedAt > MAX_SEARCH_MILLISECONDS;
  }

  /**
   * Lets other requests run, and the refreshes finish, if the first search of this turn of the
   * event loop was some time ago. On PostgreSQL, other requests also run during a statement.
   */
  async pause(): Promise<void> {
    if (this.manager.connection.options.type === 'postgres') return;
    turnStartedAt ??= startTurn();
    if (!isTurnOver(turnStartedAt)) return;
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) void runOutsideRequest(continueSearches);
    });
  }

  /** Begins a stage, which reads rows after a number. */
  startStage(after: number): void {
    this.after = after;
    this.batchSize = undefined;
  }

  /** Returns the statements of a step, after the rows read before; undefined if it is skipped. */
  async open({ rows, conditions, check, batchLimit }: ReadStep): Promise<AsyncGenerator<RowBatch> | undefined> {
    await this.pause();
    if (check && !(await this.passes(check))) return undefined;
    if (rows.read === 'at once') return this.readAtOnce(rows, conditions);
    if (rows.read === 'in batches') return this.readInBatches(rows, conditions, batchLimit);
    if (rows.read === 'in lists') return this.readInLists(rows, conditions);
    if (rows.read === 'by time') return this.readByTime(rows, conditions);
    const { rowNumbers, last } = await this.listNumbers(rows.numbers, rows.below);
    if (last !== null) return undefined;
    return this.readAtOnce({ read: 'at once', from: [selectListed(rowNumbers)], orderBy: '' }, conditions);
  }

  private async *readAtOnce({ from, orderBy }: RowsAtOnce, conditions: SqlFragment[]): AsyncGenerator<RowBatch> {
    for (const part of from) {
      await this.pause();
      const { sql, parameters } = joinConditions(part, conditions);
      const batch = { sql: `${sql} AND s.row_number > :after`, parameters: { ...parameters, after: this.after } };
      yield { ...batch, orderBy: formatOrderBy(orderBy) };
    }
  }

  private async *readInBatches(
    { from, orderBy, firstBatchSize }: RowsInBatches,
    conditions: SqlFragment[],
    batchLimit: number | undefined,
  ): AsyncGenerator<RowBatch> {
    const { sql, parameters } = joinConditions(from, conditions);
    const last = batchLimit === 1 ? MAX_ROW_NUMBER : await this.findLastNumber();
    while (this.after < last) {
      await this.pause();
      const size = this.batchSize ?? firstBatchSize;
      const until = this.after + size >= last ? MAX_ROW_NUMBER : this.after + size;
      const startedAt = performance.now();
      const batch = { sql, parameters: { ...parameters, after: this.after, until } };
      this.after = until;
      try {
        yield { ...batch, orderBy: formatOrderBy(orderBy), readUpTo: until < MAX_ROW_NUMBER ? [until] : null };
      } finally {
        const milliseconds = performance.now() - startedAt;
        if (milliseconds < FAST_MILLISECONDS) this.batchSize = size * 4;
        else this.batchSize = milliseconds > SLOW_MILLISECONDS ? Math.max(MIN_BATCH_SIZE, Math.floor(size / 2)) : size;
      }
    }
  }

  private async *readInLists({ numbers }: RowsInLists, conditions: SqlFragment[]): AsyncGenerator<RowBatch> {
    for (let size = FIRST_LIST_SIZE; this.after < MAX_ROW_NUMBER; size = Math.min(4 * size, MAX_LIST_SIZE)) {
      await this.pause();
      const following = { ...numbers, parameters: { ...numbers.parameters, after: this.after } };
      const { rowNumbers, last } = await this.listNumbers(following, size);
      this.after = last ?? MAX_ROW_NUMBER;
      const batch = joinConditions(selectListed(rowNumbers), conditions);
      yield { ...batch, orderBy: '', readUpTo: last === null ? null : [last] };
    }
  }

  private async *readByTime({ after }: RowsByTime, conditions: SqlFragment[]): AsyncGenerator<RowBatch> {
    for (let start: PagePosition | null = after; start;) {
      await this.pause();
      const end = await this.findEndByTime(start);
      const from = {
        sql: 'FROM marker_search s WHERE (s.updated_at, s.row_number) > (:at, :afterNumber) AND (s.updated_at, s.row_number) <= (:untilAt, :untilNumber)',
        parameters: { at: start[0], afterNumber: start[1], untilAt: end?.[0] ?? MAX_TIME, untilNumber: end?.[1] ?? 0 },
      };
      yield { ...joinConditions(from, conditions), orderBy: '', readUpTo: end };
      start = end;
    }
  }

  /** Returns the position of the last row of one statement; null at the end of the index. */
  private async findEndByTime([at, number]: PagePosition): Promise<PagePosition | null> {
    const [row] = await query<{ updated_at: number | string; row_number: number }>(
      this.manager,
      `SELECT updated_at, row_number FROM marker_search WHERE (updated_at, row_number) > (:at, :number)
        ORDER BY updated_at, row_number LIMIT 1 OFFSET ${ROWS_BY_TIME_PER_STATEMENT - 1}`,
      { at, number },
    );
    return row ? [Number(row.updated_at), row.row_number] : null;
  }

  private async findLastNumber(): Promise<number> {
    const [row] = await query<{ last: number | null }>(
      this.manager,
      'SELECT max(row_number) AS last FROM marker_search',
    );
    return row!.last ?? 0;
  }

  /**
   * Returns the first numbers of a query that selects them in order, as JSON.
   * @returns `last`: the last number, if the list is full, so that more can follow; otherwise null
   */
  private async listNumbers({ sql, parameters }: SqlFragment, limit: number): Promise<NumberList> {
    const [list] = await query<NumberList & { count: number }>(
      this.manager,
      `SELECT json_group_array(row_number) AS "rowNumbers", max(row_number) AS last, count(*) AS count FROM (${sql} LIMIT ${limit}) d`,
      parameters,
    );
    const { rowNumbers, last, count } = list!;
    return { rowNumbers, last: count < limit ? null : last };
  }

  private async passes({ rows, by, atLeast = 0, below }: RowCheck): Promise<boolean> {
    const number = by === 'count' ? await this.countRows(rows, below ?? atLeast) : await this.estimateRows(rows);
    return number >= atLeast && (below === undefined || number < below);
  }

  private async countRows({ sql, parameters }: SqlFragment, limit: number): Promise<number> {
    const counting = `SELECT count(*) AS n FROM (SELECT row_number FROM (${sql}) d LIMIT ${limit}) probe`;
    const [row] = await query<{ n: number | string }>(this.manager, counting, parameters);
    return Number(row!.n);
  }

  private async estimateRows(rows: SqlFragment): Promise<number> {
    const known = this.estimates.get(rows);
    if (known !== undefined) return known;
    const [explained] = await query<QueryPlan>(this.manager, `EXPLAIN (FORMAT JSON) ${rows.sql}`, rows.parameters);
    const estimate = explained!['QUERY PLAN'][0].Plan['Plan Rows'];
    this.estimates.set(rows, estimate);
    return estimate;
  }
}

/** Whether the time of searches in a turn of the event loop is over. */
function isTurnOver(startedAt: number): boolean {
  return performance.now() - startedAt >= MAX_TURN_MILLISECONDS;
}

/**
 * Starts the time of searches in this turn of the event loop. A callback at the end of the turn
 * resets it.
 */
function startTurn(): number {
  const startedAt = performance.now();
  setImmediate(() => {
    if (turnStartedAt === startedAt) turnStartedAt = undefined;
  });
  return startedAt;
}

/**
 * Continues the waiting searches one after the other, each up to its next pause. Other requests run
 * first, and again whenever the time of a turn is over. This function runs as the continuation of a
 * promise, so Node.js calls the function of `nextTick` after all other continuations. The search
 * has reached its next pause by then.
 */
async function continueSearches(): Promise<void> {
  while (waiting.length > 0) {
    await nextTurn();
    await waitForBatches(MAX_WAIT_MILLISECONDS);
    const startedAt = startTurn();
    turnStartedAt = startedAt;
    do {
      waiting[0]!();
      await new Promise<void>((resolve) => process.nextTick(resolve));
      waiting.shift();
    } while (waiting.length > 0 && !isTurnOver(startedAt));
  }
}

/** The rows in a JSON list of numbers, in its order. SQLite only. */
function selectListed(rowNumbers: string): SqlFragment {
  const sql = 'FROM json_each(:rowNumbers) d CROSS JOIN marker_search s WHERE s.row_number = d.value';
  return { sql, parameters: { rowNumbers } };
}

function formatOrderBy(orderBy: string): string {
  return orderBy && `ORDER BY ${orderBy}`;
}
