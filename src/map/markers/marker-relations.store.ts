import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { type EntityManager, In } from 'typeorm';
import { query } from '../../platform/database/query.js';
import type { Artist } from '../artists/artist.entity.js';
import { ArtistsStore } from '../artists/artists.store.js';
import { RegionsStore } from '../regions/regions.store.js';
import { Marker } from './marker.entity.js';

/** Loads markers with the rows that their responses show. */
@Injectable()
export class MarkerRelationsStore {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly artists: ArtistsStore,
    private readonly regions: RegionsStore,
  ) {}

  /** Returns live and deleted markers by id, with artists and region. Skips unknown ids. */
  async findWithRelations(ids: string[], tx: EntityManager = this.manager): Promise<Map<string, Marker>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.findBy(Marker, { id: In(ids) });
    const artists = await this.findArtistsByMarker(ids, tx);
    const regions = await this.regions.findByIds(
      rows.map(({ regionId }) => regionId),
      tx,
    );
    const addRelations = (row: Marker): Marker => ({
      ...row,
      artists: artists.get(row.id) ?? [],
      region: regions.get(row.regionId ?? '') ?? null,
    });
    return new Map(rows.map((row) => [row.id, addRelations(row)]));
  }

  /** Returns the live artworks that came to the map last, the newest first. */
  async findNewestArtworks(limit: number): Promise<Marker[]> {
    const sql = `SELECT marker_id FROM marker_search WHERE live AND kind = 'artwork' ORDER BY row_number DESC LIMIT ${limit}`;
    const ids = (await query<{ marker_id: string }>(this.manager, sql, {})).map(({ marker_id }) => marker_id);
    const markers = await this.findWithRelations(ids);
    return ids.flatMap((id) => markers.get(id) ?? []);
  }

  private async findArtistsByMarker(markerIds: string[], tx: EntityManager): Promise<Map<string, Artist[]>> {
    const sql = 'SELECT marker_id, artist_id FROM marker_artists WHERE marker_id IN (:...markerIds)';
    const links = await query<{ marker_id: string; artist_id: string }>(tx, sql, { markerIds });
    const artists = await this.artists.findMany(
      links.map(({ artist_id }) => artist_id),
      tx,
    );
    const artistsById = new Map(artists.map((artist) => [artist.id, artist]));
    const byMarker = new Map<string, Artist[]>();
    for (const { marker_id, artist_id } of links) {
      byMarker.set(marker_id, [...(byMarker.get(marker_id) ?? []), artistsById.get(artist_id)!]);
    }
    return byMarker;
  }
}
