import { readFileSync } from 'node:fs';
import type { Role } from '../../identity/accounts/account.entity.js';
import type { AppListing } from '../../identity/apps/app.entity.js';
import type { Scope } from '../../identity/scopes/scopes.js';
import type { NewArtist } from '../../map/artists/artists.store.js';
import type { Visibility } from '../../map/collections/collection.entity.js';
import type { EditType, TargetType } from '../../map/edits/edit.entity.js';
import type { FieldValue } from '../../map/history/entity-version.entity.js';
import type { NewMarker } from '../../map/markers/markers.store.js';
import type { BoundingBox } from '../../map/regions/geo.js';
import type { IdPrefix } from '../../platform/database/ids.js';

const DEMO_FOLDER = new URL('../../../demo/', import.meta.url);

/** An account of the demo, with the names of the regions in which its role is valid. */
export interface DemoPerson {
  username: string;
  name: string;
  role: Role;
  regions?: string[];
  blockedReason?: string;
}

/** An app of the demo. */
export interface DemoApp {
  name: string;
  description: string;
  homePage?: string;
  redirectUris: string[];
  scopes: Scope[];
  listing?: AppListing;
}

/** An artist of the demo. Only moderators can accept edits of a locked artist. */
export type DemoArtist = NewArtist & { id: string; locked?: true };

/** A marker of the demo. Only moderators can accept edits of a locked marker. */
export type DemoMarker = NewMarker & { id: string; locked?: true; deleted?: true };

/** An edit of the demo. Edits are created in order, so that accepted edits change their targets. */
export interface DemoEdit {
  id: string;
  /** Username. */
  author: string;
  /** Name. */
  app: string;
  type: EditType;
  targetType: TargetType;
  /** For an accepted creation: the id of the new target. */
  targetId: string;
  /** New values of the fields. The old values are those of the target when the edit is created. */
  changes: Record<string, FieldValue>;
  comment: string;
  sourceUrl?: string;
  daysAgo: number;
  decision?: { status: 'accepted' | 'rejected' | 'superseded'; by?: string; comment?: string; daysAgo: number };
  /** Id of the edit that this edit replaced. */
  supersedes?: string;
  /** Id of the edit that this edit reverts. It is by the reviewer, and accepted. */
  reverts?: string;
}

/** A collection of the demo. */
export interface DemoCollection {
  id: string;
  /** Username. */
  owner: string;
  name: string;
  description: string | null;
  visibility: Visibility;
  /** Artworks in the order of the collection, with the notes of the owner. */
  items: { markerId: string; note: string | null }[];
}

/** Everything that the demo contains. */
export interface DemoData {
  regions: { name: string; box: BoundingBox }[];
  people: DemoPerson[];
  apps: DemoApp[];
  artists: DemoArtist[];
  /** Artworks, then places, before the edits of the demo. */
  markers: DemoMarker[];
  edits: DemoEdit[];
  collections: DemoCollection[];
}

/** A file with GeoJSON (RFC 7946). */
interface FeatureCollection<Feature> {
  features: Feature[];
}

interface RegionFeature {
  bbox: BoundingBox;
  properties: { name: string };
}

interface MarkerFeature {
  id: string;
  geometry: { coordinates: [lon: number, lat: number] };
  /** Fields of the marker, with the names of its artists. */
  properties: Omit<DemoMarker, 'id' | 'location' | 'artistIds'> & { artists?: string[] };
}

/** An edit in its file: `target` is the title or name of an existing target. */
type EditRecord = DemoEdit & { target?: string };

type CollectionRecord = Omit<DemoCollection, 'items'> & { artworks: { title: string; note?: string }[] };

/**
 * Reads the files in `demo`. In the files, names and titles refer to artists and artworks.
 * @throws Error if a name or title does not exist
 */
export function readDemoData(): DemoData {
  const artists = readFile<DemoArtist[]>('artists.json');
  const artistIds = new Map(artists.map(({ id, name }) => [name, id]));
  const markers = ['artworks.geojson', 'places.geojson']
    .flatMap((file) => readFile<FeatureCollection<MarkerFeature>>(file).features)
    .map((feature) => toMarker(feature, artistIds));
  const markerIds = new Map(markers.map(({ id, title }) => [title, id]));
  const edits = readFile<EditRecord[]>('edits.json').map(({ target, ...edit }) =>
    target === undefined
      ? edit
      : { ...edit, targetId: findId(edit.targetType === 'artist' ? artistIds : markerIds, target) },
  );
  for (const { changes, targetId } of edits) {
    if (typeof changes['title'] === 'string') markerIds.set(changes['title'], targetId);
  }
  return {
    regions: readFile<FeatureCollection<RegionFeature>>('regions.geojson').features.map(
      ({ bbox, properties: { name } }) => ({ name, box: bbox }),
    ),
    people: readFile('people.json'),
    apps: readFile('apps.json'),
    artists,
    markers,
    edits,
    collections: readFile<CollectionRecord[]>('collections.json').map(({ artworks, ...collection }) => ({
      ...collection,
      items: artworks.map(({ title, note = null }) => ({ markerId: findId(markerIds, title), note })),
    })),
  };
}

/**
 * Returns the id of a row of the demo. It is the same in every database, so that the documentation
 * can use it.
 */
export function buildDemoId(prefix: IdPrefix, number: number): string {
  return `${prefix}_01JDEM0000${String(number).padStart(16, '0')}`;
}

function readFile<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(name, DEMO_FOLDER), 'utf8')) as Content;
}

function toMarker({ id, geometry, properties }: MarkerFeature, artistIds: Map<string, string>): DemoMarker {
  const { artists = [], ...fields } = properties;
  const [lon, lat] = geometry.coordinates;
  return { id, location: { lat, lon }, artistIds: artists.map((name) => findId(artistIds, name)).sort(), ...fields };
}

function findId(ids: Map<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo has no artist and no marker ${name}.`);
  return id;
}
