import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertRows, query } from '../../database/query.js';
import { wordsOf } from '../../search/fold.js';
import type { Marker } from '../marker.entity.js';
import { facetOf, mediumBits } from './conditions.js';
import { SEARCH_ADAPTER, type NumberedMarker, type SearchAdapter } from './search-adapter.js';
import type { Indexed } from './search.js';

/** Keeps what searches look at, in the transaction that writes the marker. */
@Injectable()
export class MarkerIndex {
  constructor(@Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter) {}

  /** Puts new markers into the index, with their artists. */
  async add(tx: EntityManager, markers: Marker[]): Promise<void> {
    const indexed = markers.map(toIndexed);
    const columns = indexed.map((marker) => this.columnsOf(marker));
    if (columns.length === 0) return;
    const into = { table: 'marker_search', columns: Object.keys(columns[0]!), returning: 'seq, marker_id' };
    const rows = await insertRows<{ seq: number; marker_id: string }>(
      tx,
      into,
      columns.map((row) => Object.values(row)),
    );
    const seqs = new Map(rows.map(({ seq, marker_id }) => [marker_id, seq]));
    await this.link(
      tx,
      indexed.map((marker) => ({ seq: seqs.get(marker.markerId)!, marker })),
    );
  }

  /**
   * Brings a marker up to date in the index: changed, deleted or restored, it keeps its number. One that an older version
   * of the service wrote has none yet.
   */
  async update(tx: EntityManager, marker: Marker): Promise<void> {
    const indexed = toIndexed(marker);
    const columns = this.columnsOf(indexed);
    const set = Object.keys(columns).map((column) => `${column} = :${column}`);
    const sql = `UPDATE marker_search SET ${set.join(', ')} WHERE marker_id = :marker_id`;
    await query(tx, sql, columns);
    const [row] = await query<{ seq: number }>(tx, 'SELECT seq FROM marker_search WHERE marker_id = :id', {
      id: marker.id,
    });
    if (!row) return this.add(tx, [marker]);
    const { seq } = row;
    await this.adapter.unlink(tx, seq);
    await query(tx, 'DELETE FROM marker_facets WHERE seq = :seq', { seq });
    await this.link(tx, [{ seq, marker: indexed }]);
  }

  /** Whether anything is in it. */
  async isEmpty(tx: EntityManager): Promise<boolean> {
    return (await query(tx, 'SELECT seq FROM marker_search LIMIT 1')).length === 0;
  }

  private async link(tx: EntityManager, rows: NumberedMarker[]): Promise<void> {
    const live = rows.filter(({ marker }) => marker.live);
    if (live.length === 0) return;
    await this.adapter.link(tx, live);
    const facets = live.flatMap(({ seq, marker }) => [...new Set(marker.facets)].map((facet) => [facet, seq]));
    await insertRows(tx, { table: 'marker_facets', columns: ['facet', 'seq'] }, facets);
  }

  private columnsOf(marker: Indexed): Record<string, unknown> {
    return { ...marker.columns, ...this.adapter.columnsOf(marker) };
  }
}

function toIndexed(marker: Marker): Indexed {
  const { id, latE7, lonE7, kind, status, placeType, regionId, medium, year, updatedAt, deletedAt } = marker;
  const { title, placeType: type, address, tags, description, artists } = marker;
  const live = deletedAt === null;
  return {
    markerId: id,
    live,
    place: { latE7, lonE7 },
    columns: {
      marker_id: id,
      lat_e7: latE7,
      lon_e7: lonE7,
      kind,
      status,
      place_type: placeType,
      region_id: regionId,
      medium_bits: mediumBits(medium),
      year,
      updated_at: updatedAt.getTime(),
    },
    facets: [...artists.map((artist) => facetOf.artist(artist.id)), ...tags.map(facetOf.tag)],
    words: wordsOf(title, type, address, ...tags, description),
  };
}
