import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, IsNull, MoreThanOrEqual, Raw, type Repository } from 'typeorm';
import { isId } from '../database/ids.js';
import type { VersionResponse } from '../history/history.dto.js';
import { History } from '../history/history.service.js';
import { gone, notFound } from '../http/api-error.js';
import { checkAlone } from '../http/alone.js';
import { Cursor } from '../http/cursor.js';
import { type Page, pageOf, type PageQuery } from '../http/paging.js';
import { invalidRequest } from '../http/validation.pipe.js';
import { rankOf } from '../search/rank.js';
import { patternsOf, searchTerms } from '../search/search-terms.js';
import { type ArtistResponse, toArtistResponse } from './artist.dto.js';
import { Artist } from './artist.entity.js';
import type { ArtistsQuery } from './artists-query.dto.js';

/** A page of artists; of ids that were asked for, with those that are none's. */
export type ArtistsPage = Page<ArtistResponse> & { missing?: string[] };

/** How many matches are ranked: the first by name. */
const RANKED = 2_000;

/** Looking for artists. */
@Injectable()
export class ArtistsService {
  constructor(
    @InjectRepository(Artist) private readonly artists: Repository<Artist>,
    private readonly history: History,
  ) {}

  /** By name, unless asked otherwise; or the artists of `ids`, in the order asked for. */
  async list(query: ArtistsQuery): Promise<ArtistsPage> {
    if (query.ids) {
      checkAlone(query, 'ids', ['limit']);
      return this.listByIds(query.ids);
    }
    const sort = sortOf(query);
    if (sort === 'relevance') return this.ranked(query);
    const by = sort === 'name' ? 'nameKey' : 'updatedAt';
    const { data, page } = await pageOf(this.artists, { where: whereOf(query), by, direction: 'ASC' }, query);
    return { data: data.map(toArtistResponse), page };
  }

  /** @throws ApiError 404 where there was never one, 410 where it was deleted */
  async get(id: string): Promise<ArtistResponse> {
    return toArtistResponse(await this.live(id));
  }

  /** The versions of an artist, the newest first. @throws ApiError as `get` */
  async versions(id: string, query: PageQuery): Promise<Page<VersionResponse>> {
    await this.live(id);
    return this.history.list(id, query);
  }

  async live(id: string): Promise<Artist> {
    const artist = isId('art', id) ? await this.artists.findOneBy({ id }) : null;
    if (!artist) throw notFound('artist');
    if (artist.deletedAt) throw gone('artist');
    return artist;
  }

  /** Artists, whether live or deleted, by id. */
  async byId(ids: string[]): Promise<Map<string, Artist>> {
    const known = [...new Set(ids)];
    const artists = known.length > 0 ? await this.artists.findBy({ id: In(known) }) : [];
    return new Map(artists.map((artist) => [artist.id, artist]));
  }

  private async listByIds(ids: string[]): Promise<ArtistsPage> {
    const rows = await this.artists.findBy({ id: In(ids), deletedAt: IsNull() });
    const artists = new Map(rows.map((row) => [row.id, row]));
    return {
      data: ids.flatMap((id) => artists.get(id) ?? []).map(toArtistResponse),
      missing: ids.filter((id) => !artists.has(id)),
      page: { limit: 100, nextCursor: null },
    };
  }

  /** By how well they fit, of the first that do. */
  private async ranked({ limit, cursor, ...query }: ArtistsQuery): Promise<Page<ArtistResponse>> {
    const cursors = new Cursor<Rank>(['artists by relevance', query], isRank);
    const after = cursor === undefined ? undefined : cursors.read(cursor);
    const terms = searchTerms(query.q!);
    const order = { nameKey: 'ASC', id: 'ASC' } as const;
    const matches = await this.artists.find({ where: whereOf(query), order, take: RANKED });
    const rest = matches
      .map((artist) => ({ artist, rank: [-rankOf(artist.words ?? '', terms), artist.nameKey, artist.id] as Rank }))
      .filter(({ rank }) => !after || compareRanks(rank, after) > 0)
      .sort((one, other) => compareRanks(one.rank, other.rank));
    const data = rest.slice(0, limit);
    const nextCursor = rest.length > limit ? cursors.write(data.at(-1)!.rank) : null;
    return { data: data.map(({ artist }) => toArtistResponse(artist)), page: { limit, nextCursor } };
  }
}

/** Where an artist stands in a list by relevance. */
type Rank = [rank: number, nameKey: string, id: string];

function compareRanks(one: Rank, other: Rank): number {
  const differs = one.findIndex((value, at) => value !== other[at]);
  if (differs < 0) return 0;
  return one[differs]! < other[differs]! ? -1 : 1;
}

function isRank(rank: unknown[]): rank is Rank {
  const [value, ...keys] = rank;
  return rank.length === 3 && typeof value === 'number' && keys.every((key) => typeof key === 'string');
}

function sortOf({ sort, q, updatedSince }: ArtistsQuery): NonNullable<ArtistsQuery['sort']> {
  if (sort === 'relevance' && q === undefined) {
    throw invalidRequest([{ path: 'sort', code: 'not_together', message: 'Sorting by relevance needs q.' }]);
  }
  if (sort) return sort;
  if (updatedSince) return 'updatedAt';
  return q === undefined ? 'name' : 'relevance';
}

function whereOf({ q, country, updatedSince }: Partial<ArtistsQuery>): FindOptionsWhere<Artist> {
  return {
    deletedAt: IsNull(),
    ...(country && { country: In(country.map((code) => code.toUpperCase())) }),
    ...(updatedSince && { updatedAt: MoreThanOrEqual(updatedSince) }),
    ...(q !== undefined && { words: holding(searchTerms(q)) }),
  };
}

/** Words that hold all terms. Terms are letters, digits and spaces, which `LIKE` takes as they are. */
function holding(terms: string[]): ReturnType<typeof Raw> {
  const patterns = patternsOf(terms).map((pattern) => `%${pattern}%`);
  const sql = (column: string): string => patterns.map((_, at) => `${column} LIKE :term${at}`).join(' AND ');
  return Raw(sql, Object.fromEntries(patterns.map((pattern, at) => [`term${at}`, pattern])));
}
