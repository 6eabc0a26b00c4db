import { Inject, Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { SEARCH_ADAPTER, type SearchAdapter } from './search-adapter.js';
import { LAST_CHARACTER } from './search-conditions.js';
import { SearchExecutorService } from './search-executor.service.js';
import type { MarkerFilters, MarkerSearchQuery, SearchHitPage, SqlFragment } from './search-plan.js';
import { planCount, planSearch } from './search-planner.js';

/** Counting stops at this number. */
const MAX_COUNTED_MATCHES = 10_000;

/**
 * Limit of words that replace the beginning of a word. `bench/README.md`: text, start of a word.
 */
const MAX_LAST_WORDS = 50;

/** A number of results. There can be more if it is a lower bound. */
export interface MatchCount {
  count: number;
  isLowerBound: boolean;
}

/** Searches markers: plans a search, and runs the plan. */
@Injectable()
export class MarkerSearchService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
    private readonly executor: SearchExecutorService,
  ) {}

  async find({ filters, ...search }: MarkerSearchQuery): Promise<SearchHitPage> {
    const plan = planSearch({ ...search, filters: await this.completeTerms(filters) }, this.adapter);
    return this.executor.find(plan, search.limit);
  }

  /** Counts the results, up to 10,000. */
  async count(filters: MarkerFilters): Promise<MatchCount> {
    const plan = planCount(await this.completeTerms(filters), this.adapter);
    const { count, isComplete } = await this.executor.count(plan, MAX_COUNTED_MATCHES + 1);
    return { count: Math.min(count, MAX_COUNTED_MATCHES), isLowerBound: !isComplete };
  }

  /** Returns FROM and WHERE of the statements that together read all results, as rows `s`. */
  async *readResults(filters: MarkerFilters): AsyncGenerator<SqlFragment> {
    yield* this.executor.readBatches(planCount(await this.completeTerms(filters), this.adapter).steps);
  }

  /**
   * Adds the words of the index that complete the last word of the terms, if they are few: the
   * index of terms finds the rows of a word faster than those of the beginning of a word.
   */
  private async completeTerms(filters: MarkerFilters): Promise<MarkerFilters> {
    const last = filters.terms?.at(-1);
    if (last === undefined) return filters;
    const start = last.slice(last.lastIndexOf(' ') + 1);
    const sql = `SELECT word FROM marker_words WHERE word >= :start AND word < :end LIMIT ${MAX_LAST_WORDS + 1}`;
    const rows = await query<{ word: string }>(this.manager, sql, { start, end: start + LAST_CHARACTER });
    return rows.length > MAX_LAST_WORDS ? filters : { ...filters, lastWords: rows.map(({ word }) => word) };
  }
}
