import { Inject, Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { insertRows, query } from '../../../platform/database/query.js';
import { toSearchText } from '../../text-search/text-folding.js';
import type { Marker } from '../marker.entity.js';
import { formatFacet, toMediumBits } from './search-conditions.js';
import { SEARCH_ADAPTER, type IndexedMarkerRow, type SearchAdapter } from './search-adapter.js';
import type { IndexedMarker } from './search.types.js';

/** Writes the search index of markers, in the transaction that writes the marker. */
@Injectable()
export class MarkerIndexStore {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    @Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter,
  ) {}

  /** Adds new markers, with their artists, to the index. */
  async add(tx: EntityManager, markers: Marker[]): Promise<void> {
    const indexed = markers.map(toIndexedMarker);
    const columns = indexed.map((marker) => this.toColumns(marker));
    if (columns.length === 0) return;
    const into = { table: 'marker_search', columns: Object.keys(columns[0]!), returning: 'seq, marker_id' };
    const rows = await insertRows<{ seq: number; marker_id: string }>(
      tx,
      into,
      columns.map((row) => Object.values(row)),
    );
    const seqs = new Map(rows.map(({ seq, marker_id }) => [marker_id, seq]));
    await this.insertIndexEntries(
      tx,
      indexed.map((marker) => ({ seq: seqs.get(marker.markerId)!, marker })),
    );
  }

  /**
   * Updates a marker that was changed, deleted or restored. It keeps its number. Adds the marker if
   * the index does not contain it, because an older version of the service wrote it.
   */
  async update(tx: EntityManager, marker: Marker): Promise<void> {
    const indexed = toIndexedMarker(marker);
    const columns = this.toColumns(indexed);
    const set = Object.keys(columns).map((column) => `${column} = :${column}`);
    const sql = `UPDATE marker_search SET ${set.join(', ')} WHERE marker_id = :marker_id`;
    await query(tx, sql, columns);
    const [row] = await query<{ seq: number }>(tx, 'SELECT seq FROM marker_search WHERE marker_id = :id', {
      id: marker.id,
    });
    if (!row) return this.add(tx, [marker]);
    const { seq } = row;
    await this.adapter.deleteIndexEntries(tx, seq);
    await query(tx, 'DELETE FROM marker_facets WHERE seq = :seq', { seq });
    await this.insertIndexEntries(tx, [{ seq, marker: indexed }]);
  }

  /** Whether the index contains no marker. */
  async isEmpty(tx: EntityManager = this.manager): Promise<boolean> {
    return (await query(tx, 'SELECT seq FROM marker_search LIMIT 1')).length === 0;
  }

  private async insertIndexEntries(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void> {
    const live = rows.filter(({ marker }) => marker.live);
    if (live.length === 0) return;
    await this.adapter.insertIndexEntries(tx, live);
    const facets = live.flatMap(({ seq, marker }) => [...new Set(marker.facets)].map((facet) => [facet, seq]));
    await insertRows(tx, { table: 'marker_facets', columns: ['facet', 'seq'] }, facets);
  }

  private toColumns(marker: IndexedMarker): Record<string, unknown> {
    return { ...marker.columns, ...this.adapter.toColumns(marker) };
  }
}

function toIndexedMarker(marker: Marker): IndexedMarker {
  const { id, latE7, lonE7, kind, status, placeType, regionId, medium, year, updatedAt, deletedAt } = marker;
  const { title, placeType: type, address, tags, description, artists } = marker;
  const live = deletedAt === null;
  return {
    markerId: id,
    live,
    location: { latE7, lonE7 },
    columns: {
      marker_id: id,
      lat_e7: latE7,
      lon_e7: lonE7,
      kind,
      status,
      place_type: placeType,
      region_id: regionId,
      medium_bits: toMediumBits(medium),
      year,
      updated_at: updatedAt.getTime(),
    },
    facets: [...artists.map((artist) => formatFacet.artist(artist.id)), ...tags.map(formatFacet.tag)],
    searchText: toSearchText(title, type, address, ...tags, description),
  };
}
