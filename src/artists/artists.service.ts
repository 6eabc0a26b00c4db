import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { holdRow } from '../database/hold-row.js';
import { isId, newId } from '../database/ids.js';
import { gone, notFound } from '../http/api-error.js';
import { type Page, pageOf, type PageQuery } from '../http/paging.js';
import { type ArtistFields, type ArtistResponse, toArtistResponse } from './artist.dto.js';
import { Artist } from './artist.entity.js';

/** A new artist's fields. */
export type NewArtist = ArtistFields & Required<Pick<ArtistFields, 'name'>>;

@Injectable()
export class ArtistsService {
  constructor(@InjectRepository(Artist) private readonly artists: Repository<Artist>) {}

  /** By name. */
  async list(query: PageQuery): Promise<Page<ArtistResponse>> {
    const listing = { where: { deletedAt: IsNull() }, by: 'nameKey', direction: 'ASC' } as const;
    const { data, page } = await pageOf(this.artists, listing, query);
    return { data: data.map(toArtistResponse), page };
  }

  /** @throws ApiError 404 where there was never one, 410 where it was deleted */
  async get(id: string): Promise<ArtistResponse> {
    return toArtistResponse(await this.live(id));
  }

  async live(id: string): Promise<Artist> {
    const artist = isId('art', id) ? await this.artists.findOneBy({ id }) : null;
    if (!artist) throw notFound('artist');
    if (artist.deletedAt) throw gone('artist');
    return artist;
  }

  /** Which of these ids are no live artist's. */
  async unknownAmong(ids: string[], tx: EntityManager = this.artists.manager): Promise<string[]> {
    const asked = ids.filter((id) => isId('art', id));
    const live = asked.length > 0 ? await tx.findBy(Artist, { id: In(asked), deletedAt: IsNull() }) : [];
    return ids.filter((id) => !live.some((artist) => artist.id === id));
  }

  /** What an edit may change of an artist, as it stands. */
  fieldsOf({ name, aliases, country, bio, links, activeFrom, activeTo }: Artist): Required<ArtistFields> {
    return { name, aliases, country, bio, links, activeFrom, activeTo };
  }

  /** The artist, whether live or deleted, held for a transaction that will change it. */
  async read(tx: EntityManager, id: string): Promise<Artist | null> {
    return isId('art', id) ? holdRow(tx, Artist, { where: { id } }) : null;
  }

  async create(tx: EntityManager, fields: NewArtist): Promise<Artist> {
    const now = new Date();
    const artist: Artist = {
      id: newId('art'),
      name: fields.name,
      nameKey: sortKey(fields.name),
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
      ...columnsOf(fields),
    };
    await tx.insert(Artist, artist);
    return artist;
  }

  async change(tx: EntityManager, { id, version }: Artist, fields: ArtistFields): Promise<void> {
    await this.write(tx, id, version, columnsOf(fields));
  }

  async setDeleted(tx: EntityManager, { id, version }: Artist, deletedAt: Date | null): Promise<void> {
    await this.write(tx, id, version, { deletedAt });
  }

  private async write(tx: EntityManager, id: string, version: number, columns: Partial<Artist>): Promise<void> {
    await tx.update(Artist, { id }, { ...columns, version: version + 1, updatedAt: new Date() });
  }
}

/** Fields of an edit as columns: what is cleared is an empty list where the column is one. */
function columnsOf(fields: ArtistFields): Partial<Artist> {
  const { name, aliases, links, ...rest } = fields;
  return {
    ...rest,
    ...(name !== undefined && { name, nameKey: sortKey(name) }),
    ...(aliases !== undefined && { aliases: aliases ?? [] }),
    ...(links !== undefined && { links: links ?? [] }),
  };
}

function sortKey(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, 240);
}
