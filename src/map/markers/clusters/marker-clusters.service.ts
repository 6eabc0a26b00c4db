import { Injectable } from '@nestjs/common';
import type { Area } from '../../regions/geo.js';
import { toFilters } from '../marker-filters.js';
import { MarkerSearchService } from '../search/marker-search.service.js';
import type { MarkerFilters } from '../search/search-plan.js';
import { findContainedCells, findOverlappingCells, splitArea, subtractCells } from './area-geometry.js';
import { type CellSums, ClusterGrid } from './cluster-grid.js';
import type { MarkerCluster, MarkerClusters, MarkerClustersQuery } from './marker-clusters.dto.js';
import { MarkerClustersStore } from './marker-clusters.store.js';

/** The levels of the stored cells, from the largest cells to the smallest, and their distance. */
const LARGEST_LEVEL = 26;
const SMALLEST_LEVEL = 16;
const LEVEL_STEP = 2;

/** Stored cells of a level with more cells than this are summed up to larger cells. */
const MAX_STORED_CELLS = 2_000;

/** Limit of markers that a statement reads in a box. */
const MAX_MARKERS_PER_STATEMENT = 5_000;

/** Limit of markers that are read at one edge of a box, where stored cells extend beyond it. */
const MAX_MARKERS_AT_EDGE = 2_000;

/**
 * Groups the markers of a box by cells. Without filters, it uses the sums of the stored cells, and
 * reads only the markers at the edges of the box.
 */
@Injectable()
export class MarkerClustersService {
  constructor(
    private readonly store: MarkerClustersStore,
    private readonly search: MarkerSearchService,
  ) {}

  /** Returns the clusters of a box. Each marker that matches the filters is in one cluster. */
  async list({ zoom, ...query }: MarkerClustersQuery): Promise<MarkerClusters> {
    const { areas, ...filters } = toFilters(query);
    const grid = ClusterGrid.forZoom(zoom);
    const isFiltered = Object.keys(filters).length > 0;
    for (const [index, area] of areas!.entries()) {
      if (isFiltered) await this.addFilteredMarkers(grid, index, { ...filters, areas: [area] });
      else await this.addMarkers(grid, index, area);
    }
    return { data: await this.toClusters(grid.sums), zoom };
  }

  private async addMarkers(grid: ClusterGrid, index: number, area: Area): Promise<void> {
    if (await this.store.hasFewerMarkersThan(MAX_MARKERS_PER_STATEMENT, area)) {
      return this.addMarkersOfArea(grid, index, area);
    }
    const level = await this.chooseLevel(grid, area);
    await this.addCells(grid, index, area, level);
  }

  /**
   * Returns the level of the stored cells to sum up: the smallest one whose cells fit in the
   * response. Grows the cells of the grid to its size.
   */
  private async chooseLevel(grid: ClusterGrid, area: Area): Promise<number> {
    let level = LARGEST_LEVEL;
    while (level > grid.cellBits && level > SMALLEST_LEVEL) {
      const smaller = level - LEVEL_STEP;
      // One cell of the grid has four cells of half its width.
      const limit = smaller < grid.cellBits ? 4 * MAX_STORED_CELLS : MAX_STORED_CELLS;
      if ((await this.store.countCells(limit + 1, findOverlappingCells(area, smaller))) > limit) break;
      level = smaller;
    }
    grid.growTo(level);
    return level;
  }

  /** Adds the stored cells inside an area, and the markers between them and the edges. */
  private async addCells(grid: ClusterGrid, index: number, area: Area, level: number): Promise<void> {
    const contained = findContainedCells(area, level);
    const bits = grid.cellBits;
    if (contained) grid.add(index, bits, await this.store.sumCells(contained, bits));
    for (const edge of contained ? subtractCells(area, contained) : [area]) {
      if (level === SMALLEST_LEVEL || (await this.store.hasFewerMarkersThan(MAX_MARKERS_AT_EDGE, edge))) {
        await this.addMarkersOfArea(grid, index, edge);
      } else {
        await this.addCells(grid, index, edge, level - LEVEL_STEP);
      }
    }
  }

  private async addFilteredMarkers(grid: ClusterGrid, index: number, filters: MarkerFilters): Promise<void> {
    for await (const rows of this.search.readResults(filters)) {
      const bits = grid.cellBits;
      grid.add(index, bits, await this.store.sumMarkers(rows, bits));
    }
  }

  /** Adds the markers of an area, which is split if it has many. */
  private async addMarkersOfArea(grid: ClusterGrid, index: number, area: Area): Promise<void> {
    const parts = splitArea(area);
    if (parts && !(await this.store.hasFewerMarkersThan(MAX_MARKERS_PER_STATEMENT, area))) {
      for (const part of parts) await this.addMarkersOfArea(grid, index, part);
      return;
    }
    const bits = grid.cellBits;
    grid.add(index, bits, await this.store.sumMarkersInArea(area, bits));
  }

  private async toClusters(cells: CellSums[]): Promise<MarkerCluster[]> {
    const single = cells.filter(({ count }) => count === 1).map(({ rowNumberSum }) => rowNumberSum);
    const ids = await this.store.findMarkerIds(single);
    return cells.map(({ count, latSum, lonSum, rowNumberSum }) => {
      const markerId = count === 1 ? ids.get(rowNumberSum) : undefined;
      return { lat: toMean(latSum, count), lon: toMean(lonSum, count), count, ...(markerId && { markerId }) };
    });
  }
}

/** Returns a mean in degrees, with seven decimals. */
function toMean(sumE7: number, count: number): number {
  return Math.round(sumE7 / count) / 1e7;
}
