import { Injectable } from '@nestjs/common';
import { computeDistanceMeters } from '../../regions/geo.js';
import type { SearchPace } from './search-pace.js';
import { SearchPlanner } from './search-planner.service.js';
import { SearchReader } from './search-reader.service.js';
import {
  createPage,
  type MarkerFilters,
  type MarkerSearchQuery,
  type SearchHit,
  type SearchHitPage,
} from './search.types.js';

/** First radius of a search by distance. */
const INITIAL_RADIUS_METERS = 250;

/** Finds markers by distance. */
@Injectable()
export class NearestSearch {
  constructor(
    private readonly planner: SearchPlanner,
    private readonly reader: SearchReader,
  ) {}

  /** Doubles the radius until there are enough results. */
  async find({ filters, after, limit }: MarkerSearchQuery, pace: SearchPace): Promise<SearchHitPage> {
    const near = filters.near!;
    const { near: _, ...others } = filters;
    const isSelective = (await this.planner.findSelective(others)) !== undefined;
    const first = isSelective ? near.radius : Math.max(INITIAL_RADIUS_METERS, (after?.[0] ?? 0) * 1.5);
    for (let radius = Math.min(first, near.radius); ; radius = Math.min(2 * radius, near.radius)) {
      const page = createPage(await this.readCircle({ ...filters, near: { ...near, radius } }, pace), after, limit);
      if (page.next !== null || radius === near.radius) return page;
    }
  }

  /** Counts the markers in the circle up to a limit. */
  async count(
    filters: MarkerFilters,
    limit: number,
    pace: SearchPace,
  ): Promise<{ count: number; isComplete: boolean }> {
    const hits = await this.readCircle(filters, pace, limit);
    return { count: hits.length, isComplete: hits.length < limit };
  }

  /** Returns the markers in the circle in no order: all of them, or at least `limit`. */
  private async readCircle(filters: MarkerFilters, pace: SearchPace, limit = Infinity): Promise<SearchHit[]> {
    const near = filters.near!;
    const plan = (await this.planner.findSelective(filters)) ?? this.planner.createAreaPlan(filters);
    const hits: SearchHit[] = [];
    for await (const part of this.reader.readParts(plan, 0, pace)) {
      const rows = await this.reader.select<{ lat_e7: number; lon_e7: number }>(part, ', s.lat_e7, s.lon_e7');
      for (const { seq, marker_id, lat_e7, lon_e7 } of rows) {
        const distance = computeDistanceMeters(near, { latE7: lat_e7, lonE7: lon_e7 });
        if (distance <= near.radius) hits.push({ id: marker_id, position: [distance, seq], distance });
      }
      if (hits.length >= limit) break;
    }
    return hits;
  }
}
