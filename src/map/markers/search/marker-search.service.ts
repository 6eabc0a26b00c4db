import { Injectable } from '@nestjs/common';
import { NearestSearch } from './nearest-search.service.js';
import { RankedSearch } from './ranked-search.service.js';
import { RecentSearch } from './recent-search.service.js';
import { SearchPace } from './search-pace.js';
import { SearchPlanner } from './search-planner.service.js';
import { SearchReader } from './search-reader.service.js';
import type { MarkerFilters, MarkerSearchQuery, SearchHitPage } from './search.types.js';

/** Counting stops at this number. */
const MAX_COUNTED_MATCHES = 10_000;

/** A number of results. There can be more if it is a lower bound. */
export interface MatchCount {
  count: number;
  isLowerBound: boolean;
}

/** Searches markers. */
@Injectable()
export class MarkerSearchService {
  constructor(
    private readonly planner: SearchPlanner,
    private readonly reader: SearchReader,
    private readonly ranked: RankedSearch,
    private readonly nearest: NearestSearch,
    private readonly recent: RecentSearch,
  ) {}

  /** Returns a page of results. */
  async find({ filters, ...query }: MarkerSearchQuery): Promise<SearchHitPage> {
    const search = { ...query, filters: await this.planner.completeTerms(filters) };
    const pace = new SearchPace();
    if (search.sort === 'relevance') return this.ranked.find(search, pace);
    if (search.sort === 'distance') return this.nearest.find(search, pace);
    return search.sort === 'updatedAt' ? this.recent.find(search, pace) : this.findInOrder(search, pace);
  }

  /** Counts the results, up to 10,000. */
  async count(query: MarkerFilters): Promise<MatchCount> {
    const filters = await this.planner.completeTerms(query);
    const [pace, limit] = [new SearchPace(), MAX_COUNTED_MATCHES + 1];
    const { count, isComplete } = filters.near
      ? await this.nearest.count(filters, limit, pace)
      : await this.reader.count(await this.planner.chooseToCount(filters), limit, pace);
    return { count: Math.min(count, MAX_COUNTED_MATCHES), isLowerBound: !isComplete };
  }

  /** Finds markers in the order of insertion. */
  private async findInOrder(
    { filters, after = [0], limit }: MarkerSearchQuery,
    pace: SearchPace,
  ): Promise<SearchHitPage> {
    const plan = await this.planner.choose(filters);
    const { rows, readUpTo } = await this.reader.readInOrder(plan, after[0]!, limit + 1, pace);
    const hits = rows.slice(0, limit).map(({ seq, marker_id }) => ({ id: marker_id, position: [seq] }));
    if (rows.length > limit) return { hits, next: hits.at(-1)!.position };
    return { hits, next: readUpTo === null ? null : [readUpTo] };
  }
}
