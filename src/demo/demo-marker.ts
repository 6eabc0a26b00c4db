import type { NewMarker } from '../markers/markers-store.js';
import { artistId } from './artists.data.js';

/** A marker of the demo: one that is locked only a moderator changes; one that is deleted is no longer on the map. */
export type DemoMarker = NewMarker & { id: string; locked?: true; deleted?: true };

/** What is known of a marker beside its title and location; artists by name. */
type Details = Omit<DemoMarker, 'id' | 'title' | 'location' | 'artistIds'> & { by?: string[] };

/** A marker that has no id yet: that comes from its place in the list of all. */
export function marker(title: string, lat: number, lon: number, details: Details): Omit<DemoMarker, 'id'> {
  const { by = [], ...rest } = details;
  return { title, location: { lat, lon }, artistIds: by.map(artistId).sort(), ...rest };
}
