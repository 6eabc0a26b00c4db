import type { Artist } from '../../artists/artist.entity.js';
import { tokenize, toSearchText } from '../../text-search/text-folding.js';
import type { Marker } from '../marker.entity.js';
import { formatFacet, toMediumBits } from './search-conditions.js';
import type { IndexedMarker } from './search.types.js';
import { toTitleKey } from './title-match.js';

/** Maps a marker and its live artists to the entries of the index. */
export function toIndexedMarker(marker: Marker, artists: Artist[]): IndexedMarker {
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
