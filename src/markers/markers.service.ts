import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import type { Artist } from '../artists/artist.entity.js';
import { ArtistsService } from '../artists/artists.service.js';
import { isId } from '../database/ids.js';
import type { VersionResponse } from '../history/history.dto.js';
import { History } from '../history/history.service.js';
import { gone, notFound } from '../http/api-error.js';
import { checkAlone } from '../http/alone.js';
import { Cursor } from '../http/cursor.js';
import type { Page, PageQuery } from '../http/paging.js';
import { query } from '../database/query.js';
import {
  type ArtworkSummary,
  type MarkerResponse,
  toArtworkSummary,
  toFoundMarker,
  toMarkerResponse,
} from './marker.dto.js';
import { Marker } from './marker.entity.js';
import { type ArtistArtworksQuery, filtersOf, type MarkersQuery, sortOf } from './markers-query.dto.js';
import { RegionsService } from './regions.service.js';
import { MarkerSearch } from './search/marker-search.js';
import type { Hit, Hits, MarkerFilters, MarkerSort, Position } from './search/search.js';

/** A page of markers; of ids that were asked for, with those that are none's. */
export type MarkersPage = Page<MarkerResponse> & { missing?: string[] };

/** Looking at the map. */
@Injectable()
export class MarkersService {
  constructor(
    @InjectRepository(Marker) private readonly markers: Repository<Marker>,
    private readonly search: MarkerSearch,
    private readonly artists: ArtistsService,
    private readonly regions: RegionsService,
    private readonly history: History,
  ) {}

  /** What fulfils all filters, a page at a time; or the markers of `ids`, in the order asked for. */
  async list(asked: MarkersQuery): Promise<MarkersPage> {
    if (asked.ids) {
      checkAlone(asked, 'ids', ['limit', 'format']);
      return this.listByIds(asked.ids);
    }
    const filters = filtersOf(asked);
    const sort = sortOf(asked);
    const { hits, page } = await this.find(filters, sort, asked);
    const counted = asked.count ? await this.search.count(filters) : undefined;
    const markers = await this.fetch(hits);
    return {
      data: hits.flatMap(({ id, position: [value] }) =>
        toFoundMarker(markers.get(id), sort === 'distance' ? value : undefined),
      ),
      page: { ...page, ...(counted && { numberMatched: counted.count, numberMatchedIsCapped: counted.isCapped }) },
    };
  }

  /** The artworks of an artist. @throws ApiError 404 or 410 as the artist itself does */
  async listOfArtist(artistId: string, { status, ...paging }: ArtistArtworksQuery): Promise<Page<ArtworkSummary>> {
    await this.artists.live(artistId);
    const filters: MarkerFilters = { artistId: [artistId], ...(status && { status }) };
    const { hits, page } = await this.find(filters, 'id', paging);
    const markers = await this.fetch(hits);
    return { data: hits.flatMap(({ id }) => markers.get(id) ?? []).map(toArtworkSummary), page };
  }

  /** @throws ApiError 404 where there was never one, 410 where it was deleted */
  async get(id: string): Promise<MarkerResponse> {
    return toMarkerResponse(await this.live(id));
  }

  /** The versions of a marker, the newest first. @throws ApiError as `get` */
  async versions(id: string, paging: PageQuery): Promise<Page<VersionResponse>> {
    await this.live(id);
    return this.history.list(id, paging);
  }

  private async live(id: string): Promise<Marker> {
    const marker = isId('mrk', id) ? (await this.fetch([{ id }])).get(id) : undefined;
    if (!marker) throw notFound('marker');
    if (marker.deletedAt) throw gone('marker');
    return marker;
  }

  private async listByIds(ids: string[]): Promise<MarkersPage> {
    const markers = await this.fetch(ids.filter((id) => isId('mrk', id)).map((id) => ({ id })));
    const live = ids.flatMap((id) => markers.get(id) ?? []).filter(({ deletedAt }) => !deletedAt);
    const missing = ids.filter((id) => !live.some((marker) => marker.id === id));
    return { data: live.map(toMarkerResponse), missing, page: { limit: 100, nextCursor: null } };
  }

  private async find(
    filters: MarkerFilters,
    sort: MarkerSort,
    { limit, cursor }: PageQuery,
  ): Promise<{ hits: Hits['hits']; page: Page<never>['page'] }> {
    const cursors = new Cursor<Position>([sort, filters], isPositionIn(sort));
    const after = cursor === undefined ? undefined : cursors.read(cursor);
    const { hits, next } = await this.search.find({ filters, sort, after, limit });
    return { hits, page: { limit, nextCursor: next && cursors.write(next) } };
  }

  private async fetch(hits: Pick<Hit, 'id'>[]): Promise<Map<string, Marker>> {
    const ids = hits.map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await this.markers.findBy({ id: In(ids) });
    const artists = await this.artistsOf(ids);
    const regions = await this.regions.byId(rows.map(({ regionId }) => regionId));
    const withAll = (row: Marker): Marker => ({
      ...row,
      artists: artists.get(row.id) ?? [],
      region: regions.get(row.regionId ?? '') ?? null,
    });
    return new Map(rows.map((row) => [row.id, withAll(row)]));
  }

  private async artistsOf(markerIds: string[]): Promise<Map<string, Artist[]>> {
    const sql = 'SELECT marker_id, artist_id FROM marker_artists WHERE marker_id IN (:...markerIds)';
    const links = await query<{ marker_id: string; artist_id: string }>(this.markers.manager, sql, { markerIds });
    const artists = await this.artists.byId(links.map(({ artist_id }) => artist_id));
    const byMarker = new Map<string, Artist[]>();
    for (const { marker_id, artist_id } of links) {
      byMarker.set(marker_id, [...(byMarker.get(marker_id) ?? []), artists.get(artist_id)!]);
    }
    return byMarker;
  }
}

/** What is no position in an index would be an error of the database. */
function isPositionIn(sort: MarkerSort): (position: unknown[]) => position is Position {
  const isValue = (value: unknown): boolean =>
    typeof value === 'number' && Math.abs(value) <= 8.64e15 && (sort === 'distance' || Number.isInteger(value));
  const isSeq = (seq: unknown): boolean => Number.isInteger(seq) && (seq as number) >= 0 && (seq as number) < 2 ** 31;
  return (position): position is Position => position.length === 2 && isValue(position[0]) && isSeq(position[1]);
}
