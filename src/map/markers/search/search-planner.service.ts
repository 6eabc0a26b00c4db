import { Inject, Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { listRows } from './row-list.js';
import { ALL_ROWS, createListedSource, createSortedSource, createSource, type RowSource } from './row-source.js';
import { SEARCH_ADAPTER, type SearchAdapter, TEXT_FIELD_COUNT, type TextMatch } from './search-adapter.js';
import {
  buildConditions,
  createFacetSource,
  getSearchAreas,
  selectByFacets,
  splitAreas,
  toFacetGroups,
} from './search-conditions.js';
import type { MarkerFilters, SqlFragment } from './search.types.js';
import { LAST_CHARACTER } from './title-match.js';

/** Limit of words that replace the beginning of a word. */
const MAX_LAST_WORDS = 50;

/**
 * PostgreSQL estimates too few rows for words that often occur together. If it estimates so many
 * rows, a search in order first reads the matches in a window, which has a page of 100 in a map of
 * a million markers.
 */
const MIN_ROWS_FOR_WINDOW = 2_000;
const PAGE_WINDOW = 50_000;

/** The answer of PostgreSQL to EXPLAIN. */
interface QueryPlan {
  'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
}

/** Where a search finds its rows, and what it checks of each row. */
export interface SearchPlan {
  /** Sources that have no row in common. Only a single source has windows. */
  sources: RowSource[];
  conditions: SqlFragment[];
  /** Returns a better plan, if there is one, when the first window does not fill the page. */
  findBetter?: () => Promise<SearchPlan | undefined>;
}

/**
 * Chooses where a search reads its rows. No query plan is fast for all boxes, and query planners
 * choose badly between them. So the planner first counts the rows of an index up to a limit. Few
 * rows are read and sorted; many rows are read in order, in windows, until a page is full.
 */
@Injectable()
export class SearchPlanner {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  /** Chooses the plan: few rows, or rows in windows. */
  async choose(filters: MarkerFilters): Promise<SearchPlan> {
    return (await this.findSelective(filters)) ?? this.createWindowedPlan(filters);
  }

  /** Chooses the plan for a count, which needs no order. */
  async chooseToCount(filters: MarkerFilters): Promise<SearchPlan> {
    const selective = await this.findSelective(filters);
    if (selective) return selective;
    if (await this.findAreaPlan(filters)) return this.createAreaPlan(filters);
    const match = toTextMatch(filters);
    return match ? this.createPlan([this.adapter.createTermSource(match)], filters) : this.createWindowedPlan(filters);
  }

  /**
   * Adds the words of the index that complete the last word of the terms, if they are few: the
   * index of terms finds the rows of a word faster than those of the beginning of a word.
   */
  async completeTerms(filters: MarkerFilters): Promise<MarkerFilters> {
    const last = filters.terms?.at(-1);
    if (last === undefined) return filters;
    const start = last.slice(last.lastIndexOf(' ') + 1);
    const sql = `SELECT word FROM marker_words WHERE word >= :start AND word < :end LIMIT ${MAX_LAST_WORDS + 1}`;
    const rows = await query<{ word: string }>(this.manager, sql, { start, end: start + LAST_CHARACTER });
    return rows.length > MAX_LAST_WORDS ? filters : { ...filters, lastWords: rows.map(({ word }) => word) };
  }

  /**
   * Returns a plan that reads few rows, if there is one.
   * @param maxTermRows from this number on, rows with the terms are many
   */
  async findSelective(filters: MarkerFilters, maxTermRows?: number): Promise<SearchPlan | undefined> {
    const match = toTextMatch(filters);
    const termSource = match && (await this.findFewMatches(match, maxTermRows));
    if (termSource) return this.createPlan([termSource], filters);
    for (const group of toFacetGroups(filters)) {
      const { sql, parameters } = selectByFacets(group);
      if (!(await this.hasFewRows({ sql, parameters }))) continue;
      return this.createPlan([createSortedSource({ sql: `SELECT DISTINCT seq FROM (${sql}) f`, parameters })], filters);
    }
    const areas = getSearchAreas(filters);
    if (!areas || !(await this.hasFewRows(this.adapter.selectInAreas(areas)))) return undefined;
    return this.createPlan([createSortedSource(this.adapter.selectInAreas(areas), 'areas')], filters);
  }

  /** Returns a plan that reads all rows of the areas, in several statements. */
  createAreaPlan(filters: MarkerFilters): SearchPlan {
    const strips = splitAreas(getSearchAreas(filters)!, this.adapter.areaStripCount);
    const sources = strips.map((areas) => createSource(this.adapter.selectInAreas(areas), 'areas'));
    return this.createPlan(sources, filters);
  }

  /** Returns a plan that reads the rows of areas with a moderate number of rows. */
  async findAreaPlan(filters: MarkerFilters): Promise<SearchPlan | undefined> {
    const areas = getSearchAreas(filters);
    if (!areas) return undefined;
    const rows = this.adapter.selectInAreas(areas);
    if (!(await this.hasFewRows(rows, this.adapter.maxRowsToSortAfterScan))) return undefined;
    return this.createPlan([createSortedSource(rows, 'areas')], filters);
  }

  /** Returns the source of the rows that match terms: from the index of terms, or in windows. */
  async findTermSource(match: TextMatch): Promise<RowSource> {
    if (this.adapter.readsTermsInOrder) return this.adapter.createTermSource(match);
    return (await this.findFewMatches(match)) ?? ALL_ROWS;
  }

  private createWindowedPlan(filters: MarkerFilters): SearchPlan {
    const match = toTextMatch(filters);
    if (match && this.adapter.readsTermsInOrder)
      return this.createPlan([this.adapter.createTermSource(match)], filters);
    const [group] = toFacetGroups(filters);
    const plan = this.createPlan([group ? createFacetSource(group) : ALL_ROWS], filters);
    const termPlan = match && this.createPlan([this.adapter.createTermSource(match)], filters);
    return { ...plan, findBetter: async () => (await this.findAreaPlan(filters)) ?? termPlan };
  }

  /** Returns a plan with the conditions that its sources do not cover. */
  createPlan(sources: RowSource[], filters: MarkerFilters): SearchPlan {
    const { covers } = sources[0]!;
    const { areas: _, near: __, ...withoutAreas } = filters;
    const match = toTextMatch(filters);
    const terms = match && covers !== 'terms' ? [this.adapter.buildTermCondition(match)] : [];
    return { sources, conditions: [...buildConditions(covers === 'areas' ? withoutAreas : filters), ...terms] };
  }

  /**
   * Whether no row has the terms in the first fields, so that none has them if fields are excluded.
   * It is never known on PostgreSQL, where this takes as long as the search. FTS5 needs longer to
   * exclude fields than to find the terms.
   */
  async isKnownEmpty(match: TextMatch): Promise<boolean> {
    if (!this.adapter.readsTermsInOrder) return false;
    return this.hasFewRows(this.adapter.selectByTerms({ ...match, exceptFields: 0 }), 1);
  }

  /** Whether a query of texts selects few rows, which PostgreSQL estimates. */
  async hasFewMatches(rows: SqlFragment): Promise<boolean> {
    if (!this.adapter.hasRowEstimates) return this.hasFewRows(rows);
    return (await this.estimateRows(rows)) < this.adapter.maxRowsToSort;
  }

  /** Returns the source of the rows that match terms, if they are few. */
  private async findFewMatches(
    match: TextMatch,
    limit: number = this.adapter.maxRowsToSort,
  ): Promise<RowSource | undefined> {
    const found = this.adapter.selectByTerms(match);
    if (!this.adapter.hasRowEstimates) {
      const { seqs, last } = await listRows(this.manager, found, limit);
      return last === null ? createListedSource({ parameters: { seqs }, covers: 'terms' }) : undefined;
    }
    const estimate = await this.estimateRows(found);
    if (estimate >= limit) return undefined;
    const source = { ...this.adapter.createTermSource(match), maxRows: limit };
    return estimate < MIN_ROWS_FOR_WINDOW ? source : { ...source, pageWindow: PAGE_WINDOW };
  }

  /** Whether a query selects fewer rows than a limit. */
  async hasFewRows({ sql, parameters }: SqlFragment, limit: number = this.adapter.maxRowsToSort): Promise<boolean> {
    const counting = `SELECT count(*) AS n FROM (SELECT seq FROM (${sql}) d LIMIT ${limit}) probe`;
    const [row] = await query<{ n: number | string }>(this.manager, counting, parameters);
    return Number(row!.n) < limit;
  }

  private async estimateRows({ sql, parameters }: SqlFragment): Promise<number> {
    const [explained] = await query<QueryPlan>(this.manager, `EXPLAIN (FORMAT JSON) ${sql}`, parameters);
    return explained!['QUERY PLAN'][0].Plan['Plan Rows'];
  }
}

/** Returns the match of the terms in all fields; undefined without terms. */
export function toTextMatch({ terms, lastWords }: MarkerFilters): TextMatch | undefined {
  return terms && { terms, ...(lastWords && { lastWords }), fields: TEXT_FIELD_COUNT };
}
