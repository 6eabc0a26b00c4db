import { Injectable } from '@nestjs/common';
import { CursorCodec, isIntegerUpTo, MAX_INTEGER, MAX_TIME_MS } from '../../platform/database/cursor-codec.js';
import { isId } from '../../platform/database/ids.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { pickFields, pickFieldsOfItems } from '../../platform/validation/response-fields.js';
import { assertExclusiveParam, type PageQuery } from '../../platform/validation/page-query.dto.js';
import { ArtistsService } from '../artists/artists.service.js';
import type { VersionResponse } from '../history/history.dto.js';
import { HistoryService } from '../history/history.service.js';
import { createMarkerGoneError, createMarkerNotFoundError } from './marker-errors.js';
import {
  type ArtworkSummary,
  type MarkerListResponse,
  type MarkerResponse,
  toArtworkSummary,
  toMarkerResponse,
  toMarkerSearchResults,
} from './marker.dto.js';
import type { Marker } from './marker.entity.js';
import type { ArtistArtworksQuery, MarkerQuery, MarkersQuery } from './markers-query.dto.js';
import { MarkerRelationsStore } from './marker-relations.store.js';
import { PreparedMarkersStore, type MarkerText } from './responses/prepared-markers.store.js';
import { resolveSort, toFilters } from './marker-filters.js';
import { type MatchCount, MarkerSearchService } from './search/marker-search.service.js';
import { LAST_RANK } from './search/search-planner.js';
import type { MarkerFilters, MarkerSort, PagePosition, SearchHit } from './search/search-plan.js';

/** Page size that the list of given ids reports: the maximum number of ids. */
const MAX_IDS = 100;

/** Lists and reads markers. */
@Injectable()
export class MarkersService {
  constructor(
    private readonly markers: MarkerRelationsStore,
    private readonly responses: PreparedMarkersStore,
    private readonly search: MarkerSearchService,
    private readonly artists: ArtistsService,
    private readonly history: HistoryService,
  ) {}

  /**
   * Returns a page of the markers that match all filters, or the markers of `ids`, in their order.
   */
  async list(query: MarkersQuery): Promise<MarkerListResponse> {
    return pickFieldsOfItems(await this.findList(query), query.fields);
  }

  /**
   * Lists the artworks of an artist.
   * @throws DomainError `not_found`, `gone` if the artist does not exist or was deleted
   */
  async listByArtist(artistId: string, { status, ...paging }: ArtistArtworksQuery): Promise<Page<ArtworkSummary>> {
    await this.artists.findLiveOrThrow(artistId);
    const filters: MarkerFilters = { artistId: [artistId], ...(status && { status }) };
    const { hits, page } = await this.findHits(filters, 'id', paging);
    const markers = await this.loadMarkers(hits);
    return { data: hits.flatMap(({ id }) => markers.get(id) ?? []).map(toArtworkSummary), page };
  }

  /** Counts the artworks, up to 10,000. */
  countArtworks(): Promise<MatchCount> {
    return this.search.count({ kind: ['artwork'] });
  }

  /** Returns the artworks that came to the map last, the newest first. */
  async listNewestArtworks(limit: number): Promise<ArtworkSummary[]> {
    return (await this.markers.findNewestArtworks(limit)).map(toArtworkSummary);
  }

  /** @throws DomainError `not_found` if the marker does not exist, `gone` if it was deleted */
  async get(id: string, { fields }: MarkerQuery): Promise<Partial<MarkerResponse> | MarkerText> {
    if (!isId('mrk', id)) throw createMarkerNotFoundError();
    const marker = (await this.responses.findPrepared(id)) ?? toMarkerResponse(await this.findLiveOrThrow(id));
    return pickFields(marker, fields);
  }

  /**
   * Lists the versions of a live or deleted marker, newest first.
   * @throws DomainError `not_found` if the marker does not exist
   */
  async listVersions(id: string, paging: PageQuery): Promise<Page<VersionResponse>> {
    await this.findOrThrow(id);
    return this.history.list(id, paging);
  }

  private async findLiveOrThrow(id: string): Promise<Marker> {
    const marker = await this.findOrThrow(id);
    if (marker.deletedAt) throw createMarkerGoneError();
    return marker;
  }

  private async findOrThrow(id: string): Promise<Marker> {
    const marker = isId('mrk', id) ? (await this.markers.findWithRelations([id])).get(id) : undefined;
    if (!marker) throw createMarkerNotFoundError();
    return marker;
  }

  private async findList(query: MarkersQuery): Promise<MarkerListResponse> {
    if (query.ids) {
      assertExclusiveParam(query, 'ids', ['limit', 'format', 'fields']);
      return this.listByIds(query.ids);
    }
    const filters = toFilters(query);
    const sort = resolveSort(query);
    const { hits, page } = await this.findHits(filters, sort, query);
    const counted = query.count ? await this.search.count(filters) : undefined;
    const rows = hits.map(({ id, position }) => ({ id, rowNumber: position.at(-1)! }));
    const texts = await this.responses.findByRowNumber(rows);
    return {
      data: hits.flatMap(({ position, distance }) => toMarkerSearchResults(texts.get(position.at(-1)!), distance)),
      page: {
        ...page,
        ...(counted && { numberMatched: counted.count, numberMatchedIsLowerBound: counted.isLowerBound }),
      },
    };
  }

  private async listByIds(ids: string[]): Promise<MarkerListResponse> {
    const texts = await this.responses.findByIds(ids.filter((id) => isId('mrk', id)));
    const data = ids.flatMap((id) => texts.get(id) ?? []);
    const missing = ids.filter((id) => !texts.has(id));
    return { data, missing, page: { limit: MAX_IDS, nextCursor: null } };
  }

  private async findHits(
    filters: MarkerFilters,
    sort: MarkerSort,
    { limit, cursor }: PageQuery,
  ): Promise<{ hits: SearchHit[]; page: Page<never>['page'] }> {
    const cursors = new CursorCodec<PagePosition>([sort, filters], createPositionValidator(sort, filters));
    const after = cursor === undefined ? undefined : cursors.decode(cursor);
    const { hits, next } = await this.search.find({ filters, sort, after, limit });
    return { hits, page: { limit, nextCursor: next && cursors.encode(next) } };
  }

  private loadMarkers(hits: SearchHit[]): Promise<Map<string, Marker>> {
    return this.markers.findWithRelations(hits.map(({ id }) => id));
  }
}

/** The values of a position before the row number, by the order of the list. */
const POSITION_VALUES: Record<MarkerSort, ((value: unknown) => boolean)[]> = {
  id: [],
  updatedAt: [(milliseconds) => isIntegerUpTo(MAX_TIME_MS, milliseconds)],
  distance: [isDistance],
  relevance: [(rank) => isIntegerUpTo(LAST_RANK, rank) && (rank as number) >= 0],
};

/** Rejects positions that do not belong to the order, or that the database cannot compare. */
function createPositionValidator(
  sort: MarkerSort,
  { near }: MarkerFilters,
): (position: unknown[]) => position is PagePosition {
  const values = [...POSITION_VALUES[sort], ...(sort === 'relevance' && near ? [isDistance] : [])];
  const isRowNumber = (number: unknown): boolean => isIntegerUpTo(MAX_INTEGER, number) && (number as number) >= 0;
  return (position): position is PagePosition =>
    position.length === values.length + 1 &&
    values.every((isValue, index) => isValue(position[index])) &&
    isRowNumber(position.at(-1));
}

function isDistance(meters: unknown): boolean {
  return typeof meters === 'number' && Math.abs(meters) <= Number.MAX_SAFE_INTEGER;
}
