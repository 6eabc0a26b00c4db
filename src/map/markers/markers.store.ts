import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import type { Artist } from '../artists/artist.entity.js';
import { ArtistsStore, createUnknownArtistError } from '../artists/artists.store.js';
import { lockRow } from '../../platform/database/lock-row.js';
import { isId, generateId } from '../../platform/database/ids.js';
import { type Authorship, HistoryService } from '../history/history.service.js';
import type { ApiError } from '../../platform/http/api-error.js';
import { insertRows } from '../../platform/database/query.js';
import { toLocation } from '../regions/location.dto.js';
import type { ArtworkFields } from './marker.dto.js';
import { Marker } from './marker.entity.js';
import { type RegionLocator, RegionsService } from '../regions/regions.service.js';
import { MarkerIndexStore } from './search/marker-index.store.js';
import { toPointE7 } from '../regions/geo.js';

/** A new marker's fields; a place has a type. */
export type NewMarker = ArtworkFields &
  Required<Pick<ArtworkFields, 'title' | 'location'>> & { id?: string; placeType?: string | null };

/** How many new markers are written at once. */
const INSERT_BATCH_SIZE = 200;

/** Writes markers: the row, its artists, its history and the search index change together. */
@Injectable()
export class MarkersStore {
  constructor(
    @InjectRepository(Marker) private readonly markers: Repository<Marker>,
    private readonly artists: ArtistsStore,
    private readonly regions: RegionsService,
    private readonly index: MarkerIndexStore,
    private readonly history: HistoryService,
  ) {}

  /** The live markers among these ids, by id; without their artists. */
  async findLive(tx: EntityManager, ids: string[]): Promise<Map<string, Marker>> {
    const rows = await tx.findBy(Marker, { id: In(ids.filter((id) => isId('mrk', id))), deletedAt: IsNull() });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** What an edit may change of an artwork, as it stands. */
  toFieldValues(marker: Marker): Required<ArtworkFields> {
    const { title, description, status, medium, year, address, tags, imageUrl, artists } = marker;
    const artistIds = artists.map(({ id }) => id).sort();
    const location = toLocation(marker);
    return { title, description, status, medium, artistIds, year, location, address, tags, imageUrl };
  }

  /** The marker, whether live or deleted, held for a transaction that will change it. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Marker | null> {
    return isId('mrk', id) ? lockRow(tx, Marker, { where: { id }, relations: { artists: true } }) : null;
  }

  /** The markers among these ids, whether live or deleted, for looking at. */
  async findMany(ids: string[]): Promise<Marker[]> {
    const known = ids.filter((id) => isId('mrk', id));
    const found = { where: { id: In(known) }, relations: { artists: true }, relationLoadStrategy: 'query' } as const;
    return known.length > 0 ? this.markers.find(found) : [];
  }

  /** What is wrong with giving an artwork these fields: 422 where there is no such artist. */
  async validateReferences(
    { artistIds }: Pick<ArtworkFields, 'artistIds'>,
    tx: EntityManager,
  ): Promise<ApiError | undefined> {
    const [unknown] = await this.artists.findUnknownIds(artistIds ?? [], tx);
    return unknown === undefined ? undefined : createUnknownArtistError(unknown);
  }

  /** @param by the edit that makes it; none for what an operator brings in */
  async create(tx: EntityManager, given: NewMarker, by?: Authorship): Promise<Marker> {
    const [marker] = await this.createMany(tx, [given]);
    if (by) await this.history.recordCreation(tx, marker!.id, this.toFieldValues(marker!), by);
    return marker!;
  }

  /** Many at once; of live artists. */
  async createMany(tx: EntityManager, given: NewMarker[]): Promise<Marker[]> {
    const regionAt = await this.regions.createLocator(tx);
    const markers = given.map((marker) => buildMarker(marker, regionAt));
    for (let at = 0; at < markers.length; at += INSERT_BATCH_SIZE)
      await this.insert(tx, markers.slice(at, at + INSERT_BATCH_SIZE));
    return markers;
  }

  async update(tx: EntityManager, marker: Marker, fields: ArtworkFields, by: Authorship): Promise<void> {
    const before = this.toFieldValues(marker);
    const regionAt = await this.regions.createLocator(tx);
    const columns = { ...toColumns(fields), ...(fields.location && toLocationColumns(fields.location, regionAt)) };
    const artists = fields.artistIds === undefined ? marker.artists : toArtistReferences(fields.artistIds ?? []);
    const written = await this.updateRow(tx, { ...marker, ...columns, artists });
    await this.updateArtistLinks(tx, marker, written);
    await this.history.recordChange(
      tx,
      { target: marker, action: 'changed', before: before, after: this.toFieldValues(written) },
      by,
    );
  }

  /** Where a place lies, as a row has it. */
  async resolveLocation(
    tx: EntityManager,
    location: NewMarker['location'],
  ): Promise<ReturnType<typeof toLocationColumns>> {
    return toLocationColumns(location, await this.regions.createLocator(tx));
  }

  /** Deletes an artwork, or brings it back. @param by the edit that does; none where an operator does */
  async setDeleted(tx: EntityManager, marker: Marker, deletedAt: Date | null, by?: Authorship): Promise<void> {
    await this.updateRow(tx, { ...marker, deletedAt });
    await this.artists.adjustArtworkCounts(tx, toCountDeltas(marker.artists, deletedAt ? -1 : 1));
    const fields = this.toFieldValues(marker);
    const action = deletedAt ? 'deleted' : 'restored';
    if (by) await this.history.recordChange(tx, { target: marker, action, before: fields, after: fields }, by);
  }

  /** One more, or one less, open edit of a marker. */
  async adjustOpenEditCount(tx: EntityManager, id: string, by: 1 | -1): Promise<void> {
    await tx.increment(Marker, { id }, 'openEditCount', by);
  }

  private async insert(tx: EntityManager, markers: Marker[]): Promise<void> {
    await tx.insert(
      Marker,
      markers.map(({ artists: _, ...row }) => row),
    );
    const links = markers.flatMap((marker) => marker.artists.map((artist) => [marker.id, artist.id]));
    await insertRows(tx, { table: 'marker_artists', columns: ['marker_id', 'artist_id'] }, links);
    await this.artists.adjustArtworkCounts(tx, countArtworksByArtist(markers));
    await this.index.add(tx, markers);
  }

  private async updateRow(tx: EntityManager, marker: Marker): Promise<Marker> {
    const { artists: _, region: __, openEditCount: ___, ...row } = marker;
    const written = { ...row, version: marker.version + 1, updatedAt: new Date() };
    await tx.update(Marker, { id: marker.id }, written);
    const after = { ...marker, ...written };
    await this.index.update(tx, after);
    return after;
  }

  private async updateArtistLinks(tx: EntityManager, before: Marker, after: Marker): Promise<void> {
    const [removed, added] = [
      subtractArtists(before.artists, after.artists),
      subtractArtists(after.artists, before.artists),
    ];
    const ids = (artists: Artist[]): string[] => artists.map(({ id }) => id);
    await tx.createQueryBuilder().relation(Marker, 'artists').of(after.id).addAndRemove(ids(added), ids(removed));
    await this.artists.adjustArtworkCounts(tx, new Map([...toCountDeltas(removed, -1), ...toCountDeltas(added, 1)]));
  }
}

function buildMarker({ id, placeType = null, ...fields }: NewMarker, regionAt: RegionLocator): Marker {
  const now = new Date();
  const { artistIds, location } = fields;
  return {
    id: id ?? generateId('mrk'),
    kind: placeType === null ? 'artwork' : 'place',
    placeType,
    title: fields.title,
    description: null,
    status: 'present',
    medium: [],
    address: null,
    region: null,
    year: null,
    tags: [],
    imageUrl: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    lockedAt: null,
    openEditCount: 0,
    ...toColumns(fields),
    ...toLocationColumns(location, regionAt),
    artists: toArtistReferences(artistIds ?? []),
  };
}

/** Fields of an edit as columns: what is cleared is an empty list where the column is one. */
function toColumns({ location: _, artistIds: __, medium, tags, ...rest }: ArtworkFields): Partial<Marker> {
  return {
    ...rest,
    ...(medium !== undefined && { medium: medium ?? [] }),
    ...(tags !== undefined && { tags: tags ?? [] }),
  };
}

function toLocationColumns(
  location: NewMarker['location'],
  regionAt: RegionLocator,
): Pick<Marker, 'latE7' | 'lonE7' | 'regionId'> {
  return { ...toPointE7(location), regionId: regionAt(location) };
}

/** Artists of which no more than the id is needed. */
function toArtistReferences(ids: string[]): Artist[] {
  return ids.map((id) => ({ id }) as Artist);
}

function subtractArtists(artists: Artist[], others: Artist[]): Artist[] {
  return artists.filter(({ id }) => !others.some((other) => other.id === id));
}

/** So many artworks more for each. */
function toCountDeltas(artists: Artist[], by: 1 | -1): Map<string, number> {
  return new Map(artists.map(({ id }) => [id, by]));
}

/** How many of these artworks each artist has. */
function countArtworksByArtist(markers: Marker[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id } of markers.flatMap(({ artists }) => artists)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
