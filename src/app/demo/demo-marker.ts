import type { NewMarker } from '../../map/markers/markers.store.js';
import { findArtistId } from './artists.data.js';

/** A marker of the demo: one that is locked only a moderator changes; one that is deleted is no longer on the map. */
export type DemoMarker = NewMarker & { id: string; locked?: true; deleted?: true };

/** What is known of a marker beside its title and location; artists by name. */
type MarkerDetails = Omit<DemoMarker, 'id' | 'title' | 'location' | 'artistIds'> & { artistNames?: string[] };

/** A marker that has no id yet: that comes from its place in the list of all. */
export function defineMarker(title: string, lat: number, lon: number, details: MarkerDetails): Omit<DemoMarker, 'id'> {
  const { artistNames = [], ...rest } = details;
  return { title, location: { lat, lon }, artistIds: artistNames.map(findArtistId).sort(), ...rest };
}
