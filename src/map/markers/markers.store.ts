import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOperator, In, IsNull, Raw, type Repository } from 'typeorm';
import type { Artist } from '../artists/artist.entity.js';
import { ArtistRenamesService } from '../artists/artist-renames.service.js';
import { ArtistsStore } from '../artists/artists.store.js';
import { ChangeLog } from '../changes/change-log.js';
import { isId } from '../../platform/database/ids.js';
import { lockRow, lockRows } from '../../platform/database/lock-row.js';
import { insertRows, query } from '../../platform/database/query.js';
import { type ChangeAuthor, HistoryService } from '../history/history.service.js';
import type { Area } from '../regions/geo.js';
import type { Location } from '../regions/location.dto.js';
import { RegionsService } from '../regions/regions.service.js';
import type { ArtworkFields } from './marker.dto.js';
import { Marker } from './marker.entity.js';
import {
  changeMarkerRow,
  countArtworksByArtist,
  createMarkerRow,
  type LocationColumns,
  type NewMarker,
  subtractArtists,
  toArtworkFields,
  toLocationColumns,
} from './marker-row.js';
import { PreparedMarkersStore } from './responses/prepared-markers.store.js';
import { type LocatedArtwork, MarkerIndexStore } from './marker-index.store.js';

export type { NewMarker };

/** Number of markers that are read and written again together. */
const REFRESH_BATCH_SIZE = 500;

/** Number of new markers per INSERT statement. */
const INSERT_BATCH_SIZE = 200;

/**
 * Data access for markers. A write changes the row, its artists, its history, the search index and
 * the prepared response together.
 */
@Injectable()
export class MarkersStore implements OnModuleInit {
  constructor(
    @InjectRepository(Marker) private readonly markers: Repository<Marker>,
    private readonly artists: ArtistsStore,
    private readonly regions: RegionsService,
    private readonly index: MarkerIndexStore,
    private readonly responses: PreparedMarkersStore,
    private readonly history: HistoryService,
    private readonly renames: ArtistRenamesService,
    private readonly changeLog: ChangeLog,
  ) {}

  onModuleInit(): void {
    this.renames.register(async (tx, artistId) => this.refresh(tx, await this.findIdsByArtist(tx, artistId)));
  }

  /** Returns live markers by id, without their artists. Skips unknown ids. */
  async findLive(tx: EntityManager, ids: string[]): Promise<Map<string, Marker>> {
    const rows = await tx.findBy(Marker, { id: In(ids.filter((id) => isId('mrk', id))), deletedAt: IsNull() });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Returns those of the ids that a live or deleted marker has. */
  async findExisting(tx: EntityManager, ids: string[]): Promise<Set<string>> {
    const where = { id: In(ids.filter((id) => isId('mrk', id))) };
    return new Set((await tx.find(Marker, { select: { id: true }, where })).map(({ id }) => id));
  }

  /** Returns live and deleted markers with their artists, in no order. Skips unknown ids. */
  async findMany(ids: string[]): Promise<Marker[]> {
    const known = ids.filter((id) => isId('mrk', id));
    if (known.length === 0) return [];
    return this.markers.find({
      where: { id: In(known) },
      relations: { artists: true },
      relationLoadStrategy: 'query',
    });
  }

  /** Returns live artworks in areas, with their titles, up to a limit. */
  listArtworksInAreas(areas: Area[], limit: number, manager = this.markers.manager): Promise<LocatedArtwork[]> {
    return this.index.listArtworksInAreas(manager, areas, limit);
  }

  /** Writes what the service derives from markers again, for example their search index. */
  async refresh(tx: EntityManager, ids: string[]): Promise<void> {
    const sorted = ids.toSorted();
    for (let start = 0; start < sorted.length; start += REFRESH_BATCH_SIZE) {
      const batch = sorted.slice(start, start + REFRESH_BATCH_SIZE);
      await lockRows(tx, Marker, batch);
      await this.index.update(tx, await tx.find(Marker, { where: { id: In(batch) }, relations: { artists: true } }));
      await this.responses.prepare(tx, batch);
    }
  }

  /** Locks a live or deleted marker and returns it with its artists. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Marker | null> {
    if (!isId('mrk', id)) return null;
    await this.renames.prevent(tx);
    return lockRow(tx, Marker, { where: { id }, relations: { artists: true } });
  }

  /** Locks live or deleted markers, and prevents renames of their artists. */
  async lockForUpdate(tx: EntityManager, ids: string[]): Promise<void> {
    await this.renames.prevent(tx);
    await lockRows(tx, Marker, ids);
  }

  /** Returns the fields that edits can change. */
  toFieldValues(marker: Marker): Required<ArtworkFields> {
    return toArtworkFields(marker);
  }

  /** @param by the edit that creates the marker; undefined for the demo and for operators */
  async create(tx: EntityManager, fields: NewMarker, by?: ChangeAuthor): Promise<Marker> {
    const [marker] = await this.createMany(tx, [fields]);
    if (by) await this.history.recordCreation(tx, marker!.id, toArtworkFields(marker!), by);
    return marker!;
  }

  /** @throws DomainError `unknown_artist` if an artist does not exist or was deleted */
  async createMany(tx: EntityManager, markers: NewMarker[]): Promise<Marker[]> {
    const locateRegion = await this.regions.createLocator(tx);
    const rows = markers.map((fields) => createMarkerRow(fields, locateRegion));
    for (let start = 0; start < rows.length; start += INSERT_BATCH_SIZE)
      await this.insert(tx, rows.slice(start, start + INSERT_BATCH_SIZE));
    return rows;
  }

  /** Changes fields of a marker and returns the new row. */
  async update(tx: EntityManager, marker: Marker, fields: ArtworkFields, by: ChangeAuthor): Promise<Marker> {
    const location = fields.location && (await this.resolveLocation(tx, fields.location));
    const written = await this.updateRow(tx, changeMarkerRow(marker, fields, location));
    await this.updateArtistLinks(tx, marker, written);
    await this.index.update(tx, [written]);
    await this.responses.prepare(tx, [marker.id]);
    const [before, after] = [toArtworkFields(marker), toArtworkFields(written)];
    await this.history.recordChange(tx, { target: marker, action: 'changed', before, after }, by);
    return written;
  }

  /** Returns the columns of a location, with its region. */
  async resolveLocation(tx: EntityManager, location: Location): Promise<LocationColumns> {
    return toLocationColumns(location, await this.regions.createLocator(tx));
  }

  /**
   * Deletes or restores a marker and returns the new row.
   * @param by undefined for the demo and for operators
   */
  async setDeleted(tx: EntityManager, marker: Marker, deletedAt: Date | null, by?: ChangeAuthor): Promise<Marker> {
    const written = await this.updateRow(tx, { ...marker, deletedAt });
    await this.index.update(tx, [written]);
    await this.responses.prepare(tx, [marker.id]);
    await this.artists.adjustArtworkCounts(tx, toCountDeltas(marker.artists, deletedAt ? -1 : 1));
    const fields = toArtworkFields(marker);
    const action = deletedAt ? 'deleted' : 'restored';
    if (by) await this.history.recordChange(tx, { target: marker, action, before: fields, after: fields }, by);
    return written;
  }

  /** Only moderators can accept edits of a locked marker. */
  async lock(tx: EntityManager, ids: string[], lockedAt: Date | null): Promise<void> {
    await tx.update(Marker, { id: In(ids) }, { lockedAt });
    await this.responses.prepare(tx, ids);
  }

  async adjustOpenEditCount(tx: EntityManager, ids: string[], by: number): Promise<void> {
    await tx.increment(Marker, { id: In(ids) }, 'openEditCount', by);
    await this.responses.prepare(tx, ids);
  }

  private async findIdsByArtist(tx: EntityManager, artistId: string): Promise<string[]> {
    const sql = 'SELECT marker_id FROM marker_artists WHERE artist_id = :artistId';
    return (await query<{ marker_id: string }>(tx, sql, { artistId })).map(({ marker_id }) => marker_id);
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
    const ids = markers.map(({ id }) => id);
    await this.responses.prepare(tx, ids);
    this.changeLog.record(tx, 'marker', ids);
  }

  private async updateRow(tx: EntityManager, marker: Marker): Promise<Marker> {
    const { artists: _, region: __, openEditCount: ___, ...row } = marker;
    const written = { ...row, version: marker.version + 1, updatedAt: new Date() };
    await tx.update(Marker, { id: marker.id }, written);
    this.changeLog.record(tx, 'marker', [marker.id]);
    return { ...marker, ...written };
  }

  private async updateArtistLinks(tx: EntityManager, before: Marker, after: Marker): Promise<void> {
    const removed = subtractArtists(before.artists, after.artists);
    const added = subtractArtists(after.artists, before.artists);
    const toIds = (artists: Artist[]): string[] => artists.map(({ id }) => id);
    await tx.createQueryBuilder().relation(Marker, 'artists').of(after.id).addAndRemove(toIds(added), toIds(removed));
    await this.artists.adjustArtworkCounts(tx, new Map([...toCountDeltas(removed, -1), ...toCountDeltas(added, 1)]));
  }
}

/** Condition on a column with ids of markers: the marker is in one of the regions. */
export function isMarkerInRegions(regions: string[]): FindOperator<string> {
  const markers = `SELECT "id" FROM "markers" WHERE "region_id" IN (:...regions)`;
  return Raw((column) => `${column} IN (${markers})`, { regions }) as FindOperator<string>;
}

function toCountDeltas(artists: Artist[], by: 1 | -1): Map<string, number> {
  return new Map(artists.map(({ id }) => [id, by]));
}
