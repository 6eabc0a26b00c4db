import { Injectable } from '@nestjs/common';
import { CursorCodec, isIntegerUpTo, isTextWithoutNul, MAX_INTEGER } from '../../platform/database/cursor-codec.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { pickFields, pickFieldsOfItems } from '../../platform/validation/response-fields.js';
import { assertExclusiveParam, type PageQuery } from '../../platform/validation/page-query.dto.js';
import type { VersionResponse } from '../history/history.dto.js';
import { HistoryService } from '../history/history.service.js';
import { parseSearchTerms } from '../text-search/search-terms.js';
import { createArtistGoneError, createArtistNotFoundError, createRelevanceWithoutTermsError } from './artist-errors.js';
import { type ArtistListResponse, type ArtistResponse, toArtistResponse } from './artist.dto.js';
import type { Artist } from './artist.entity.js';
import type { ArtistQuery, ArtistsQuery } from './artists-query.dto.js';
import { type ArtistFilters, ArtistsStore, type RelevancePosition } from './artists.store.js';

/** Page size that the list of given ids reports: the maximum number of ids. */
const MAX_IDS = 100;

/** Lists and reads artists. */
@Injectable()
export class ArtistsService {
  constructor(
    private readonly artists: ArtistsStore,
    private readonly history: HistoryService,
  ) {}

  /**
   * Returns a page of artists, by name unless the query names an order; or the artists of `ids`, in
   * their order.
   */
  async list({ fields, ...query }: ArtistsQuery): Promise<ArtistListResponse> {
    return pickFieldsOfItems(await this.findList(query), fields);
  }

  /** @throws DomainError `not_found` if the artist does not exist, `gone` if it was deleted */
  async get(id: string, { fields }: ArtistQuery): Promise<Partial<ArtistResponse>> {
    return pickFields(toArtistResponse(await this.findLiveOrThrow(id)), fields);
  }

  /**
   * Lists the versions of a live or deleted artist, newest first.
   * @throws DomainError `not_found` if the artist does not exist
   */
  async listVersions(id: string, query: PageQuery): Promise<Page<VersionResponse>> {
    if (!(await this.artists.find(id))) throw createArtistNotFoundError();
    return this.history.list(id, query);
  }

  /** @throws DomainError as `get` */
  async findLiveOrThrow(id: string): Promise<Artist> {
    const artist = await this.artists.find(id);
    if (!artist) throw createArtistNotFoundError();
    if (artist.deletedAt) throw createArtistGoneError();
    return artist;
  }

  private async findList(query: ArtistsQuery): Promise<ArtistListResponse> {
    if (query.ids) {
      assertExclusiveParam(query, 'ids', ['limit']);
      return this.listByIds(query.ids);
    }
    const sort = resolveSort(query);
    if (sort === 'relevance') return this.listByRelevance(query);
    const sortBy = sort === 'name' ? 'nameSortKey' : 'updatedAt';
    const { data, page } = await this.artists.findPage(toFilters(query), sortBy, query);
    return { data: data.map(toArtistResponse), page };
  }

  private async listByIds(ids: string[]): Promise<ArtistListResponse> {
    const rows = (await this.artists.findMany(ids)).filter(({ deletedAt }) => deletedAt === null);
    const artists = new Map(rows.map((row) => [row.id, row]));
    return {
      data: ids.flatMap((id) => artists.get(id) ?? []).map(toArtistResponse),
      missing: ids.filter((id) => !artists.has(id)),
      page: { limit: MAX_IDS, nextCursor: null },
    };
  }

  private async listByRelevance({ limit, cursor, ...query }: ArtistsQuery): Promise<Page<ArtistResponse>> {
    const cursors = new CursorCodec<RelevancePosition>(['artists by relevance', query], isRelevancePosition);
    const after = cursor === undefined ? undefined : cursors.decode(cursor);
    const filters = toFilters(query);
    const matches = await this.artists.findByRelevance({ ...filters, terms: filters.terms! }, after, limit + 1);
    const hits = matches.slice(0, limit);
    const nextCursor = matches.length > limit ? cursors.encode(hits.at(-1)!.position) : null;
    return { data: hits.map(({ artist }) => toArtistResponse(artist)), page: { limit, nextCursor } };
  }
}

function isRelevancePosition(position: unknown[]): position is RelevancePosition {
  const [rank, ...keys] = position;
  return position.length === 3 && isIntegerUpTo(MAX_INTEGER, rank) && keys.every(isTextWithoutNul);
}

/** @throws DomainError `invalid` if `relevance` is requested without search terms */
function resolveSort({ sort, q, updatedSince }: ArtistsQuery): NonNullable<ArtistsQuery['sort']> {
  if (sort === 'relevance' && q === undefined) throw createRelevanceWithoutTermsError();
  if (sort) return sort;
  if (updatedSince) return 'updatedAt';
  return q === undefined ? 'name' : 'relevance';
}

/** @throws DomainError `invalid` if `q` contains no search terms or too many */
function toFilters({ q, country, updatedSince }: Omit<ArtistsQuery, 'limit' | 'cursor'>): ArtistFilters {
  const terms = q === undefined ? undefined : parseSearchTerms(q);
  return { terms, country, updatedSince };
}
