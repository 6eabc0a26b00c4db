import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type EntityManager,
  type FindOptionsWhere,
  In,
  IsNull,
  MoreThan,
  MoreThanOrEqual,
  Raw,
  type Repository,
} from 'typeorm';
import { isId, generateId } from '../../platform/database/ids.js';
import { findPage, type Page } from '../../platform/database/keyset-pagination.js';
import type { PageQuery } from '../../platform/validation/page-query.dto.js';
import { lockRow, lockRows } from '../../platform/database/lock-row.js';
import { ChangeLog } from '../changes/change-log.js';
import { areValuesEqual } from '../history/field-changes.js';
import { type ChangeAuthor, HistoryService } from '../history/history.service.js';
import { toTermPatterns } from '../text-search/search-terms.js';
import { foldText, toSearchText } from '../text-search/text-folding.js';
import type { ArtistFields } from './artist.dto.js';
import { Artist } from './artist.entity.js';
import { ArtistRenamesService } from './artist-renames.service.js';
import { createUnknownArtistError } from './artist-errors.js';

/** Fields of a new artist. */
export type NewArtist = ArtistFields & Required<Pick<ArtistFields, 'name'>> & { id?: string };

/** Filters of a list of artists. All filters must match. */
export interface ArtistFilters {
  /** Search terms, from `parseSearchTerms`. */
  terms?: string[] | undefined;
  /** ISO 3166-1 alpha-2, in any case. */
  country?: string[] | undefined;
  updatedSince?: Date | undefined;
}

/** Position of an artist in a list by relevance. */
export type RelevancePosition = [rank: number, nameSortKey: string, id: string];

/** An artist with its position in a list by relevance. */
export interface ArtistMatch {
  artist: Artist;
  position: RelevancePosition;
}

/** Data access for artists. A write changes the row and its history together. */
@Injectable()
export class ArtistsStore {
  constructor(
    @InjectRepository(Artist) private readonly artists: Repository<Artist>,
    private readonly history: HistoryService,
    private readonly renames: ArtistRenamesService,
    private readonly changeLog: ChangeLog,
  ) {}

  /** Returns a live or deleted artist. */
  async find(id: string): Promise<Artist | null> {
    return isId('art', id) ? this.artists.findOneBy({ id }) : null;
  }

  /** Returns live and deleted artists, in no order. Skips unknown ids. */
  async findMany(ids: string[], tx: EntityManager = this.artists.manager): Promise<Artist[]> {
    const known = [...new Set(ids)].filter((id) => isId('art', id));
    return known.length > 0 ? tx.findBy(Artist, { id: In(known) }) : [];
  }

  /** Returns the live artists that have one of the names, the oldest first. */
  async findByNames(names: string[], tx: EntityManager = this.artists.manager): Promise<Artist[]> {
    const where = { nameSortKey: In([...new Set(names.map(toNameSortKey))]), deletedAt: IsNull() };
    const found = names.length > 0 ? await tx.find(Artist, { where, order: { id: 'ASC' } }) : [];
    const wanted = new Set(names);
    return found.filter(({ name }) => wanted.has(name));
  }

  /** Returns live artists after an id, in the order of their ids. */
  findAfter(id: string, limit: number): Promise<Artist[]> {
    return this.artists.find({ where: { id: MoreThan(id), deletedAt: IsNull() }, order: { id: 'ASC' }, take: limit });
  }

  /** Returns the number of live artists. */
  count(): Promise<number> {
    return this.artists.countBy({ deletedAt: IsNull() });
  }

  findPage(
    filters: ArtistFilters,
    sortBy: 'nameSortKey' | 'updatedAt',
    query: Pick<PageQuery, 'limit' | 'cursor'>,
  ): Promise<Page<Artist>> {
    return findPage(this.artists, { where: toWhere(filters), sortBy, direction: 'ASC' }, query);
  }

  /** Returns live artists by relevance, then by name, after a position. */
  async findByRelevance(
    filters: ArtistFilters & { terms: string[] },
    after: RelevancePosition | undefined,
    limit: number,
  ): Promise<ArtistMatch[]> {
    const rank = buildArtistRank(filters.terms, this.artists.manager.connection.options.type === 'postgres');
    const matches = this.artists
      .createQueryBuilder('artist')
      .addSelect(rank.sql, 'rank')
      .where(toWhere(filters))
      .orderBy('rank')
      .addOrderBy('artist.nameSortKey')
      .addOrderBy('artist.id')
      .limit(limit)
      .setParameters(rank.parameters);
    if (after) {
      const [rankAfter, nameAfter, idAfter] = after;
      matches.andWhere(`(${rank.sql}, artist.name_sort_key, artist.id) > (:rankAfter, :nameAfter, :idAfter)`, {
        ...{ rankAfter, nameAfter, idAfter },
      });
    }
    const { entities, raw } = await matches.getRawAndEntities<{ rank: number }>();
    return entities.map((artist, index) => ({
      artist,
      position: [Number(raw[index]!.rank), artist.nameSortKey, artist.id],
    }));
  }

  /** Returns those of the ids that are not ids of live artists, in the same order. */
  async findUnknownIds(ids: string[], tx: EntityManager = this.artists.manager): Promise<string[]> {
    const valid = ids.filter((id) => isId('art', id));
    const live = valid.length > 0 ? await tx.findBy(Artist, { id: In(valid), deletedAt: IsNull() }) : [];
    const liveIds = new Set(live.map(({ id }) => id));
    return ids.filter((id) => !liveIds.has(id));
  }

  /** Locks and returns a live or deleted artist. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Artist | null> {
    return isId('art', id) ? lockRow(tx, Artist, { where: { id } }) : null;
  }

  /** Locks live or deleted artists. */
  async lockForUpdate(tx: EntityManager, ids: string[]): Promise<void> {
    await lockRows(tx, Artist, ids);
  }

  /** Returns the fields that edits can change. */
  toFieldValues({ name, aliases, country, bio, links, activeFrom, activeTo }: Artist): Required<ArtistFields> {
    return { name, aliases, country, bio, links, activeFrom, activeTo };
  }

  /** @param by the edit that creates the artist; undefined for the demo and for operators */
  async create(tx: EntityManager, { id, ...fields }: NewArtist, by?: ChangeAuthor): Promise<Artist> {
    const now = new Date();
    const artist: Artist = {
      id: id ?? generateId('art'),
      name: fields.name,
      nameSortKey: '',
      searchText: '',
      aliases: [],
      country: null,
      bio: null,
      links: [],
      activeFrom: null,
      activeTo: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      lockedAt: null,
      artworkCount: 0,
      ...toColumns(fields),
    };
    Object.assign(artist, toSearchColumns(artist));
    await tx.insert(Artist, artist);
    this.changeLog.record(tx, 'artist', [artist.id]);
    if (by) await this.history.recordCreation(tx, artist.id, this.toFieldValues(artist), by);
    return artist;
  }

  /** Changes fields of an artist and returns the new row. */
  async update(tx: EntityManager, artist: Artist, fields: ArtistFields, by: ChangeAuthor): Promise<Artist> {
    const changed = { ...artist, ...toColumns(fields) };
    const written = await this.updateRow(tx, { ...changed, ...toSearchColumns(changed) });
    const [before, after] = [this.toFieldValues(artist), this.toFieldValues(written)];
    await this.history.recordChange(tx, { target: artist, action: 'changed', before, after }, by);
    if (isRenamed(before, after)) await this.renames.notify(tx, artist.id);
    return written;
  }

  /**
   * Deletes or restores an artist and returns the new row.
   * @param by undefined for the demo and for operators
   */
  async setDeleted(tx: EntityManager, artist: Artist, deletedAt: Date | null, by?: ChangeAuthor): Promise<Artist> {
    const written = await this.updateRow(tx, { ...artist, deletedAt });
    const fields = this.toFieldValues(artist);
    const action = deletedAt ? 'deleted' : 'restored';
    if (by) await this.history.recordChange(tx, { target: artist, action, before: fields, after: fields }, by);
    return written;
  }

  /** Only moderators can accept edits of a locked artist. */
  async lock(tx: EntityManager, ids: string[], lockedAt: Date | null): Promise<void> {
    await tx.update(Artist, { id: In(ids) }, { lockedAt });
  }

  /**
   * Adds to the number of live artworks of each artist. Updates the rows in the order of their ids,
   * so that two transactions cannot wait for each other.
   * @throws DomainError `unknown_artist` if an artist with a new artwork was deleted
   */
  async adjustArtworkCounts(tx: EntityManager, counts: Map<string, number>): Promise<void> {
    for (const [id, by] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const where = by > 0 ? { id, deletedAt: IsNull() } : { id };
      const { affected } = await tx.increment(Artist, where, 'artworkCount', by);
      if (affected === 0) throw createUnknownArtistError(id);
    }
  }

  private async updateRow(tx: EntityManager, artist: Artist): Promise<Artist> {
    const { artworkCount: _, ...row } = artist;
    const written = { ...row, version: row.version + 1, updatedAt: new Date() };
    await tx.update(Artist, { id: row.id }, written);
    this.changeLog.record(tx, 'artist', [row.id]);
    return { ...artist, ...written };
  }
}

function toWhere({ terms, country, updatedSince }: ArtistFilters): FindOptionsWhere<Artist> {
  return {
    deletedAt: IsNull(),
    ...(country && { country: In(country.map((code) => code.toUpperCase())) }),
    ...(updatedSince && { updatedAt: MoreThanOrEqual(updatedSince) }),
    ...(terms && { searchText: containsTerms(terms) }),
  };
}

/** Terms contain letters, digits and spaces only, so `LIKE` needs no escaping. */
function containsTerms(terms: string[]): ReturnType<typeof Raw> {
  const patterns = toTermPatterns(terms).map((pattern) => `%${pattern}%`);
  const sql = (column: string): string => patterns.map((_, index) => `${column} LIKE :term${index}`).join(' AND ');
  return Raw(sql, Object.fromEntries(patterns.map((pattern, index) => [`term${index}`, pattern])));
}

/** Converts the fields of an edit to columns. A cleared list is an empty list. */
function toColumns({ aliases, links, ...rest }: ArtistFields): Partial<Artist> {
  return {
    ...rest,
    ...(aliases !== undefined && { aliases: aliases ?? [] }),
    ...(links !== undefined && { links: links ?? [] }),
  };
}

function isRenamed(before: ArtistFields, after: ArtistFields): boolean {
  return before.name !== after.name || !areValuesEqual(before.aliases, after.aliases);
}

function toNameSortKey(name: string): string {
  return foldText(name).slice(0, 240);
}

/** Columns for sorting and searching. */
function toSearchColumns({
  name,
  aliases,
}: Pick<Artist, 'name' | 'aliases'>): Pick<Artist, 'nameSortKey' | 'searchText'> {
  return { nameSortKey: toNameSortKey(name), searchText: toSearchText(name, ...aliases) };
}

/**
 * SQL expression for the rank of the row `artist`, which contains all terms:
 * - 0 if the name equals the terms
 * - 1 if the name starts with them
 * - 2 if the name contains them
 * - 3 if an alias is needed
 */
export function buildArtistRank(
  terms: string[],
  isPostgres: boolean,
): { sql: string; parameters: Record<string, string> } {
  const text = 'artist.search_text';
  const name = isPostgres ? `split_part(${text}, '|', 1)` : `substr(${text}, 1, instr(${text} || '|', '|') - 1)`;
  const find = isPostgres ? 'strpos' : 'instr';
  const phrase = ` ${terms.join(' ')}`;
  const patterns = Object.fromEntries(toTermPatterns(terms).map((pattern, index) => [`rankTerm${index}`, pattern]));
  const contains = Object.keys(patterns).map((term) => `${find}(${name}, :${term}) > 0`);
  const sql = `CASE WHEN ${name} = :exactName THEN 0 WHEN ${find}(${name}, :phrase) = 1 THEN 1
    WHEN ${contains.join(' AND ')} THEN 2 ELSE 3 END`;
  return { sql, parameters: { ...patterns, exactName: `${phrase} `, phrase } };
}
