import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { ArtistsService } from '../artists/artists.service.js';
import { holdRow } from '../database/hold-row.js';
import { isId, newId } from '../database/ids.js';
import { ApiError, gone, notFound } from '../http/api-error.js';
import { type Page, pageOf, type PageQuery } from '../http/paging.js';
import {
  type ArtworkFields,
  type ArtworkSummary,
  locationOf,
  type MarkerResponse,
  type MarkersQuery,
  toArtworkSummary,
  toMarkerResponse,
} from './marker.dto.js';
import { Marker } from './marker.entity.js';
import { RegionsService } from './regions.service.js';

/** A new marker's fields; a place has a type. */
export type NewMarker = ArtworkFields &
  Required<Pick<ArtworkFields, 'title' | 'location'>> & { placeType?: string | null };

@Injectable()
export class MarkersService {
  constructor(
    @InjectRepository(Marker) private readonly markers: Repository<Marker>,
    private readonly artists: ArtistsService,
    private readonly regions: RegionsService,
  ) {}

  /** In the order in which they came onto the map. */
  async list({ kind, ...query }: MarkersQuery): Promise<Page<MarkerResponse>> {
    const listing = {
      where: { deletedAt: IsNull(), ...(kind && { kind }) },
      by: 'id',
      direction: 'ASC',
      relations: { artists: true, region: true },
    } as const;
    const { data, page } = await pageOf(this.markers, listing, query);
    return { data: data.map(toMarkerResponse), page };
  }

  /** The artworks of an artist. @throws ApiError 404 or 410 as the artist itself does */
  async listOfArtist(artistId: string, query: PageQuery): Promise<Page<ArtworkSummary>> {
    await this.artists.live(artistId);
    const where = { deletedAt: IsNull(), artists: { id: artistId } };
    const listing = { where, by: 'createdAt', direction: 'ASC', relations: { artists: true } } as const;
    const { data, page } = await pageOf(this.markers, listing, query);
    return { data: data.map(toArtworkSummary), page };
  }

  /** @throws ApiError 404 where there was never one, 410 where it was deleted */
  async get(id: string): Promise<MarkerResponse> {
    const relations = { artists: true, region: true };
    const marker = isId('mrk', id) ? await this.markers.findOne({ where: { id }, relations }) : null;
    if (!marker) throw notFound('marker');
    if (marker.deletedAt) throw gone('marker');
    return toMarkerResponse(marker);
  }

  /** The live markers among these ids, by id; without their artists. */
  async liveAmong(tx: EntityManager, ids: string[]): Promise<Map<string, Marker>> {
    const rows = await tx.findBy(Marker, { id: In(ids.filter((id) => isId('mrk', id))), deletedAt: IsNull() });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** What an edit may change of an artwork, as it stands. */
  fieldsOf(marker: Marker): Required<ArtworkFields> {
    const { title, description, status, medium, year, address, tags, imageUrl, artists } = marker;
    const artistIds = artists.map(({ id }) => id).sort();
    return {
      title,
      description,
      status,
      medium,
      artistIds,
      year,
      location: locationOf(marker),
      address,
      tags,
      imageUrl,
    };
  }

  /** The artwork, whether live or deleted, held for a transaction that will change it. A place is none. */
  async read(tx: EntityManager, id: string): Promise<Marker | null> {
    const marker = isId('mrk', id) ? await holdRow(tx, Marker, { where: { id }, relations: { artists: true } }) : null;
    return marker?.kind === 'artwork' ? marker : null;
  }

  /** Whether an edit may give an artwork these fields. @throws ApiError 422 `unknown_artist` */
  async check(tx: EntityManager, { artistIds }: Pick<ArtworkFields, 'artistIds'>): Promise<void> {
    const [unknown] = await this.artists.unknownAmong(artistIds ?? [], tx);
    if (unknown !== undefined) throw new ApiError(422, 'unknown_artist', `There is no artist ${unknown}.`);
  }

  async create(tx: EntityManager, { placeType = null, ...fields }: NewMarker): Promise<Marker> {
    const now = new Date();
    const { artistIds, ...columns } = await this.columnsOf(tx, fields);
    const marker = tx.create(Marker, {
      id: newId('mrk'),
      kind: placeType === null ? 'artwork' : 'place',
      placeType,
      description: null,
      status: 'present',
      medium: [],
      address: null,
      year: null,
      tags: [],
      imageUrl: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      ...columns,
    });
    await tx.insert(Marker, marker);
    await tx
      .createQueryBuilder()
      .relation(Marker, 'artists')
      .of(marker.id)
      .add(artistIds ?? []);
    return marker;
  }

  async change(tx: EntityManager, marker: Marker, fields: ArtworkFields): Promise<void> {
    const { artistIds, ...columns } = await this.columnsOf(tx, fields);
    await this.write(tx, marker, columns);
    if (artistIds === undefined) return;
    const before = marker.artists.map(({ id }) => id);
    await tx.createQueryBuilder().relation(Marker, 'artists').of(marker.id).addAndRemove(artistIds, before);
  }

  async setDeleted(tx: EntityManager, marker: Marker, deletedAt: Date | null): Promise<void> {
    await this.write(tx, marker, { deletedAt });
  }

  private async write(tx: EntityManager, { id, version }: Marker, columns: Partial<Marker>): Promise<void> {
    await tx.update(Marker, { id }, { ...columns, version: version + 1, updatedAt: new Date() });
  }

  /** Fields of an edit as columns. @throws ApiError 422 `unknown_artist` */
  private async columnsOf(
    tx: EntityManager,
    { location, artistIds, medium, tags, ...rest }: ArtworkFields,
  ): Promise<Partial<Marker> & { artistIds?: string[] }> {
    await this.check(tx, { artistIds });
    return {
      ...rest,
      ...(medium !== undefined && { medium: medium ?? [] }),
      ...(tags !== undefined && { tags: tags ?? [] }),
      ...(artistIds !== undefined && { artistIds: artistIds ?? [] }),
      ...(location && {
        latE7: Math.round(location.lat * 1e7),
        lonE7: Math.round(location.lon * 1e7),
        regionId: await this.regions.at(tx, location),
      }),
    };
  }
}
