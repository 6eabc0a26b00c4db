import { generateId } from '../../platform/database/ids.js';
import type { Artist } from '../artists/artist.entity.js';
import { toPointE7 } from '../regions/geo.js';
import { type Location, toLocation } from '../regions/location.dto.js';
import type { RegionLocator } from '../regions/regions.service.js';
import type { ArtworkFields } from './marker.dto.js';
import type { Marker } from './marker.entity.js';
import { getImageUrl, type Photo, toPhoto } from './photo.dto.js';

/** Fields of a new marker. A marker with a place type is a place. */
export type NewMarker = ArtworkFields &
  Required<Pick<ArtworkFields, 'title' | 'location'>> & { id?: string; placeType?: string | null };

/** Columns of a marker's location. */
export type LocationColumns = Pick<Marker, 'latE7' | 'lonE7' | 'regionId'>;

/** Creates the row of a new marker. */
export function createMarkerRow({ id, placeType = null, ...fields }: NewMarker, locateRegion: RegionLocator): Marker {
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
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    lockedAt: null,
    openEditCount: 0,
    ...toFieldColumns(fields),
    photos: changePhotos([], fields),
    ...toLocationColumns(location, locateRegion),
    artists: toArtistReferences(artistIds ?? []),
  };
}

/**
 * Returns a row with changed fields.
 * @param location the columns of the new location, if it changes
 */
export function changeMarkerRow(marker: Marker, fields: ArtworkFields, location: LocationColumns | undefined): Marker {
  return {
    ...marker,
    ...toFieldColumns(fields),
    photos: changePhotos(marker.photos, fields),
    ...location,
    artists: fields.artistIds === undefined ? marker.artists : toArtistReferences(fields.artistIds ?? []),
  };
}

/** Returns the fields of an artwork that edits can change. */
export function toArtworkFields(marker: Marker): Required<ArtworkFields> {
  const { title, description, status, medium, year, address, tags, photos, artists } = marker;
  const artistIds = artists.map(({ id }) => id).sort();
  const location = toLocation(marker);
  const imageUrl = getImageUrl(marker);
  return { title, description, status, medium, artistIds, year, location, address, tags, imageUrl, photos };
}

/** Converts a location to columns. */
export function toLocationColumns(location: Location, locateRegion: RegionLocator): LocationColumns {
  return { ...toPointE7(location), regionId: locateRegion(location) };
}

/** Returns the artists that are not among the others. */
export function subtractArtists(artists: Artist[], others: Artist[]): Artist[] {
  return artists.filter(({ id }) => !others.some((other) => other.id === id));
}

/** Returns the number of these artworks by each artist. */
export function countArtworksByArtist(markers: Marker[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id } of markers.flatMap(({ artists }) => artists)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * Returns the photos after an edit. A new `imageUrl` replaces the first photo, and an empty one
 * removes it.
 */
function changePhotos(before: Photo[], { photos, imageUrl }: ArtworkFields): Photo[] {
  if (photos !== undefined) return photos ?? [];
  if (imageUrl === undefined || imageUrl === getImageUrl({ photos: before })) return before;
  return [...(imageUrl === null ? [] : [toPhoto(imageUrl)]), ...before.slice(1)];
}

/** Converts the fields of an edit to columns. A cleared list is an empty list. */
function toFieldColumns({
  location: _,
  artistIds: __,
  imageUrl: ___,
  photos: ____,
  medium,
  tags,
  ...rest
}: ArtworkFields): Partial<Marker> {
  return {
    ...rest,
    ...(medium !== undefined && { medium: medium ?? [] }),
    ...(tags !== undefined && { tags: tags ?? [] }),
  };
}

/** Writing a marker needs only the ids of its artists. */
function toArtistReferences(ids: string[]): Artist[] {
  return ids.map((id) => ({ id }) as Artist);
}
