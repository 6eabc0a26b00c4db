import type { Visibility } from '../../map/collections/collection.entity.js';
import { buildDemoId } from './demo-id.js';
import { findMarkerId, MARKERS, SUGGESTED_ARTWORK_ID } from './markers.data.js';

/** A collection of the demo. */
export interface DemoCollection {
  id: string;
  /** Username. */
  owner: string;
  name: string;
  description: string | null;
  visibility: Visibility;
  /** Ids of artworks, in the order of the collection. */
  markerIds: string[];
  /** Notes of the owner, by the id of the artwork. */
  notes?: Record<string, string>;
}

const liveArtworks = MARKERS.filter(({ deleted, placeType }) => !deleted && !placeType).map(({ id }) => id);

const collections: Omit<DemoCollection, 'id'>[] = [
  {
    owner: 'mila',
    name: 'Everything by the water',
    description: 'Harbours, quays and one dry canal. Best at low tide.',
    visibility: 'public',
    markerIds: ['Tall Tide 🌊', 'Canal Choir', 'Якорь', 'The Fox at the Pier', 'Foghorn Opera', 'Canoe of Doors'].map(
      findMarkerId,
    ),
    notes: {
      [findMarkerId('Canal Choir')]: 'From the bridge, not from the quay.',
      [findMarkerId('Foghorn Opera')]: "Ask for Kofi's boat.",
    },
  },
  {
    owner: 'ines',
    name: 'The whole map',
    description: 'Every artwork of the demo, to leaf through.',
    visibility: 'public',
    markerIds: [...liveArtworks, SUGGESTED_ARTWORK_ID],
  },
  {
    owner: 'tomas',
    name: 'Halvenstad before breakfast',
    description: 'An hour on foot. It ends at the baker.',
    visibility: 'public',
    markerIds: ['Echo Wall', 'Clockwork Orchard', 'Tile by Tile', 'Staircase to Nowhere', 'First Door: Bread'].map(
      findMarkerId,
    ),
    notes: { [findMarkerId('First Door: Bread')]: 'The real bakery opens at seven.' },
  },
  {
    owner: 'mila',
    name: 'To see before winter',
    description: null,
    visibility: 'private',
    markerIds: ['東京の壁画', 'Polar Night', 'Reven og nordlyset'].map(findMarkerId),
    notes: { [findMarkerId('Polar Night')]: 'Take the late bus, so that there are cars.' },
  },
  {
    owner: 'tomas',
    name: 'Look again',
    description: 'Walls that I am not sure about.',
    visibility: 'private',
    markerIds: ['Lost Mitten, Reward', 'Łódź w oknie', 'Brug zonder Water'].map(findMarkerId),
    notes: { [findMarkerId('Lost Mitten, Reward')]: 'Is the scaffolding down?' },
  },
  {
    owner: 'tevita',
    name: 'Walk for the third form',
    description: 'Both sides of the line in one morning.',
    visibility: 'private',
    markerIds: ['The Day We Skipped', 'Yesterday and Tomorrow', 'On the Line Itself', 'Tomorrow Already'].map(
      findMarkerId,
    ),
  },
  { owner: 'mila', name: 'Foxes', description: null, visibility: 'private', markerIds: [] },
  {
    owner: 'gus',
    name: 'My favorites',
    description: 'The best of Halvenstad.',
    visibility: 'public',
    markerIds: ['Echo Wall', 'Große Straße, kleine Füchse', 'Łódź w oknie'].map(findMarkerId),
  },
];

/**
 * Collections of the demo: one is empty, one contains every live artwork, and the owner of one is
 * blocked.
 */
export const COLLECTIONS: DemoCollection[] = collections.map((collection, index) => ({
  id: buildDemoId('col', index + 1),
  ...collection,
}));
