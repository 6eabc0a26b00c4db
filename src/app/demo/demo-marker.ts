import type { NewMarker } from '../../map/markers/markers.store.js';
import { findArtistId } from './artists.data.js';

/** A marker of the demo. Only moderators can accept edits of a locked marker. */
export type DemoMarker = NewMarker & { id: string; locked?: true; deleted?: true };

/** Fields of a marker except title and location, with the names of artists instead of their ids. */
type MarkerDetails = Omit<DemoMarker, 'id' | 'title' | 'location' | 'artistIds'> & { artistNames?: string[] };

/** Creates a marker without an id. The id is its index in the list of all markers. */
export function defineMarker(title: string, lat: number, lon: number, details: MarkerDetails): Omit<DemoMarker, 'id'> {
  const { artistNames = [], ...rest } = details;
  return { title, location: { lat, lon }, artistIds: artistNames.map(findArtistId).sort(), ...rest };
}
