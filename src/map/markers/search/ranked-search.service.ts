import { Inject, Injectable } from '@nestjs/common';
import { computeDistanceMeters } from '../../regions/geo.js';
import { ALL_ROWS, MAX_SEQ, type RowSource, SORTED_BY_SEQ } from './row-source.js';
import { SEARCH_ADAPTER, type SearchAdapter, TEXT_FIELD_COUNT } from './search-adapter.js';
import { buildConditions } from './search-conditions.js';
import type { SearchPace } from './search-pace.js';
import { SearchPlanner, type SearchPlan, toTextMatch } from './search-planner.service.js';
import { SearchReader } from './search-reader.service.js';
import {
  createPage,
  type MarkerFilters,
  type MarkerSearchQuery,
  type SearchHit,
  type SearchHitPage,
  type SearchRow,
  type SqlFragment,
} from './search.types.js';
import { buildTitleEquals, buildTitleStarts } from './title-match.js';

/** Ranks of titles: the title equals the terms, starts with them, or contains them. */
const TITLE_EQUALS = 0;
const TITLE_STARTS = 1;
const TITLE_CONTAINS = 2;

/** The rank of a marker whose terms are in all fields together. Each field has its rank. */
export const LAST_RANK = TITLE_CONTAINS + TEXT_FIELD_COUNT - 1;

/** First window of the rows with equal titles, which an index has in order. */
const FIRST_WINDOW = 200_000;

interface LocatedRow extends SearchRow {
  lat_e7: number;
  lon_e7: number;
}

interface RankedRow extends LocatedRow {
  rank: number;
}

/**
 * Finds markers by relevance. The rank of a marker is the number of its fields, in the order of
 * their weight, that together contain all terms; titles have two better ranks. Equal ranks are
 * sorted by distance, if the search has a point, and by row number.
 */
@Injectable()
export class RankedSearch {
  constructor(
    private readonly planner: SearchPlanner,
    private readonly reader: SearchReader,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  /** Ranks all matches if they are few; otherwise reads the ranks one after the other. */
  async find(search: MarkerSearchQuery, pace: SearchPace): Promise<SearchHitPage> {
    const plan = await this.planner.findSelective(search.filters, this.getMaxRowsToRank(search.filters));
    return (plan && (await this.rankAll(search, plan, pace))) ?? this.readRanks(search, pace);
  }

  /**
   * Reading rank by rank reads the index of every word for every rank. So with more words, ranking
   * more rows takes the same time.
   */
  private getMaxRowsToRank({ terms }: MarkerFilters): number {
    const { maxRowsToRank } = this.adapter;
    return new Set(terms).size > 2 ? Math.ceil(1.5 * maxRowsToRank) : maxRowsToRank;
  }

  /** Ranks all rows of a plan; returns undefined if there are more than estimated. */
  private async rankAll(
    { filters, after, limit }: MarkerSearchQuery,
    plan: SearchPlan,
    pace: SearchPace,
  ): Promise<SearchHitPage | undefined> {
    const rank = this.buildRank(filters);
    const maxRows = plan.sources[0]!.maxRows ?? MAX_SEQ;
    const hits: SearchHit[] = [];
    for await (const { sql, parameters } of this.reader.readParts(plan, 0, pace)) {
      const part = { sql, parameters: { ...parameters, ...rank.parameters } };
      if (filters.near) {
        const columns = `, s.lat_e7, s.lon_e7, ${rank.sql} AS rank`;
        const rows = await this.reader.select<RankedRow>(part, columns, `LIMIT ${maxRows + 1}`);
        if (rows.length > maxRows) return undefined;
        hits.push(...rows.flatMap((row) => toNearHits(row, row.rank, filters.near!)));
      } else {
        const rows = await this.reader.selectByRank(part, rank.sql, { after, limit: limit + 1, maxRows });
        if (!rows) return undefined;
        hits.push(...rows.map((row) => ({ id: row.marker_id, position: [row.rank, row.seq] })));
      }
    }
    return createPage(hits, after, limit);
  }

  private async readRanks({ filters, after, limit }: MarkerSearchQuery, pace: SearchPace): Promise<SearchHitPage> {
    const hits: SearchHit[] = [];
    for (let rank = after?.[0] ?? TITLE_EQUALS; rank <= LAST_RANK; rank++) {
      const plan = await this.planRank(filters, rank);
      await pace.pause();
      if (!plan) continue;
      const isContinued = rank === after?.[0];
      const remaining = limit + 1 - hits.length;
      if (filters.near) {
        const page = createPage(
          await this.readNear(filters, plan, rank, pace),
          isContinued ? after : undefined,
          remaining,
        );
        hits.push(...page.hits);
      } else {
        const { rows, readUpTo } = await this.reader.readInOrder(
          plan,
          isContinued ? after.at(-1)! : 0,
          remaining,
          pace,
        );
        hits.push(...rows.map((row) => ({ id: row.marker_id, position: [rank, row.seq] })));
        if (readUpTo !== null && hits.length <= limit) return { hits, next: [rank, readUpTo] };
      }
      if (hits.length > limit) return { hits: hits.slice(0, limit), next: hits[limit - 1]!.position };
    }
    return { hits, next: null };
  }

  private async readNear(
    filters: MarkerFilters,
    plan: SearchPlan,
    rank: number,
    pace: SearchPace,
  ): Promise<SearchHit[]> {
    const hits: SearchHit[] = [];
    for await (const part of this.reader.readParts(plan, 0, pace)) {
      const rows = await this.reader.select<LocatedRow>(part, ', s.lat_e7, s.lon_e7');
      hits.push(...rows.flatMap((row) => toNearHits(row, rank, filters.near!)));
    }
    return hits;
  }

  /** Returns the plan that reads the rows of one rank; undefined if it is known to have none. */
  private async planRank(filters: MarkerFilters, rank: number): Promise<SearchPlan | undefined> {
    const terms = filters.terms!;
    const [equals, starts] = [buildTitleEquals(terms), buildTitleStarts(terms)];
    const create = (source: RowSource, ...conditions: SqlFragment[]): SearchPlan => ({
      sources: [source],
      conditions: [...buildConditions(filters), ...conditions],
    });
    if (rank === TITLE_EQUALS) return create(createTitleSource(equals, FIRST_WINDOW));
    const titles = { sql: `SELECT s.seq FROM marker_search s WHERE ${starts.sql}`, parameters: starts.parameters };
    if (rank === TITLE_STARTS && (await this.planner.hasFewMatches(titles)))
      return create(createTitleSource(starts), negate(equals));
    if (rank === TITLE_STARTS && !this.adapter.readsTermsInOrder) return create(ALL_ROWS, starts, negate(equals));
    const fields = Math.max(1, rank - TITLE_STARTS);
    const { lastWords } = filters;
    const match = { terms, ...(lastWords && { lastWords }), fields, exceptFields: fields - 1 };
    const conditions =
      rank === TITLE_STARTS ? [starts, negate(equals)] : rank === TITLE_CONTAINS ? [negate(starts)] : [];
    if (await this.planner.isKnownEmpty(match)) return undefined;
    const source = await this.planner.findTermSource(match);
    if (source !== ALL_ROWS) return create(source, ...conditions);
    const scan = create(ALL_ROWS, this.adapter.buildTermCondition(match), ...conditions);
    const indexed = create(this.adapter.createTermSource(match), ...conditions);
    return { ...scan, findBetter: () => Promise.resolve(indexed) };
  }

  /** SQL expression for the rank of the row `s`, which contains all terms. */
  private buildRank(filters: MarkerFilters): SqlFragment {
    const terms = filters.terms!;
    const [equals, starts] = [buildTitleEquals(terms), buildTitleStarts(terms)];
    const fieldCount = this.adapter.buildFieldCount(toTextMatch(filters)!);
    return {
      sql: `CASE WHEN ${equals.sql} THEN ${TITLE_EQUALS} WHEN ${starts.sql} THEN ${TITLE_STARTS}
        ELSE ${TITLE_STARTS} + ${fieldCount.sql} END`,
      parameters: { ...starts.parameters, ...fieldCount.parameters },
    };
  }
}

function createTitleSource({ sql, parameters }: SqlFragment, firstWindow?: number): RowSource {
  if (!firstWindow) return { sql: `FROM marker_search s WHERE ${sql}`, parameters, order: SORTED_BY_SEQ };
  const window = 's.seq > :after AND s.seq <= :until';
  return { sql: `FROM marker_search s WHERE ${sql} AND ${window}`, parameters, order: 's.seq', firstWindow };
}

function negate({ sql, parameters }: SqlFragment): SqlFragment {
  return { sql: `NOT (${sql})`, parameters };
}

/** Returns the hit of a row; none if it is not in the circle of the search. */
function toNearHits(
  { marker_id: id, seq, lat_e7: latE7, lon_e7: lonE7 }: LocatedRow,
  rank: number,
  near: NonNullable<MarkerFilters['near']>,
): SearchHit[] {
  const distance = computeDistanceMeters(near, { latE7, lonE7 });
  return distance <= near.radius ? [{ id, position: [rank, distance, seq], distance }] : [];
}
