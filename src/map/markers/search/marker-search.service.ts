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

/** Filters, order, start and size of a page. */
export interface MarkerSearchQuery {
  filters: MarkerFilters;
  sort: MarkerSort;
  after?: KeysetPosition | undefined;
  limit: number;
}

/**
 * Rows per scan, and scans per page. After the last scan the page is returned with fewer results.
 */
const SCAN_WINDOW_ROWS = 25_000;
const MAX_SCAN_WINDOWS = 8;

/** Only the first matches in the order of insertion are ranked. */
const MAX_RANKED_MATCHES = 500;

/** First radius of a search by distance. */
const INITIAL_RADIUS_METERS = 250;

/** Highest possible row number. */
const MAX_SEQ = 2 ** 31 - 1;

/** Counting stops at this number. */
const MAX_COUNTED_MATCHES = 10_000;

/** Rows of one scan. */
const SCAN_WINDOW_SQL: SqlFragment = {
  sql: 'FROM marker_search s WHERE s.seq > :after AND s.seq <= :until',
  parameters: {},
};

/** A query that selects the `seq` of candidate rows through an index. */
interface DrivingQuery extends SqlFragment {
  /** The condition that the query fulfills, which need not be checked again. */
  source: 'facets' | 'terms' | 'areas';
}

/**
 * Searches markers. No query plan is fast for all boxes, and query planners choose badly between
 * them. So the search first counts the rows of an index up to a limit. Few rows are read and
 * sorted; of many rows, the map is scanned in order until the page is full. The index of terms
 * returns rows in order.
 */
@Injectable()
export class MarkerSearchService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  /** Returns a page of results. */
  async find(search: MarkerSearchQuery): Promise<SearchHitPage> {
    if (search.sort === 'id') return this.findInInsertionOrder(search);
    const sorted = await this.findSorted(search);
    const hits = sorted.slice(0, search.limit);
    return { hits, next: sorted.length > hits.length ? hits.at(-1)!.position : null };
  }

  /** Counts the results, up to 10,000. */
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

  private async findInInsertionOrder({ filters, after = [0, 0], limit }: MarkerSearchQuery): Promise<SearchHitPage> {
    const { rows, scannedUpTo } = await this.scanInOrder(filters, after[1], limit + 1, 's.seq, s.marker_id');
    const hits = rows.slice(0, limit).map(({ seq, marker_id }) => toHit(marker_id, seq, seq));
    if (rows.length > limit) return { hits, next: hits.at(-1)!.position };
    return { hits, next: scannedUpTo === null ? null : [scannedUpTo, scannedUpTo] };
  }

  private async findByRelevance({ filters, after, limit }: MarkerSearchQuery): Promise<SearchHit[]> {
    const columns = `s.seq, s.marker_id, ${this.adapter.searchTextExpression} AS text`;
    const { rows } = await this.scanInOrder<{ text: string }>(filters, 0, MAX_RANKED_MATCHES, columns);
    return rows
      .map(({ seq, marker_id, text }) => toHit(marker_id, -computeRank(text, filters.terms!), seq))
      .sort(compareHits)
      .filter(isAfter(after))
      .slice(0, limit + 1);
  }

  /** Doubles the radius until there are enough results. */
  private async findByDistance({ filters, after, limit }: MarkerSearchQuery): Promise<SearchHit[]> {
    const near = filters.near!;
    const selective = await this.findSelectiveDriver({ ...filters, near: undefined });
    const first = selective ? near.radius : Math.max(INITIAL_RADIUS_METERS, (after?.[0] ?? 0) * 1.5);
    for (let radius = Math.min(first, near.radius); ; radius = Math.min(2 * radius, near.radius)) {
      const ring = { ...filters, near: { ...near, radius } };
      const rows = this.buildRowQuery(selective ?? this.createAreaDriver(ring), ring, []);
      const sql = `SELECT s.seq, s.marker_id, s.lat_e7, s.lon_e7 ${rows.sql}`;
      const candidates = await query<SearchRow & { lat_e7: number; lon_e7: number }>(
        this.manager,
        sql,
        rows.parameters,
      );
      const hits = candidates
        .map((row) =>
          toHit(row.marker_id, computeDistanceMeters(near, { latE7: row.lat_e7, lonE7: row.lon_e7 }), row.seq),
        )
        .filter(({ position: [distance] }) => distance <= radius)
        .filter(isAfter(after));
      if (hits.length > limit || radius === near.radius) return hits.sort(compareHits).slice(0, limit + 1);
    }
  }

  private async findByUpdatedAt({ filters, after = [0, 0], limit }: MarkerSearchQuery): Promise<SearchHit[]> {
    const isAfterPosition = {
      sql: '(s.updated_at > :at OR (s.updated_at = :at AND s.seq > :seq))',
      parameters: { at: after[0], seq: after[1] },
    };
    const rows = this.buildRowQuery(
      (await this.findSelectiveDriver(filters)) ?? this.createTermDriver(filters),
      filters,
      [isAfterPosition],
    );
    const sql = `SELECT s.seq, s.marker_id, s.updated_at ${rows.sql} ORDER BY s.updated_at, s.seq LIMIT ${limit + 1}`;
    const results = await query<SearchRow & { updated_at: number | string }>(this.manager, sql, rows.parameters);
    return results.map(({ seq, marker_id, updated_at }) => toHit(marker_id, Number(updated_at), seq));
  }

  /**
   * Returns rows in order. `scannedUpTo` is the last row number of an incomplete scan, otherwise
   * null.
   */
  private async scanInOrder<More>(
    filters: MarkerFilters,
    after: number,
    limit: number,
    columns: string,
  ): Promise<{ rows: (SearchRow & More)[]; scannedUpTo: number | null }> {
    type Row = SearchRow & More;
    const fetch = async (driver: DrivingQuery): Promise<{ rows: Row[]; scannedUpTo: null }> => {
      const { sql, parameters } = this.buildRowQuery(this.restrictAfter(driver, after), filters, []);
      const all = `SELECT ${columns} ${sql} ${this.orderByClause} LIMIT ${limit}`;
      return { rows: await query<Row>(this.manager, all, parameters), scannedUpTo: null };
    };
    const selective = await this.findSelectiveDriver(filters);
    if (selective) return fetch(selective);

    if (filters.terms) {
      const { sql, parameters } = joinConditions(this.adapter.buildTermScan(filters.terms), buildConditions(filters));
      const page = `SELECT ${columns} ${sql} ${this.orderByClause} LIMIT ${limit}`;
      return { rows: await query<Row>(this.manager, page, { ...parameters, after }), scannedUpTo: null };
    }

    const { sql, parameters } = joinConditions(SCAN_WINDOW_SQL, buildConditions(filters));
    const last = await this.findMaxSeq();
    const rows: Row[] = [];
    let scannedUpTo = after;
    for (let windows = 0; windows < MAX_SCAN_WINDOWS && scannedUpTo < last && rows.length < limit; windows++) {
      const until = scannedUpTo + SCAN_WINDOW_ROWS;
      const page = `SELECT ${columns} ${sql} ORDER BY s.seq LIMIT ${limit - rows.length}`;
      rows.push(...(await query<Row>(this.manager, page, { ...parameters, after: scannedUpTo, until })));
      scannedUpTo = until;
      if (windows > 0 || rows.length >= limit || !getSearchAreas(filters)) continue;
      const areas = this.createAreaDriver(filters);
      if (await this.hasFewerRowsThan(this.adapter.maxRowsToSortAfterScan, areas)) return fetch(areas);
    }
    return { rows, scannedUpTo: rows.length < limit && scannedUpTo < last ? scannedUpTo : null };
  }

  /** FROM and WHERE of the rows of the driving query, or of all rows, that match the filters. */
  private buildRowQuery(
    driver: DrivingQuery | undefined,
    filters: MarkerFilters,
    additional: SqlFragment[],
  ): SqlFragment {
    const from = driver
      ? { ...driver, sql: `FROM (${driver.sql}) d CROSS JOIN marker_search s WHERE s.seq = d.seq` }
      : { sql: 'FROM marker_search s WHERE true', parameters: {} };
    const terms = filters.terms && driver?.source !== 'terms' ? [this.adapter.buildTermCondition(filters.terms)] : [];
    return joinConditions(from, [...buildConditions(filters), ...terms, ...additional]);
  }

  /** Returns a driving query with few rows, if there is one. */
  private async findSelectiveDriver(filters: MarkerFilters): Promise<DrivingQuery | undefined> {
    const drivers: DrivingQuery[] = toFacetGroups(filters).map((group) => ({
      ...selectByFacets(group),
      source: 'facets',
    }));
    if (getSearchAreas(filters)) drivers.push(this.createAreaDriver(filters));
    for (const driver of drivers) if (await this.hasFewerRowsThan(this.adapter.maxRowsToSort, driver)) return driver;
    return undefined;
  }

  /**
   * Restricts a driving query to the rows after a number, in order. Without LIMIT the subquery
   * would lose its order.
   */
  private restrictAfter(driver: DrivingQuery, after: number): DrivingQuery {
    const sql = `SELECT seq FROM (${driver.sql}) led WHERE seq > :after ORDER BY seq LIMIT ${MAX_SEQ}`;
    return { ...driver, sql, parameters: { ...driver.parameters, after } };
  }

  /** ORDER BY for rows that the driving query returns in order. */
  private get orderByClause(): string {
    return this.adapter.preservesOrder ? '' : 'ORDER BY s.seq';
  }

  private createTermDriver({ terms }: MarkerFilters): DrivingQuery | undefined {
    return terms && { ...this.adapter.selectByTerms(terms), source: 'terms' };
  }

  private createAreaDriver(filters: MarkerFilters): DrivingQuery {
    return { ...this.adapter.selectInAreas(getSearchAreas(filters)!), source: 'areas' };
  }

  private async hasFewerRowsThan(limit: number, { sql, parameters }: SqlFragment): Promise<boolean> {
    const counting = `SELECT count(*) AS n FROM (SELECT seq FROM (${sql}) d LIMIT ${limit}) probe`;
    const [row] = await query<{ n: number | string }>(this.manager, counting, parameters);
    return Number(row!.n) < limit;
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
    sql: [sql, ...conditions.map((condition) => condition.sql)].join(' AND '),
    parameters: Object.assign(
      {},
      parameters,
      ...conditions.map((condition) => condition.parameters),
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
