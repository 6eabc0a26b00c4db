import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { query } from '../../platform/database/query.js';
import { ArtistRenamesService } from '../artists/artist-renames.service.js';
import { ChangeLog } from '../changes/change-log.js';
import { toAreas } from '../regions/geo.js';
import { toBoundingBox, type Region } from '../regions/region.entity.js';
import { Marker } from './marker.entity.js';
import { PreparedMarkersStore } from './responses/prepared-markers.store.js';
import { buildAreaCondition } from './search/search-conditions.js';
import type { SqlFragment } from './search/search-plan.js';

/**
 * Data access for the regions of markers, which are in `markers`, `marker_search` and the prepared
 * responses.
 */
@Injectable()
export class MarkerRegionsStore {
  constructor(
    @InjectRepository(Marker) private readonly markers: Repository<Marker>,
    private readonly changeLog: ChangeLog,
    private readonly renames: ArtistRenamesService,
    private readonly responses: PreparedMarkersStore,
  ) {}

  /** Counts the markers that are located in a region and have no region. */
  async countUnassigned(region: Region): Promise<number> {
    const { sql, parameters } = buildUnassignedCondition(region);
    const count = `SELECT count(*) AS total FROM marker_search s WHERE ${sql}`;
    const [row] = await query<{ total: number | string }>(this.markers.manager, count, parameters);
    return Number(row!.total);
  }

  /**
   * Assigns a region to the next markers that are located in it and have no region.
   * @param after the number of the last marker of the batch before
   * @returns the numbers of the markers in this batch; none at the end
   */
  async assignRegion(tx: EntityManager, region: Region, after: number, limit: number): Promise<number[]> {
    await this.renames.prevent(tx);
    const { sql, parameters } = buildUnassignedCondition(region);
    const next = `SELECT s.row_number, s.marker_id FROM marker_search s
      WHERE s.row_number > :after AND ${sql} ORDER BY s.row_number LIMIT ${limit}`;
    const rows = await query<{ row_number: number; marker_id: string }>(tx, next, { ...parameters, after });
    if (rows.length === 0) return [];
    const markerIds = rows.map(({ marker_id }) => marker_id);
    const values = { ...parameters, id: region.id, markerIds };
    // A marker can have been moved since the batch was read.
    await query(tx, `UPDATE markers AS s SET region_id = :id WHERE s.id IN (:...markerIds) AND ${sql}`, values);
    const assigned = 'SELECT id FROM markers WHERE id IN (:...markerIds) AND region_id = :id';
    await query(tx, `UPDATE marker_search SET region_id = :id WHERE marker_id IN (${assigned})`, values);
    this.changeLog.record(tx, 'marker', markerIds);
    await this.responses.prepare(tx, values.markerIds);
    return rows.map(({ row_number }) => row_number);
  }
}

/** Condition on a row `s` with a location and a region. */
function buildUnassignedCondition(region: Region): SqlFragment {
  const { sql, parameters } = buildAreaCondition(toAreas(toBoundingBox(region)));
  return { sql: `s.region_id IS NULL AND ${sql}`, parameters };
}
