import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { lockRow } from '../../platform/database/lock-row.js';
import { isId, generateId } from '../../platform/database/ids.js';
import { type Authorship, HistoryService } from '../history/history.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import { foldText, toSearchText } from '../text-search/text-folding.js';
import type { ArtistFields } from './artist.dto.js';
import { Artist } from './artist.entity.js';

/** A new artist's fields. */
export type NewArtist = ArtistFields & Required<Pick<ArtistFields, 'name'>> & { id?: string };

/** Writes artists: the row and its history change together. */
@Injectable()
export class ArtistsStore {
  constructor(
    @InjectRepository(Artist) private readonly artists: Repository<Artist>,
    private readonly history: HistoryService,
  ) {}

  /** Which of these ids are no live artist's. */
  async findUnknownIds(ids: string[], tx: EntityManager = this.artists.manager): Promise<string[]> {
    const asked = ids.filter((id) => isId('art', id));
    const live = asked.length > 0 ? await tx.findBy(Artist, { id: In(asked), deletedAt: IsNull() }) : [];
    const known = new Set(live.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  }

  /** What an edit may change of an artist, as it stands. */
  toFieldValues({ name, aliases, country, bio, links, activeFrom, activeTo }: Artist): Required<ArtistFields> {
    return { name, aliases, country, bio, links, activeFrom, activeTo };
  }

  /** The artist, whether live or deleted, held for a transaction that will change it. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Artist | null> {
    return isId('art', id) ? lockRow(tx, Artist, { where: { id } }) : null;
  }

  /** The artists among these ids, whether live or deleted, for looking at. */
  async findMany(ids: string[]): Promise<Artist[]> {
    const known = ids.filter((id) => isId('art', id));
    return known.length > 0 ? this.artists.findBy({ id: In(known) }) : [];
  }

  /** @param by the edit that makes it; none for what an operator brings in */
  async create(tx: EntityManager, { id, ...fields }: NewArtist, by?: Authorship): Promise<Artist> {
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
    if (by) await this.history.recordCreation(tx, artist.id, this.toFieldValues(artist), by);
    return artist;
  }

  async update(tx: EntityManager, artist: Artist, fields: ArtistFields, by: Authorship): Promise<void> {
    const changed = { ...artist, ...toColumns(fields) };
    await this.updateRow(tx, { ...changed, ...toSearchColumns(changed) });
    const [before, after] = [this.toFieldValues(artist), this.toFieldValues(changed)];
    await this.history.recordChange(tx, { target: artist, action: 'changed', before, after }, by);
  }

  /** Deletes an artist, or brings them back. @param by the edit that does; none where an operator does */
  async setDeleted(tx: EntityManager, artist: Artist, deletedAt: Date | null, by?: Authorship): Promise<void> {
    await this.updateRow(tx, { ...artist, deletedAt });
    const fields = this.toFieldValues(artist);
    const action = deletedAt ? 'deleted' : 'restored';
    if (by) await this.history.recordChange(tx, { target: artist, action, before: fields, after: fields }, by);
  }

  /**
   * So many more, or less, live artworks of each artist; their rows are held in the order of their ids.
   * @throws ApiError 422 `unknown_artist` where one is deleted
   */
  async adjustArtworkCounts(tx: EntityManager, counts: Map<string, number>): Promise<void> {
    for (const [id, by] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const where = by > 0 ? { id, deletedAt: IsNull() } : { id };
      const { affected } = await tx.increment(Artist, where, 'artworkCount', by);
      if (affected === 0) throw createUnknownArtistError(id);
    }
  }

  /** Gives the rows of an older version what searches look at. */
  async backfillSearchText(tx: EntityManager): Promise<void> {
    for (const artist of await tx.findBy(Artist, { searchText: IsNull() })) {
      await tx.update(Artist, { id: artist.id }, toSearchColumns(artist));
    }
  }

  private async updateRow(tx: EntityManager, { artworkCount: _, ...row }: Artist): Promise<void> {
    await tx.update(Artist, { id: row.id }, { ...row, version: row.version + 1, updatedAt: new Date() });
  }
}

/** 422, for an artwork by nobody that there is. */
export function createUnknownArtistError(id: string): ApiError {
  return new ApiError(422, 'unknown_artist', `There is no artist ${id}.`);
}

/** Fields of an edit as columns: what is cleared is an empty list where the column is one. */
function toColumns({ aliases, links, ...rest }: ArtistFields): Partial<Artist> {
  return {
    ...rest,
    ...(aliases !== undefined && { aliases: aliases ?? [] }),
    ...(links !== undefined && { links: links ?? [] }),
  };
}

/** What an artist is sorted and searched by. */
function toSearchColumns({
  name,
  aliases,
}: Pick<Artist, 'name' | 'aliases'>): Pick<Artist, 'nameSortKey' | 'searchText'> {
  return { nameSortKey: foldText(name).slice(0, 240), searchText: toSearchText(name, ...aliases) };
}
