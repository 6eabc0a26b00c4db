import { buildDemoId } from './demo-id.js';
import { type DemoMarker, defineMarker } from './demo-marker.js';
import { HALVENSTAD_ARTWORKS } from './halvenstad-artworks.data.js';
import { NORDLYS_BAY_ARTWORKS } from './nordlys-bay-artworks.data.js';
import { NULL_HARBOUR_ARTWORKS } from './null-harbour-artworks.data.js';
import { TAVU_POINT_ARTWORKS } from './tavu-point-artworks.data.js';

export type { DemoMarker };

const deletedArtworks = [
  defineMarker('Doorbell Symphony', 52.1064, 5.0029, {
    artistNames: ['Noor van Nergens'],
    deleted: true,
    year: 2015,
    medium: ['installation'],
    tags: ['sound'],
    description: 'Sixteen doorbells on a garden wall. The owner asked for it to be taken off the map.',
  }),
  defineMarker('Crab in a Top Hat', -0.0523, 0.0349, {
    deleted: true,
    year: 2019,
    medium: ['stencil'],
    tags: ['crab'],
    description: 'It was entered twice, once for each claw.',
  }),
  defineMarker('Untitled Snowman', 69.6502, 18.9467, {
    artistNames: ['Snælda'],
    deleted: true,
    year: 2022,
    medium: ['sculpture'],
    tags: ['snow'],
    description: 'On the map from January to April.',
  }),
];

const places = [
  defineMarker('The legal wall', 52.0987, 5.0219, {
    placeType: 'legal_wall',
    tags: ['open day and night'],
    description: 'Sixty meters along the railway, free to paint for everyone.',
    address: 'Spoorzoom, Halvenstad',
  }),
  defineMarker('Galerij De Ladder', 52.0969, 5.0156, {
    placeType: 'gallery',
    description: 'Two rooms and a very high back wall.',
    address: 'Market Hall Passage 14, Halvenstad',
  }),
  defineMarker('Museum of Wet Paint', 52.1031, 5.0184, {
    placeType: 'museum',
    tags: ['do not touch'],
    description: 'Sketches, cans and ladders from forty years of walls. One wall is painted anew each month.',
    address: 'Kwastenplein 1, Halvenstad',
    imageUrl: 'https://images.example/museum-of-wet-paint.jpg',
  }),
  defineMarker('Sprühnebel & Söhne', 52.0944, 5.0277, {
    placeType: 'shop',
    description: 'Cans, caps, chalk and paper by the roll.',
    address: 'Lijnbaan 2, Halvenstad',
  }),
  defineMarker('Harbour Gallery', 0.0124, 0.0099, {
    placeType: 'gallery',
    description: 'Shows what the sea has not taken yet.',
    address: 'First Basin 22, Null Harbour',
  }),
  defineMarker('Wall of the Free Port', -0.0238, -0.0125, {
    placeType: 'legal_wall',
    tags: ['daylight only'],
    description: 'Behind the bonded warehouse. Sign in at gate 3, then paint.',
    address: 'Free Port, gate 3, Null Harbour',
  }),
  defineMarker('Caps & Rope', 0.0091, -0.0164, {
    placeType: 'shop',
    description: 'Spray caps on the left, ship supplies on the right.',
    address: 'Chandler Row 11, Null Harbour',
  }),
  defineMarker('Dateline Wall', -16.7992, -179.9987, {
    placeType: 'legal_wall',
    tags: ['open day and night'],
    description: 'It may be painted any day; which day it is, depends on where you stand.',
    address: 'Meridian Road 8, Tavu Point',
  }),
  defineMarker('Gallery of the Two Sundays', -16.8047, 179.9923, {
    placeType: 'gallery',
    description: 'Open on Sundays, both of them.',
    address: 'Meridian Road 15, Tavu Point',
  }),
  defineMarker('Tavu Point School Store', -16.8113, 179.9657, {
    placeType: 'shop',
    description: 'Brushes and house paint, to lend as well.',
  }),
  defineMarker('Snøskjermen', 69.6449, 18.9421, {
    placeType: 'legal_wall',
    tags: ['summer only'],
    description: 'The snow fence above the town: free to paint when there is no snow on it.',
    address: 'Øvre Bakke, Nordlys Bay',
  }),
  defineMarker('Museum of the Long Night', 69.6515, 18.9584, {
    placeType: 'museum',
    description: 'Light and lettering, best seen in December.',
    address: 'Kaigata 2, Nordlys Bay',
  }),
];

/**
 * Markers of the demo before its edits: 59 live artworks by city, three deleted artworks, twelve
 * places.
 */
export const MARKERS: DemoMarker[] = [
  ...HALVENSTAD_ARTWORKS,
  ...NULL_HARBOUR_ARTWORKS,
  ...TAVU_POINT_ARTWORKS,
  ...NORDLYS_BAY_ARTWORKS,
  ...deletedArtworks,
  ...places,
].map((marker, index) => ({ id: buildDemoId('mrk', index + 1), ...marker }));

/** Id of the sixtieth artwork, which an edit creates. */
export const SUGGESTED_ARTWORK_ID = buildDemoId('mrk', 90);

/** Returns the id of a marker. @throws Error if the demo has no marker with this title */
export function findMarkerId(title: string): string {
  const marker = MARKERS.find((candidate) => candidate.title === title);
  if (!marker) throw new Error(`The demo has no marker ${title}.`);
  return marker.id;
}
