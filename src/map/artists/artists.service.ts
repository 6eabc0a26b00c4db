import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, IsNull, MoreThanOrEqual, Raw, type Repository } from 'typeorm';
import { isId } from '../../platform/database/ids.js';
import type { VersionResponse } from '../history/history.dto.js';
import { HistoryService } from '../history/history.service.js';
import { gone, notFound } from '../../platform/http/api-error.js';
import { assertExclusiveParam } from '../../platform/validation/assert-exclusive-param.js';
import { CursorCodec } from '../../platform/database/cursor-codec.js';
import { type Page, findPage, type PageQuery } from '../../platform/database/keyset-pagination.js';
import { invalidRequest } from '../../platform/http/api-validation.pipe.js';
import { computeRank } from '../text-search/search-rank.js';
import { toTermPatterns, parseSearchTerms } from '../text-search/search-terms.js';
import { type ArtistListResponse, type ArtistResponse, toArtistResponse } from './artist.dto.js';
import { Artist } from './artist.entity.js';
import type { ArtistsQuery } from './artists-query.dto.js';

/** How many matches are ranked: the first by name. */
const MAX_RANKED_MATCHES = 2_000;

/** Looking for artists. */
@Injectable()
export class ArtistsService {
  constructor(
    @InjectRepository(Artist) private readonly artists: Repository<Artist>,
    private readonly history: HistoryService,
  ) {}

  /** By name, unless asked otherwise; or the artists of `ids`, in the order asked for. */
  async list(query: ArtistsQuery): Promise<ArtistListResponse> {
    if (query.ids) {
      assertExclusiveParam(query, 'ids', ['limit']);
      return this.listByIds(query.ids);
    }
    const sort = resolveSort(query);
    if (sort === 'relevance') return this.listByRelevance(query);
    const by = sort === 'name' ? 'nameSortKey' : 'updatedAt';
    const { data, page } = await findPage(
      this.artists,
      { where: buildWhere(query), sortBy: by, direction: 'ASC' },
      query,
    );
    return { data: data.map(toArtistResponse), page };
  }

  /** @throws ApiError 404 where there was never one, 410 where it was deleted */
  async get(id: string): Promise<ArtistResponse> {
    return toArtistResponse(await this.findLiveOrThrow(id));
  }

  /** The versions of an artist, the newest first. @throws ApiError as `get` */
  async listVersions(id: string, query: PageQuery): Promise<Page<VersionResponse>> {
    await this.findLiveOrThrow(id);
    return this.history.list(id, query);
  }

  async findLiveOrThrow(id: string): Promise<Artist> {
    const artist = isId('art', id) ? await this.artists.findOneBy({ id }) : null;
    if (!artist) throw notFound('artist');
    if (artist.deletedAt) throw gone('artist');
    return artist;
  }

  /** Artists, whether live or deleted, by id. */
  async findByIds(ids: string[]): Promise<Map<string, Artist>> {
    const known = [...new Set(ids)];
    const artists = known.length > 0 ? await this.artists.findBy({ id: In(known) }) : [];
    return new Map(artists.map((artist) => [artist.id, artist]));
  }

  private async listByIds(ids: string[]): Promise<ArtistListResponse> {
    const rows = await this.artists.findBy({ id: In(ids), deletedAt: IsNull() });
    const artists = new Map(rows.map((row) => [row.id, row]));
    return {
      data: ids.flatMap((id) => artists.get(id) ?? []).map(toArtistResponse),
      missing: ids.filter((id) => !artists.has(id)),
      page: { limit: 100, nextCursor: null },
    };
  }

  /** By how well they fit, of the first that do. */
  private async listByRelevance({ limit, cursor, ...query }: ArtistsQuery): Promise<Page<ArtistResponse>> {
    const cursors = new CursorCodec<RelevancePosition>(['artists by relevance', query], isRelevancePosition);
    const after = cursor === undefined ? undefined : cursors.decode(cursor);
    const terms = parseSearchTerms(query.q!);
    const order = { nameSortKey: 'ASC', id: 'ASC' } as const;
    const matches = await this.artists.find({ where: buildWhere(query), order, take: MAX_RANKED_MATCHES });
    const rest = matches
      .map((artist) => ({
        artist,
        rank: [-computeRank(artist.searchText ?? '', terms), artist.nameSortKey, artist.id] as RelevancePosition,
      }))
      .filter(({ rank }) => !after || compareRelevance(rank, after) > 0)
      .sort((one, other) => compareRelevance(one.rank, other.rank));
    const data = rest.slice(0, limit);
    const nextCursor = rest.length > limit ? cursors.encode(data.at(-1)!.rank) : null;
    return { data: data.map(({ artist }) => toArtistResponse(artist)), page: { limit, nextCursor } };
  }
}

/** Where an artist stands in a list by relevance. */
type RelevancePosition = [rank: number, nameSortKey: string, id: string];

function compareRelevance(one: RelevancePosition, other: RelevancePosition): number {
  const differs = one.findIndex((value, at) => value !== other[at]);
  if (differs < 0) return 0;
  return one[differs]! < other[differs]! ? -1 : 1;
}

function isRelevancePosition(rank: unknown[]): rank is RelevancePosition {
  const [value, ...keys] = rank;
  return rank.length === 3 && typeof value === 'number' && keys.every((key) => typeof key === 'string');
}

function resolveSort({ sort, q, updatedSince }: ArtistsQuery): NonNullable<ArtistsQuery['sort']> {
  if (sort === 'relevance' && q === undefined) {
    throw invalidRequest([{ path: 'sort', code: 'not_together', message: 'Sorting by relevance needs q.' }]);
  }
  if (sort) return sort;
  if (updatedSince) return 'updatedAt';
  return q === undefined ? 'name' : 'relevance';
}

function buildWhere({ q, country, updatedSince }: Partial<ArtistsQuery>): FindOptionsWhere<Artist> {
  return {
    deletedAt: IsNull(),
    ...(country && { country: In(country.map((code) => code.toUpperCase())) }),
    ...(updatedSince && { updatedAt: MoreThanOrEqual(updatedSince) }),
    ...(q !== undefined && { searchText: matchTerms(parseSearchTerms(q)) }),
  };
}

/** Words that hold all terms. Terms are letters, digits and spaces, which `LIKE` takes as they are. */
function matchTerms(terms: string[]): ReturnType<typeof Raw> {
  const patterns = toTermPatterns(terms).map((pattern) => `%${pattern}%`);
  const sql = (column: string): string => patterns.map((_, at) => `${column} LIKE :term${at}`).join(' AND ');
  return Raw(sql, Object.fromEntries(patterns.map((pattern, at) => [`term${at}`, pattern])));
}
