import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import type { Artist } from '../artists/artist.entity.js';
import { ArtistsService } from '../artists/artists.service.js';
import { isId } from '../../platform/database/ids.js';
import type { VersionResponse } from '../history/history.dto.js';
import { HistoryService } from '../history/history.service.js';
import { gone, notFound } from '../../platform/http/api-error.js';
import { assertExclusiveParam } from '../../platform/validation/assert-exclusive-param.js';
import { CursorCodec } from '../../platform/database/cursor-codec.js';
import type { Page, PageQuery } from '../../platform/database/keyset-pagination.js';
import { query } from '../../platform/database/query.js';
import {
  type ArtworkSummary,
  type MarkerListResponse,
  type MarkerResponse,
  toArtworkSummary,
  toMarkerSearchResults,
  toMarkerResponse,
} from './marker.dto.js';
import { Marker } from './marker.entity.js';
import type { ArtistArtworksQuery, MarkersQuery } from './markers-query.dto.js';
import { toFilters, resolveSort } from './search/marker-filters.js';
import { RegionsStore } from '../regions/regions.store.js';
import { MarkerSearchService } from './search/marker-search.service.js';
import type { SearchHit, SearchHitPage, MarkerFilters, MarkerSort, KeysetPosition } from './search/search.types.js';

/** Looking at the map. */
@Injectable()
export class MarkersService {
  constructor(
    @InjectRepository(Marker) private readonly markers: Repository<Marker>,
    private readonly search: MarkerSearchService,
    private readonly artists: ArtistsService,
    private readonly regions: RegionsStore,
    private readonly history: HistoryService,
  ) {}

  /** What fulfils all filters, a page at a time; or the markers of `ids`, in the order asked for. */
  async list(asked: MarkersQuery): Promise<MarkerListResponse> {
    if (asked.ids) {
      assertExclusiveParam(asked, 'ids', ['limit', 'format']);
      return this.listByIds(asked.ids);
    }
    const filters = toFilters(asked);
    const sort = resolveSort(asked);
    const { hits, page } = await this.findHits(filters, sort, asked);
    const counted = asked.count ? await this.search.count(filters) : undefined;
    const markers = await this.loadMarkers(hits);
    return {
      data: hits.flatMap(({ id, position: [value] }) =>
        toMarkerSearchResults(markers.get(id), sort === 'distance' ? value : undefined),
      ),
      page: { ...page, ...(counted && { numberMatched: counted.count, numberMatchedIsCapped: counted.isCapped }) },
    };
  }

  /** The artworks of an artist. @throws ApiError 404 or 410 as the artist itself does */
  async listByArtist(artistId: string, { status, ...paging }: ArtistArtworksQuery): Promise<Page<ArtworkSummary>> {
    await this.artists.findLiveOrThrow(artistId);
    const filters: MarkerFilters = { artistId: [artistId], ...(status && { status }) };
    const { hits, page } = await this.findHits(filters, 'id', paging);
    const markers = await this.loadMarkers(hits);
    return { data: hits.flatMap(({ id }) => markers.get(id) ?? []).map(toArtworkSummary), page };
  }

  /** @throws ApiError 404 where there was never one, 410 where it was deleted */
  async get(id: string): Promise<MarkerResponse> {
    return toMarkerResponse(await this.findLiveOrThrow(id));
  }

  /** The versions of a marker, the newest first. @throws ApiError as `get` */
  async listVersions(id: string, paging: PageQuery): Promise<Page<VersionResponse>> {
    await this.findLiveOrThrow(id);
    return this.history.list(id, paging);
  }

  private async findLiveOrThrow(id: string): Promise<Marker> {
    const marker = isId('mrk', id) ? (await this.loadMarkers([{ id }])).get(id) : undefined;
    if (!marker) throw notFound('marker');
    if (marker.deletedAt) throw gone('marker');
    return marker;
  }

  private async listByIds(ids: string[]): Promise<MarkerListResponse> {
    const markers = await this.loadMarkers(ids.filter((id) => isId('mrk', id)).map((id) => ({ id })));
    const live = ids.flatMap((id) => markers.get(id) ?? []).filter(({ deletedAt }) => !deletedAt);
    const missing = ids.filter((id) => !live.some((marker) => marker.id === id));
    return { data: live.map(toMarkerResponse), missing, page: { limit: 100, nextCursor: null } };
  }

  private async findHits(
    filters: MarkerFilters,
    sort: MarkerSort,
    { limit, cursor }: PageQuery,
  ): Promise<{ hits: SearchHitPage['hits']; page: Page<never>['page'] }> {
    const cursors = new CursorCodec<KeysetPosition>([sort, filters], createPositionValidator(sort));
    const after = cursor === undefined ? undefined : cursors.decode(cursor);
    const { hits, next } = await this.search.find({ filters, sort, after, limit });
    return { hits, page: { limit, nextCursor: next && cursors.encode(next) } };
  }

  private async loadMarkers(hits: Pick<SearchHit, 'id'>[]): Promise<Map<string, Marker>> {
    const ids = hits.map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await this.markers.findBy({ id: In(ids) });
    const artists = await this.loadArtists(ids);
    const regions = await this.regions.findByIds(rows.map(({ regionId }) => regionId));
    const withAll = (row: Marker): Marker => ({
      ...row,
      artists: artists.get(row.id) ?? [],
      region: regions.get(row.regionId ?? '') ?? null,
    });
    return new Map(rows.map((row) => [row.id, withAll(row)]));
  }

  private async loadArtists(markerIds: string[]): Promise<Map<string, Artist[]>> {
    const sql = 'SELECT marker_id, artist_id FROM marker_artists WHERE marker_id IN (:...markerIds)';
    const links = await query<{ marker_id: string; artist_id: string }>(this.markers.manager, sql, { markerIds });
    const artists = await this.artists.findByIds(links.map(({ artist_id }) => artist_id));
    const byMarker = new Map<string, Artist[]>();
    for (const { marker_id, artist_id } of links) {
      byMarker.set(marker_id, [...(byMarker.get(marker_id) ?? []), artists.get(artist_id)!]);
    }
    return byMarker;
  }
}

/** What is no position in an index would be an error of the database. */
function createPositionValidator(sort: MarkerSort): (position: unknown[]) => position is KeysetPosition {
  const isValue = (value: unknown): boolean =>
    typeof value === 'number' && Math.abs(value) <= 8.64e15 && (sort === 'distance' || Number.isInteger(value));
  const isSeq = (seq: unknown): boolean => Number.isInteger(seq) && (seq as number) >= 0 && (seq as number) < 2 ** 31;
  return (position): position is KeysetPosition => position.length === 2 && isValue(position[0]) && isSeq(position[1]);
}
