import { Inject, Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { setImmediate as yieldToOtherRequests } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import type { Area } from '../../regions/geo.js';
import { SEARCH_ADAPTER, type SearchAdapter } from '../search/search-adapter.js';
import { createRows } from '../search/search-conditions.js';
import type { SqlFragment } from '../search/search-plan.js';
import type { CellRange } from './area-geometry.js';
import type { CellSums } from './cluster-grid.js';

/** The columns of a cell, which PostgreSQL returns as text. */
type CellRow = Record<'x' | 'y' | 'count' | 'lat_sum' | 'lon_sum' | 'row_number_sum', number | string>;

/** The columns of cells that are summed up from the rows `s` of markers. */
function selectCells(bits: number): string {
  return `SELECT (CAST(s.lon_e7 AS bigint) + 1800000000) >> ${bits} AS x,
      (CAST(s.lat_e7 AS bigint) + 900000000) >> ${bits} AS y, count(*) AS count,
      sum(CAST(s.lat_e7 AS bigint)) AS lat_sum, sum(CAST(s.lon_e7 AS bigint)) AS lon_sum,
      sum(CAST(s.row_number AS bigint)) AS row_number_sum`;
}

const IS_IN_RANGE = 'level = :level AND x BETWEEN :fromX AND :toX AND y BETWEEN :fromY AND :toY AND marker_count > 0';

/**
 * Data access for clusters. SQLite blocks the process during a statement, so each statement reads a
 * limited number of rows, and other requests run in between.
 */
@Injectable()
export class MarkerClustersStore {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  /** Counts the cells with markers of a range, up to a limit. */
  async countCells(limit: number, range: CellRange): Promise<number> {
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM marker_cells WHERE ${IS_IN_RANGE} LIMIT ${limit}) probe`;
    const [row] = await this.run<{ n: number | string }>(sql, { ...range });
    return Number(row!.n);
  }

  /** Sums up the stored cells of a range to cells of the given size. */
  async sumCells(range: CellRange, bits: number): Promise<CellSums[]> {
    const shift = bits - range.level;
    const columns = `x >> ${shift} AS x, y >> ${shift} AS y, sum(marker_count) AS count, sum(lat_sum) AS lat_sum,
      sum(lon_sum) AS lon_sum, sum(row_number_sum) AS row_number_sum`;
    const where = `FROM marker_cells WHERE ${IS_IN_RANGE}`;
    const sql =
      shift === 0
        ? `SELECT x, y, marker_count AS count, lat_sum, lon_sum, row_number_sum ${where}`
        : `SELECT ${columns} ${where} GROUP BY 1, 2`;
    return (await this.run<CellRow>(sql, { ...range })).map(toCellSums);
  }

  /** Whether an area has fewer markers than given, without any filter. */
  async hasFewerMarkersThan(limit: number, area: Area): Promise<boolean> {
    const { sql, parameters } = this.adapter.selectInAreas([area]);
    const counting = `SELECT count(*) AS n FROM (SELECT row_number FROM (${sql}) d LIMIT ${limit}) probe`;
    const [row] = await this.run<{ n: number | string }>(counting, parameters);
    return Number(row!.n) < limit;
  }

  /** Sums up the markers of an area. */
  sumMarkersInArea(area: Area, bits: number): Promise<CellSums[]> {
    return this.sumMarkers(createRows([this.adapter.selectInAreas([area])]).from[0]!, bits);
  }

  /** Sums up the rows `s` that FROM and WHERE select. */
  async sumMarkers({ sql, parameters }: SqlFragment, bits: number): Promise<CellSums[]> {
    const rows = await this.run<CellRow>(`${selectCells(bits)} ${sql} GROUP BY 1, 2`, parameters);
    return rows.map(toCellSums);
  }

  /** Returns the ids of markers, by row number. */
  async findMarkerIds(rowNumbers: number[]): Promise<Map<number, string>> {
    if (rowNumbers.length === 0) return new Map();
    const sql = 'SELECT row_number, marker_id FROM marker_search WHERE row_number IN (:...rowNumbers)';
    const rows = await this.run<{ row_number: number; marker_id: string }>(sql, { rowNumbers });
    return new Map(rows.map(({ row_number, marker_id }) => [row_number, marker_id]));
  }

  private async run<Row>(sql: string, parameters: object): Promise<Row[]> {
    const rows = await query<Row>(this.manager, sql, parameters);
    await yieldToOtherRequests();
    return rows;
  }
}

function toCellSums({ x, y, count, lat_sum, lon_sum, row_number_sum }: CellRow): CellSums {
  return {
    x: Number(x),
    y: Number(y),
    count: Number(count),
    latSum: Number(lat_sum),
    lonSum: Number(lon_sum),
    rowNumberSum: Number(row_number_sum),
  };
}
