import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import type { Artist } from '../artists/artist.entity.js';
import { ArtistsStore, unknownArtist } from '../artists/artists-store.js';
import { holdRow } from '../database/hold-row.js';
import { isId, newId } from '../database/ids.js';
import { type Authorship, History } from '../history/history.service.js';
import type { ApiError } from '../http/api-error.js';
import { insertRows } from '../database/query.js';
import { type ArtworkFields, locationOf } from './marker.dto.js';
import { Marker } from './marker.entity.js';
import { RegionsService } from './regions.service.js';
import { MarkerIndex } from './search/marker-index.js';
import { placeAt } from './search/places.js';

/** A new marker's fields; a place has a type. */
export type NewMarker = ArtworkFields &
  Required<Pick<ArtworkFields, 'title' | 'location'>> & { id?: string; placeType?: string | null };

/** How many new markers are written at once. */
const BATCH = 200;

/** Writes markers: the row, its artists, its history and the search index change together. */
@Injectable()
export class MarkersStore {
  constructor(
    @InjectRepository(Marker) private readonly markers: Repository<Marker>,
    private readonly artists: ArtistsStore,
    private readonly regions: RegionsService,
    private readonly index: MarkerIndex,
    private readonly history: History,
  ) {}

  /** The live markers among these ids, by id; without their artists. */
  async liveAmong(tx: EntityManager, ids: string[]): Promise<Map<string, Marker>> {
    const rows = await tx.findBy(Marker, { id: In(ids.filter((id) => isId('mrk', id))), deletedAt: IsNull() });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** What an edit may change of an artwork, as it stands. */
  fieldsOf(marker: Marker): Required<ArtworkFields> {
    const { title, description, status, medium, year, address, tags, imageUrl, artists } = marker;
    const artistIds = artists.map(({ id }) => id).sort();
    const location = locationOf(marker);
    return { title, description, status, medium, artistIds, year, location, address, tags, imageUrl };
  }

  /** The marker, whether live or deleted, held for a transaction that will change it. */
  async hold(tx: EntityManager, id: string): Promise<Marker | null> {
    return isId('mrk', id) ? holdRow(tx, Marker, { where: { id }, relations: { artists: true } }) : null;
  }

  /** The markers among these ids, whether live or deleted, for looking at. */
  async look(ids: string[]): Promise<Marker[]> {
    const known = ids.filter((id) => isId('mrk', id));
    const found = { where: { id: In(known) }, relations: { artists: true }, relationLoadStrategy: 'query' } as const;
    return known.length > 0 ? this.markers.find(found) : [];
  }

  /** What is wrong with giving an artwork these fields: 422 where there is no such artist. */
  async check({ artistIds }: Pick<ArtworkFields, 'artistIds'>, tx: EntityManager): Promise<ApiError | undefined> {
    const [unknown] = await this.artists.unknownAmong(artistIds ?? [], tx);
    return unknown === undefined ? undefined : unknownArtist(unknown);
  }

  /** @param by the edit that makes it; none for what an operator brings in */
  async create(tx: EntityManager, given: NewMarker, by?: Authorship): Promise<Marker> {
    const [marker] = await this.createAll(tx, [given]);
    if (by) await this.history.begin(tx, marker!.id, this.fieldsOf(marker!), by);
    return marker!;
  }

  /** Many at once; of live artists. */
  async createAll(tx: EntityManager, given: NewMarker[]): Promise<Marker[]> {
    const regionAt = await this.regions.locator(tx);
    const markers = given.map((marker) => newMarker(marker, regionAt));
    for (let at = 0; at < markers.length; at += BATCH) await this.insert(tx, markers.slice(at, at + BATCH));
    return markers;
  }

  async change(tx: EntityManager, marker: Marker, fields: ArtworkFields, by: Authorship): Promise<void> {
    const before = this.fieldsOf(marker);
    const regionAt = await this.regions.locator(tx);
    const columns = { ...columnsOf(fields), ...(fields.location && placed(fields.location, regionAt)) };
    const artists = fields.artistIds === undefined ? marker.artists : refer(fields.artistIds ?? []);
    const written = await this.write(tx, { ...marker, ...columns, artists });
    await this.moveArtists(tx, marker, written);
    await this.history.add(
      tx,
      { target: marker, action: 'changed', before: before, after: this.fieldsOf(written) },
      by,
    );
  }

  /** Where a place lies, as a row has it. */
  async placeOf(tx: EntityManager, location: NewMarker['location']): Promise<ReturnType<typeof placed>> {
    return placed(location, await this.regions.locator(tx));
  }

  /** Deletes an artwork, or brings it back. @param by the edit that does; none where an operator does */
  async setDeleted(tx: EntityManager, marker: Marker, deletedAt: Date | null, by?: Authorship): Promise<void> {
    await this.write(tx, { ...marker, deletedAt });
    await this.artists.countArtworks(tx, counted(marker.artists, deletedAt ? -1 : 1));
    const fields = this.fieldsOf(marker);
    const action = deletedAt ? 'deleted' : 'restored';
    if (by) await this.history.add(tx, { target: marker, action, before: fields, after: fields }, by);
  }

  /** One more, or one less, open edit of a marker. */
  async countOpenEdits(tx: EntityManager, id: string, by: 1 | -1): Promise<void> {
    await tx.increment(Marker, { id }, 'openEditCount', by);
  }

  private async insert(tx: EntityManager, markers: Marker[]): Promise<void> {
    await tx.insert(
      Marker,
      markers.map(({ artists: _, ...row }) => row),
    );
    const links = markers.flatMap((marker) => marker.artists.map((artist) => [marker.id, artist.id]));
    await insertRows(tx, { table: 'marker_artists', columns: ['marker_id', 'artist_id'] }, links);
    await this.artists.countArtworks(tx, worksOf(markers));
    await this.index.add(tx, markers);
  }

  private async write(tx: EntityManager, marker: Marker): Promise<Marker> {
    const { artists: _, region: __, openEditCount: ___, ...row } = marker;
    const written = { ...row, version: marker.version + 1, updatedAt: new Date() };
    await tx.update(Marker, { id: marker.id }, written);
    const after = { ...marker, ...written };
    await this.index.update(tx, after);
    return after;
  }

  private async moveArtists(tx: EntityManager, before: Marker, after: Marker): Promise<void> {
    const [removed, added] = [without(before.artists, after.artists), without(after.artists, before.artists)];
    const ids = (artists: Artist[]): string[] => artists.map(({ id }) => id);
    await tx.createQueryBuilder().relation(Marker, 'artists').of(after.id).addAndRemove(ids(added), ids(removed));
    await this.artists.countArtworks(tx, new Map([...counted(removed, -1), ...counted(added, 1)]));
  }
}

function newMarker({ id, placeType = null, ...fields }: NewMarker, regionAt: RegionAt): Marker {
  const now = new Date();
  const { artistIds, location } = fields;
  return {
    id: id ?? newId('mrk'),
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
    ...columnsOf(fields),
    ...placed(location, regionAt),
    artists: refer(artistIds ?? []),
  };
}

type RegionAt = Awaited<ReturnType<RegionsService['locator']>>;

/** Fields of an edit as columns: what is cleared is an empty list where the column is one. */
function columnsOf({ location: _, artistIds: __, medium, tags, ...rest }: ArtworkFields): Partial<Marker> {
  return {
    ...rest,
    ...(medium !== undefined && { medium: medium ?? [] }),
    ...(tags !== undefined && { tags: tags ?? [] }),
  };
}

function placed(location: NewMarker['location'], regionAt: RegionAt): Pick<Marker, 'latE7' | 'lonE7' | 'regionId'> {
  return { ...placeAt(location), regionId: regionAt(location) };
}

/** Artists of which no more than the id is needed. */
function refer(ids: string[]): Artist[] {
  return ids.map((id) => ({ id }) as Artist);
}

function without(artists: Artist[], others: Artist[]): Artist[] {
  return artists.filter(({ id }) => !others.some((other) => other.id === id));
}

/** So many artworks more for each. */
function counted(artists: Artist[], by: 1 | -1): Map<string, number> {
  return new Map(artists.map(({ id }) => [id, by]));
}

/** How many of these artworks each artist has. */
function worksOf(markers: Marker[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id } of markers.flatMap(({ artists }) => artists)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
