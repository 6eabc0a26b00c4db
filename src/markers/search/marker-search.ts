import { Inject, Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../../database/query.js';
import { rankOf } from '../../search/rank.js';
import { areasOfSearch, conditionsOf, facetsOf, withFacets } from './conditions.js';
import { distanceBetween } from './places.js';
import { SEARCH_ADAPTER, type SearchAdapter } from './search-adapter.js';
import type { FoundRow, Hit, Hits, MarkerFilters, MarkerSort, Piece, Position } from './search.js';

/** What is searched for, in which order, from where, and how much of it. */
export interface Search {
  filters: MarkerFilters;
  sort: MarkerSort;
  after?: Position | undefined;
  limit: number;
}

/** How many rows are walked at a time, and how often, until a page is given out that is not full. */
const WINDOW = 25_000;
const WINDOWS = 8;

/** How many matches are ranked: the first, in the order in which they came onto the map. */
const RANKED = 500;

/** Metres around a place that are looked at first. */
const FIRST_RING = 250;

/** The highest number of a row. */
const LAST = 2 ** 31 - 1;

/** More than this many are not counted. */
const MOST_COUNTED = 10_000;

/** The rows of a window of the map. */
const EVERY_ROW: Piece = { sql: 'FROM marker_search s WHERE s.seq > :after AND s.seq <= :until', parameters: {} };

/** What leads to the rows of a search. */
interface Driver extends Piece {
  /** What it stands for, so that it need not be asked again. */
  by: 'facets' | 'terms' | 'areas';
}

/**
 * Finds markers. No plan is right for all boxes, and planners are wrong about them; so it is asked first how much there
 * is in one: what is rare is fetched and sorted, and what is common is walked in order until a page is full. Words lead to
 * their rows in order by themselves.
 */
@Injectable()
export class MarkerSearch {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  async find(search: Search): Promise<Hits> {
    if (search.sort === 'id') return this.inOrder(search);
    const sorted = await this.sorted(search);
    const hits = sorted.slice(0, search.limit);
    return { hits, next: sorted.length > hits.length ? hits.at(-1)!.position : null };
  }

  /** How many there are, up to ten thousand. */
  async count(filters: MarkerFilters): Promise<{ count: number; isCapped: boolean }> {
    if (filters.near) return capped((await this.nearest({ filters, sort: 'distance', limit: MOST_COUNTED })).length);
    const rows = this.rowsOf((await this.rare(filters)) ?? this.byTerms(filters), filters, []);
    const sql = `SELECT count(*) AS n FROM (SELECT s.seq ${rows.sql} LIMIT ${MOST_COUNTED + 1}) counted`;
    const [row] = await query<{ n: number | string }>(this.manager, sql, rows.parameters);
    return capped(Number(row!.n));
  }

  private sorted(search: Search): Promise<Hit[]> {
    if (search.sort === 'distance') return this.nearest(search);
    return search.sort === 'relevance' ? this.ranked(search) : this.recent(search);
  }

  /** In the order in which they came onto the map. */
  private async inOrder({ filters, after = [0, 0], limit }: Search): Promise<Hits> {
    const { rows, reached } = await this.walk(filters, after[1], limit + 1, 's.seq, s.marker_id');
    const hits = rows.slice(0, limit).map(({ seq, marker_id }) => hitOf(marker_id, seq, seq));
    if (rows.length > limit) return { hits, next: hits.at(-1)!.position };
    return { hits, next: reached === null ? null : [reached, reached] };
  }

  /** By how well they fit, of the first that do. */
  private async ranked({ filters, after, limit }: Search): Promise<Hit[]> {
    const columns = `s.seq, s.marker_id, ${this.adapter.words} AS words`;
    const { rows } = await this.walk<{ words: string }>(filters, 0, RANKED, columns);
    return rows
      .map(({ seq, marker_id, words }) => hitOf(marker_id, -rankOf(words, filters.terms!), seq))
      .sort(inOrderOfPosition)
      .filter(isAfter(after))
      .slice(0, limit + 1);
  }

  /** By distance: in rings that widen until there are enough. */
  private async nearest({ filters, after, limit }: Search): Promise<Hit[]> {
    const near = filters.near!;
    const rare = await this.rare({ ...filters, near: undefined });
    const first = rare ? near.radius : Math.max(FIRST_RING, (after?.[0] ?? 0) * 1.5);
    for (let radius = Math.min(first, near.radius); ; radius = Math.min(2 * radius, near.radius)) {
      const ring = { ...filters, near: { ...near, radius } };
      const rows = this.rowsOf(rare ?? this.byAreas(ring), ring, []);
      const sql = `SELECT s.seq, s.marker_id, s.lat_e7, s.lon_e7 ${rows.sql}`;
      const found = await query<FoundRow & { lat_e7: number; lon_e7: number }>(this.manager, sql, rows.parameters);
      const hits = found
        .map((row) => hitOf(row.marker_id, distanceBetween(near, { latE7: row.lat_e7, lonE7: row.lon_e7 }), row.seq))
        .filter(({ position: [distance] }) => distance <= radius)
        .filter(isAfter(after));
      if (hits.length > limit || radius === near.radius) return hits.sort(inOrderOfPosition).slice(0, limit + 1);
    }
  }

  /** By when they were last changed. */
  private async recent({ filters, after = [0, 0], limit }: Search): Promise<Hit[]> {
    const on = {
      sql: '(s.updated_at > :at OR (s.updated_at = :at AND s.seq > :seq))',
      parameters: { at: after[0], seq: after[1] },
    };
    const rows = this.rowsOf((await this.rare(filters)) ?? this.byTerms(filters), filters, [on]);
    const sql = `SELECT s.seq, s.marker_id, s.updated_at ${rows.sql} ORDER BY s.updated_at, s.seq LIMIT ${limit + 1}`;
    const found = await query<FoundRow & { updated_at: number | string }>(this.manager, sql, rows.parameters);
    return found.map(({ seq, marker_id, updated_at }) => hitOf(marker_id, Number(updated_at), seq));
  }

  /** Rows in order. `reached` is how far it looked, where it gave up before the end. */
  private async walk<More>(
    filters: MarkerFilters,
    after: number,
    limit: number,
    columns: string,
  ): Promise<{ rows: (FoundRow & More)[]; reached: number | null }> {
    type Row = FoundRow & More;
    const fetch = async (driver: Driver): Promise<{ rows: Row[]; reached: null }> => {
      const { sql, parameters } = this.rowsOf(this.beyond(driver, after), filters, []);
      const all = `SELECT ${columns} ${sql} ${this.order} LIMIT ${limit}`;
      return { rows: await query<Row>(this.manager, all, parameters), reached: null };
    };
    const rare = await this.rare(filters);
    if (rare) return fetch(rare);

    if (filters.terms) {
      const { sql, parameters } = join(this.adapter.walkTerms(filters.terms), conditionsOf(filters));
      const page = `SELECT ${columns} ${sql} ${this.order} LIMIT ${limit}`;
      return { rows: await query<Row>(this.manager, page, { ...parameters, after }), reached: null };
    }

    const { sql, parameters } = join(EVERY_ROW, conditionsOf(filters));
    const last = await this.last();
    const rows: Row[] = [];
    let reached = after;
    for (let windows = 0; windows < WINDOWS && reached < last && rows.length < limit; windows++) {
      const until = reached + WINDOW;
      const page = `SELECT ${columns} ${sql} ORDER BY s.seq LIMIT ${limit - rows.length}`;
      rows.push(...(await query<Row>(this.manager, page, { ...parameters, after: reached, until })));
      reached = until;
      if (windows > 0 || rows.length >= limit || !areasOfSearch(filters)) continue;
      const areas = this.byAreas(filters);
      if (await this.isFewerThan(this.adapter.many, areas)) return fetch(areas);
    }
    return { rows, reached: rows.length < limit && reached < last ? reached : null };
  }

  /** The rows of a search: those that a driver leads to, or all, that fulfil the conditions. */
  private rowsOf(driver: Driver | undefined, filters: MarkerFilters, more: Piece[]): Piece {
    const from = driver
      ? { ...driver, sql: `FROM (${driver.sql}) d CROSS JOIN marker_search s WHERE s.seq = d.seq` }
      : { sql: 'FROM marker_search s WHERE true', parameters: {} };
    const terms = filters.terms && driver?.by !== 'terms' ? [this.adapter.hasTerms(filters.terms)] : [];
    return join(from, [...conditionsOf(filters), ...terms, ...more]);
  }

  /** What leads to few rows, if anything does. */
  private async rare(filters: MarkerFilters): Promise<Driver | undefined> {
    const drivers: Driver[] = facetsOf(filters).map((group) => ({ ...withFacets(group), by: 'facets' }));
    if (areasOfSearch(filters)) drivers.push(this.byAreas(filters));
    for (const driver of drivers) if (await this.isFewerThan(this.adapter.few, driver)) return driver;
    return undefined;
  }

  /** What leads to rows after one, in order; a subquery without a limit would lose its order. */
  private beyond(driver: Driver, after: number): Driver {
    const sql = `SELECT seq FROM (${driver.sql}) led WHERE seq > :after ORDER BY seq LIMIT ${LAST}`;
    return { ...driver, sql, parameters: { ...driver.parameters, after } };
  }

  /** To be said of rows that what leads to them has in order. */
  private get order(): string {
    return this.adapter.keepsOrder ? '' : 'ORDER BY s.seq';
  }

  private byTerms({ terms }: MarkerFilters): Driver | undefined {
    return terms && { ...this.adapter.withTerms(terms), by: 'terms' };
  }

  private byAreas(filters: MarkerFilters): Driver {
    return { ...this.adapter.inAreas(areasOfSearch(filters)!), by: 'areas' };
  }

  private async isFewerThan(most: number, { sql, parameters }: Piece): Promise<boolean> {
    const counting = `SELECT count(*) AS n FROM (SELECT seq FROM (${sql}) d LIMIT ${most}) probe`;
    const [row] = await query<{ n: number | string }>(this.manager, counting, parameters);
    return Number(row!.n) < most;
  }

  private async last(): Promise<number> {
    const [row] = await query<{ last: number | null }>(this.manager, 'SELECT max(seq) AS last FROM marker_search');
    return row!.last ?? 0;
  }
}

function capped(count: number): { count: number; isCapped: boolean } {
  return { count: Math.min(count, MOST_COUNTED), isCapped: count > MOST_COUNTED };
}

function join({ sql, parameters }: Piece, conditions: Piece[]): Piece {
  return {
    sql: [sql, ...conditions.map((piece) => piece.sql)].join(' AND '),
    parameters: Object.assign({}, parameters, ...conditions.map((piece) => piece.parameters)) as Piece['parameters'],
  };
}

function hitOf(id: string, value: number, seq: number): Hit {
  return { id, position: [value, seq] };
}

function inOrderOfPosition({ position: one }: Hit, { position: other }: Hit): number {
  return one[0] - other[0] || one[1] - other[1];
}

function isAfter(after: Position | undefined): (hit: Hit) => boolean {
  return ({ position: [value, seq] }) => !after || value > after[0] || (value === after[0] && seq > after[1]);
}
