import { Inject, Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull } from 'typeorm';
import { insertRows, query } from '../../platform/database/query.js';
import { Artist } from '../artists/artist.entity.js';
import type { Marker } from './marker.entity.js';
import type { Area, PointE7 } from '../regions/geo.js';
import { tokenize, toSearchText } from '../text-search/text-folding.js';
import {
  type IndexedMarker,
  type IndexedMarkerRow,
  SEARCH_ADAPTER,
  type SearchAdapter,
} from './search/search-adapter.js';
import { formatFacet, toMediumBits, toTitleKey } from './search/search-conditions.js';

/** Columns of `marker_search` that name a marker and its row. */
interface SearchRow {
  row_number: number;
  marker_id: string;
}

/** An artwork with its place on the map. */
export interface LocatedArtwork extends PointE7 {
  id: string;
  title: string;
}

/** Writes the search index of markers, in the transaction that writes the marker. */
@Injectable()
export class MarkerIndexStore {
  constructor(@Inject(SEARCH_ADAPTER) private readonly adapter: SearchAdapter) {}

  /** Adds new markers, with their artists, to the index. */
  async add(tx: EntityManager, markers: Marker[]): Promise<void> {
    const indexed = await toIndexedMarkers(tx, markers);
    const rows = indexed.map((marker) => this.toColumns(marker));
    if (rows.length === 0) return;
    const into = { table: 'marker_search', columns: Object.keys(rows[0]!), returning: 'row_number, marker_id' };
    const written = await insertRows<SearchRow>(tx, into, rows.map(Object.values));
    await this.insertIndexEntries(tx, toIndexedRows(written, indexed));
  }

  /**
   * Updates markers that were changed, deleted or restored, or whose artists were renamed. They
   * keep their numbers. Adds a marker if the index does not contain it, because an older version of
   * the service wrote it.
   */
  async update(tx: EntityManager, markers: Marker[]): Promise<void> {
    if (markers.length === 0) return;
    const sql = 'SELECT row_number, marker_id FROM marker_search WHERE marker_id IN (:...ids)';
    const known = await query<SearchRow>(tx, sql, { ids: markers.map(({ id }) => id) });
    const knownIds = new Set(known.map(({ marker_id }) => marker_id));
    await this.rewrite(tx, toIndexedRows(known, await toIndexedMarkers(tx, markers)));
    await this.add(
      tx,
      markers.filter(({ id }) => !knownIds.has(id)),
    );
  }

  /** Returns live artworks in areas, with their titles, up to a limit. */
  async listArtworksInAreas(manager: EntityManager, areas: Area[], limit: number): Promise<LocatedArtwork[]> {
    const { sql, parameters } = this.adapter.selectInAreas(areas);
    const rows = `SELECT m.id, m.title, m.lat_e7 AS "latE7", m.lon_e7 AS "lonE7" FROM marker_search s
      JOIN markers m ON m.id = s.marker_id WHERE s.row_number IN (${sql}) AND s.kind = 'artwork' LIMIT :limit`;
    return query<LocatedArtwork>(manager, rows, { ...parameters, limit });
  }

  private async rewrite(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void> {
    if (rows.length === 0) return;
    const columns = rows.map(({ rowNumber, marker }): Record<string, unknown> => ({
      row_number: rowNumber,
      ...this.toColumns(marker),
    }));
    const names = Object.keys(columns[0]!);
    const changes = names.filter((name) => name !== 'row_number').map((name) => `${name} = excluded.${name}`);
    const onConflict = `(row_number) DO UPDATE SET ${changes.join(', ')}`;
    await insertRows(tx, { table: 'marker_search', columns: names, onConflict }, columns.map(Object.values));
    const rowNumbers = rows.map(({ rowNumber }) => rowNumber);
    await this.adapter.deleteIndexEntries(tx, rowNumbers);
    await query(tx, 'DELETE FROM marker_facets WHERE row_number IN (:...rowNumbers)', { rowNumbers });
    await this.insertIndexEntries(tx, rows);
  }

  private async insertIndexEntries(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void> {
    const live = rows.filter(({ marker }) => marker.live);
    if (live.length === 0) return;
    await this.adapter.insertIndexEntries(tx, live);
    await this.insertWords(tx, live);
    const facets = live.flatMap(({ rowNumber, marker }) =>
      [...new Set(marker.facets)].map((facet) => [facet, rowNumber]),
    );
    await insertRows(tx, { table: 'marker_facets', columns: ['facet', 'row_number'] }, facets);
  }

  /** Adds the words to those that complete the beginning of a word. They are never removed. */
  private async insertWords(tx: EntityManager, rows: IndexedMarkerRow[]): Promise<void> {
    const texts = rows.flatMap(({ marker }) => marker.searchTexts);
    const words = [...new Set(texts.flatMap((text) => text.match(/[^ |]+/g) ?? []))].sort();
    const into = { table: 'marker_words', columns: ['word'], onConflict: 'DO NOTHING' };
    await insertRows(
      tx,
      into,
      words.map((word) => [word]),
    );
  }

  private toColumns(marker: IndexedMarker): Record<string, unknown> {
    return { ...marker.columns, ...this.adapter.toColumns(marker) };
  }
}

/** Loads the names of the live artists, which belong to the searched texts. */
async function toIndexedMarkers(tx: EntityManager, markers: Marker[]): Promise<IndexedMarker[]> {
  const ids = [...new Set(markers.flatMap(({ artists }) => artists.map(({ id }) => id)))];
  const artists = ids.length > 0 ? await tx.findBy(Artist, { id: In(ids), deletedAt: IsNull() }) : [];
  const byId = new Map(artists.map((artist) => [artist.id, artist]));
  return markers.map((marker) =>
    toIndexedMarker(
      marker,
      marker.artists.flatMap(({ id }) => byId.get(id) ?? []),
    ),
  );
}

function toIndexedRows(rows: SearchRow[], markers: IndexedMarker[]): IndexedMarkerRow[] {
  const rowNumbers = new Map(rows.map(({ row_number, marker_id }) => [marker_id, row_number]));
  return markers.flatMap((marker) => {
    const rowNumber = rowNumbers.get(marker.markerId);
    return rowNumber === undefined ? [] : [{ rowNumber, marker }];
  });
}

/** Maps a marker and its live artists to the entries of the index. */
function toIndexedMarker(marker: Marker, artists: Artist[]): IndexedMarker {
  const { id, latE7, lonE7, kind, status, placeType, regionId, medium, year, updatedAt, deletedAt } = marker;
  return {
    markerId: id,
    live: deletedAt === null,
    location: { latE7, lonE7 },
    columns: {
      marker_id: id,
      lat_e7: latE7,
      lon_e7: lonE7,
      kind,
      status,
      place_type: placeType,
      region_id: regionId,
      medium_bits: toMediumBits(medium),
      year,
      updated_at: updatedAt.getTime(),
      title_key: toTitleKey(tokenize(marker.title)),
    },
    facets: [...marker.artists.map((artist) => formatFacet.artist(artist.id)), ...marker.tags.map(formatFacet.tag)],
    searchTexts: toSearchTexts(marker, artists),
  };
}

/** Returns the texts of a marker, in the order in which a search prefers them. */
function toSearchTexts({ title, tags, address, description, placeType }: Marker, artists: Artist[]): string[] {
  const names = artists.flatMap(({ name, aliases }) => [name, ...aliases]);
  return [[title], names, tags, [address], [description, placeType]].map((texts) => toSearchText(...texts));
}
