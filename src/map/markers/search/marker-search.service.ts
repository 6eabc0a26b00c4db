import { Inject, Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { computeRank } from '../../text-search/search-rank.js';
import { getSearchAreas, buildConditions, toFacetGroups, selectByFacets } from './search-conditions.js';
import { computeDistanceMeters } from '../../regions/geo.js';
import { SEARCH_ADAPTER, type SearchAdapter } from './search-adapter.js';
import type {
  SearchRow,
  SearchHit,
  SearchHitPage,
  MarkerFilters,
  MarkerSort,
  SqlFragment,
  KeysetPosition,
} from './search.types.js';

/** What is searched for, in which order, from where, and how much of it. */
export interface MarkerSearchQuery {
  filters: MarkerFilters;
  sort: MarkerSort;
  after?: KeysetPosition | undefined;
  limit: number;
}

/** How many rows are walked at a time, and how often, until a page is given out that is not full. */
const SCAN_WINDOW_ROWS = 25_000;
const MAX_SCAN_WINDOWS = 8;

/** How many matches are ranked: the first, in the order in which they came onto the map. */
const MAX_RANKED_MATCHES = 500;

/** Metres around a place that are looked at first. */
const INITIAL_RADIUS_METERS = 250;

/** The highest number of a row. */
const MAX_SEQ = 2 ** 31 - 1;

/** More than this many are not counted. */
const MAX_COUNTED_MATCHES = 10_000;

/** The rows of a window of the map. */
const SCAN_WINDOW_SQL: SqlFragment = {
  sql: 'FROM marker_search s WHERE s.seq > :after AND s.seq <= :until',
  parameters: {},
};

/** What leads to the rows of a search. */
interface DrivingQuery extends SqlFragment {
  /** What it stands for, so that it need not be asked again. */
  source: 'facets' | 'terms' | 'areas';
}

/**
 * Finds markers. No plan is right for all boxes, and planners are wrong about them; so it is asked first how much there
 * is in one: what is rare is fetched and sorted, and what is common is walked in order until a page is full. Words lead to
 * their rows in order by themselves.
 */
@Injectable()
export class MarkerSearchService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  async find(search: MarkerSearchQuery): Promise<SearchHitPage> {
    if (search.sort === 'id') return this.findInInsertionOrder(search);
    const sorted = await this.findSorted(search);
    const hits = sorted.slice(0, search.limit);
    return { hits, next: sorted.length > hits.length ? hits.at(-1)!.position : null };
  }

  /** How many there are, up to ten thousand. */
  async count(filters: MarkerFilters): Promise<{ count: number; isCapped: boolean }> {
    if (filters.near)
      return capCount((await this.findByDistance({ filters, sort: 'distance', limit: MAX_COUNTED_MATCHES })).length);
    const rows = this.buildRowQuery(
      (await this.findSelectiveDriver(filters)) ?? this.createTermDriver(filters),
      filters,
      [],
    );
    const sql = `SELECT count(*) AS n FROM (SELECT s.seq ${rows.sql} LIMIT ${MAX_COUNTED_MATCHES + 1}) counted`;
    const [row] = await query<{ n: number | string }>(this.manager, sql, rows.parameters);
    return capCount(Number(row!.n));
  }

  private findSorted(search: MarkerSearchQuery): Promise<SearchHit[]> {
    if (search.sort === 'distance') return this.findByDistance(search);
    return search.sort === 'relevance' ? this.findByRelevance(search) : this.findByUpdatedAt(search);
  }

  /** In the order in which they came onto the map. */
  private async findInInsertionOrder({ filters, after = [0, 0], limit }: MarkerSearchQuery): Promise<SearchHitPage> {
    const { rows, reached } = await this.scanInOrder(filters, after[1], limit + 1, 's.seq, s.marker_id');
    const hits = rows.slice(0, limit).map(({ seq, marker_id }) => toHit(marker_id, seq, seq));
    if (rows.length > limit) return { hits, next: hits.at(-1)!.position };
    return { hits, next: reached === null ? null : [reached, reached] };
  }

  /** By how well they fit, of the first that do. */
  private async findByRelevance({ filters, after, limit }: MarkerSearchQuery): Promise<SearchHit[]> {
    const columns = `s.seq, s.marker_id, ${this.adapter.searchTextExpression} AS text`;
    const { rows } = await this.scanInOrder<{ text: string }>(filters, 0, MAX_RANKED_MATCHES, columns);
    return rows
      .map(({ seq, marker_id, text }) => toHit(marker_id, -computeRank(text, filters.terms!), seq))
      .sort(compareHits)
      .filter(isAfter(after))
      .slice(0, limit + 1);
  }

  /** By distance: in rings that widen until there are enough. */
  private async findByDistance({ filters, after, limit }: MarkerSearchQuery): Promise<SearchHit[]> {
    const near = filters.near!;
    const rare = await this.findSelectiveDriver({ ...filters, near: undefined });
    const first = rare ? near.radius : Math.max(INITIAL_RADIUS_METERS, (after?.[0] ?? 0) * 1.5);
    for (let radius = Math.min(first, near.radius); ; radius = Math.min(2 * radius, near.radius)) {
      const ring = { ...filters, near: { ...near, radius } };
      const rows = this.buildRowQuery(rare ?? this.createAreaDriver(ring), ring, []);
      const sql = `SELECT s.seq, s.marker_id, s.lat_e7, s.lon_e7 ${rows.sql}`;
      const found = await query<SearchRow & { lat_e7: number; lon_e7: number }>(this.manager, sql, rows.parameters);
      const hits = found
        .map((row) =>
          toHit(row.marker_id, computeDistanceMeters(near, { latE7: row.lat_e7, lonE7: row.lon_e7 }), row.seq),
        )
        .filter(({ position: [distance] }) => distance <= radius)
        .filter(isAfter(after));
      if (hits.length > limit || radius === near.radius) return hits.sort(compareHits).slice(0, limit + 1);
    }
  }

  /** By when they were last changed. */
  private async findByUpdatedAt({ filters, after = [0, 0], limit }: MarkerSearchQuery): Promise<SearchHit[]> {
    const on = {
      sql: '(s.updated_at > :at OR (s.updated_at = :at AND s.seq > :seq))',
      parameters: { at: after[0], seq: after[1] },
    };
    const rows = this.buildRowQuery(
      (await this.findSelectiveDriver(filters)) ?? this.createTermDriver(filters),
      filters,
      [on],
    );
    const sql = `SELECT s.seq, s.marker_id, s.updated_at ${rows.sql} ORDER BY s.updated_at, s.seq LIMIT ${limit + 1}`;
    const found = await query<SearchRow & { updated_at: number | string }>(this.manager, sql, rows.parameters);
    return found.map(({ seq, marker_id, updated_at }) => toHit(marker_id, Number(updated_at), seq));
  }

  /** Rows in order. `reached` is how far it looked, where it gave up before the end. */
  private async scanInOrder<More>(
    filters: MarkerFilters,
    after: number,
    limit: number,
    columns: string,
  ): Promise<{ rows: (SearchRow & More)[]; reached: number | null }> {
    type Row = SearchRow & More;
    const fetch = async (driver: DrivingQuery): Promise<{ rows: Row[]; reached: null }> => {
      const { sql, parameters } = this.buildRowQuery(this.restrictAfter(driver, after), filters, []);
      const all = `SELECT ${columns} ${sql} ${this.orderByClause} LIMIT ${limit}`;
      return { rows: await query<Row>(this.manager, all, parameters), reached: null };
    };
    const rare = await this.findSelectiveDriver(filters);
    if (rare) return fetch(rare);

    if (filters.terms) {
      const { sql, parameters } = joinConditions(this.adapter.buildTermScan(filters.terms), buildConditions(filters));
      const page = `SELECT ${columns} ${sql} ${this.orderByClause} LIMIT ${limit}`;
      return { rows: await query<Row>(this.manager, page, { ...parameters, after }), reached: null };
    }

    const { sql, parameters } = joinConditions(SCAN_WINDOW_SQL, buildConditions(filters));
    const last = await this.findMaxSeq();
    const rows: Row[] = [];
    let reached = after;
    for (let windows = 0; windows < MAX_SCAN_WINDOWS && reached < last && rows.length < limit; windows++) {
      const until = reached + SCAN_WINDOW_ROWS;
      const page = `SELECT ${columns} ${sql} ORDER BY s.seq LIMIT ${limit - rows.length}`;
      rows.push(...(await query<Row>(this.manager, page, { ...parameters, after: reached, until })));
      reached = until;
      if (windows > 0 || rows.length >= limit || !getSearchAreas(filters)) continue;
      const areas = this.createAreaDriver(filters);
      if (await this.hasFewerRowsThan(this.adapter.maxRowsToSortAfterScan, areas)) return fetch(areas);
    }
    return { rows, reached: rows.length < limit && reached < last ? reached : null };
  }

  /** The rows of a search: those that a driver leads to, or all, that fulfil the conditions. */
  private buildRowQuery(driver: DrivingQuery | undefined, filters: MarkerFilters, more: SqlFragment[]): SqlFragment {
    const from = driver
      ? { ...driver, sql: `FROM (${driver.sql}) d CROSS JOIN marker_search s WHERE s.seq = d.seq` }
      : { sql: 'FROM marker_search s WHERE true', parameters: {} };
    const terms = filters.terms && driver?.source !== 'terms' ? [this.adapter.buildTermCondition(filters.terms)] : [];
    return joinConditions(from, [...buildConditions(filters), ...terms, ...more]);
  }

  /** What leads to few rows, if anything does. */
  private async findSelectiveDriver(filters: MarkerFilters): Promise<DrivingQuery | undefined> {
    const drivers: DrivingQuery[] = toFacetGroups(filters).map((group) => ({
      ...selectByFacets(group),
      source: 'facets',
    }));
    if (getSearchAreas(filters)) drivers.push(this.createAreaDriver(filters));
    for (const driver of drivers) if (await this.hasFewerRowsThan(this.adapter.maxRowsToSort, driver)) return driver;
    return undefined;
  }

  /** What leads to rows after one, in order; a subquery without a limit would lose its order. */
  private restrictAfter(driver: DrivingQuery, after: number): DrivingQuery {
    const sql = `SELECT seq FROM (${driver.sql}) led WHERE seq > :after ORDER BY seq LIMIT ${MAX_SEQ}`;
    return { ...driver, sql, parameters: { ...driver.parameters, after } };
  }

  /** To be said of rows that what leads to them has in order. */
  private get orderByClause(): string {
    return this.adapter.preservesOrder ? '' : 'ORDER BY s.seq';
  }

  private createTermDriver({ terms }: MarkerFilters): DrivingQuery | undefined {
    return terms && { ...this.adapter.selectByTerms(terms), source: 'terms' };
  }

  private createAreaDriver(filters: MarkerFilters): DrivingQuery {
    return { ...this.adapter.selectInAreas(getSearchAreas(filters)!), source: 'areas' };
  }

  private async hasFewerRowsThan(most: number, { sql, parameters }: SqlFragment): Promise<boolean> {
    const counting = `SELECT count(*) AS n FROM (SELECT seq FROM (${sql}) d LIMIT ${most}) probe`;
    const [row] = await query<{ n: number | string }>(this.manager, counting, parameters);
    return Number(row!.n) < most;
  }

  private async findMaxSeq(): Promise<number> {
    const [row] = await query<{ last: number | null }>(this.manager, 'SELECT max(seq) AS last FROM marker_search');
    return row!.last ?? 0;
  }
}

function capCount(count: number): { count: number; isCapped: boolean } {
  return { count: Math.min(count, MAX_COUNTED_MATCHES), isCapped: count > MAX_COUNTED_MATCHES };
}

function joinConditions({ sql, parameters }: SqlFragment, conditions: SqlFragment[]): SqlFragment {
  return {
    sql: [sql, ...conditions.map((piece) => piece.sql)].join(' AND '),
    parameters: Object.assign(
      {},
      parameters,
      ...conditions.map((piece) => piece.parameters),
    ) as SqlFragment['parameters'],
  };
}

function toHit(id: string, value: number, seq: number): SearchHit {
  return { id, position: [value, seq] };
}

function compareHits({ position: one }: SearchHit, { position: other }: SearchHit): number {
  return one[0] - other[0] || one[1] - other[1];
}

function isAfter(after: KeysetPosition | undefined): (hit: SearchHit) => boolean {
  return ({ position: [value, seq] }) => !after || value > after[0] || (value === after[0] && seq > after[1]);
}
