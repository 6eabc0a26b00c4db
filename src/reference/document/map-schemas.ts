import { ARTWORK_STATUSES, MARKER_KINDS, MEDIUMS } from '../../markers/marker.entity.js';
import type { ArtworkSummary, Location, MarkerResponse } from '../../markers/marker.dto.js';
import { idOf, listOf, moment, nullable, object, oneOf, optional, record, type Schema, text, whole } from './schema.js';

const named = (what: string, prefix: 'art' | 'reg', example: string): Schema =>
  object<{ id: string; name: string }>(what, {
    // The ids of regions are the operator's to choose.
    id: prefix === 'art' ? idOf('art') : text('An opaque id.', 'reg_halvenstad'),
    name: text('Its name.', example),
  });

export const LOCATION = record<Location>('Location', 'A place, in degrees of WGS 84, to seven decimals.', {
  lat: { type: 'number', minimum: -90, maximum: 90, description: 'North of the equator.', examples: [52.1043] },
  lon: { type: 'number', minimum: -180, maximum: 180, description: 'East of Greenwich.', examples: [5.0266] },
});

const SUMMARY = {
  id: idOf('mrk'),
  title: text('What it is called.', 'The Fox That Waited for the Tram'),
  status: oneOf(ARTWORK_STATUSES, 'Whether it is still there.'),
  location: LOCATION,
  artists: listOf(named('An artist.', 'art', 'Ansa Kettu'), 'Who made it, by name.'),
};

export const ARTWORK_SUMMARY = record<ArtworkSummary>(
  'ArtworkSummary',
  'As much of an artwork as a list of something else shows.',
  SUMMARY,
);

export const MARKER = record<MarkerResponse>('Marker', 'An artwork, or a place such as a gallery or a legal wall.', {
  ...SUMMARY,
  kind: oneOf(MARKER_KINDS, 'What it is.'),
  description: nullable(text('What people say of it, in plain text.', 'It has been waiting since 2012.')),
  medium: listOf(oneOf(MEDIUMS, 'How it was made.'), 'How it was made.'),
  placeType: nullable({ type: 'string', description: 'What kind of place; `null` for an artwork.', examples: [null] }),
  address: nullable(text('Where it is, in words.', 'Eindhalte 1, Halvenstad')),
  region: nullable(named('The region in which it lies.', 'reg', 'Halvenstad')),
  year: nullable({ type: 'integer', description: 'When it was made.', examples: [2012] }),
  tags: listOf(text('A word.', 'fox'), 'Words for it.'),
  imageUrl: nullable(text('A picture of it, elsewhere.', 'https://images.example/fox-tram.jpg')),
  version: whole('Counts its changes, from 1.', 4, 1),
  openEditCount: whole('How many changes to it are suggested and not yet decided.', 1),
  createdAt: moment('When it came onto the map.'),
  updatedAt: moment('When it was changed last.'),
  distanceMeters: optional({
    type: 'number',
    minimum: 0,
    description: 'From the place that was asked for by `lat`, `lon` and `radius`.',
    examples: [120.5],
  }),
});

const POINT = object<{ type: string; coordinates: number[] }>('A point (RFC 7946).', {
  type: { type: 'string', const: 'Point', examples: ['Point'] },
  coordinates: {
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    description: 'Longitude, then latitude.',
    examples: [[5.0266, 52.1043]],
  },
});

const LINK = object<{ rel: string; type: string; href: string }>('A link.', {
  rel: oneOf(['self', 'next'], 'To this page, or to the next.'),
  type: { type: 'string', const: 'application/geo+json', examples: ['application/geo+json'] },
  href: { type: 'string', format: 'uri', examples: ['https://map.example.org/api/markers?format=geojson'] },
});

const FEATURE = object<{ type: string; id: string; geometry: object; properties: object }>('One of them.', {
  type: { type: 'string', const: 'Feature', examples: ['Feature'] },
  id: idOf('mrk'),
  geometry: POINT,
  properties: {
    type: 'object',
    description: 'What the list shows of it in JSON, but its id and location.',
    examples: [{ title: 'The Fox That Waited for the Tram', status: 'present', artists: [] }],
  },
});

interface FeatureCollection {
  type: string;
  bbox?: number[];
  features: object[];
  links: object[];
  numberReturned: number;
  numberMatched?: number;
  numberMatchedIsCapped?: boolean;
  missing?: string[];
  timeStamp: string;
}

/** What `format=geojson` and `Accept: application/geo+json` answer. */
export const FEATURE_COLLECTION = record<FeatureCollection>('FeatureCollection', 'The list as GeoJSON (RFC 7946).', {
  type: { type: 'string', const: 'FeatureCollection', examples: ['FeatureCollection'] },
  bbox: optional({
    type: 'array',
    items: { type: 'number' },
    minItems: 4,
    maxItems: 4,
    description: 'The box that was asked for.',
    examples: [[4.9, 52, 5.2, 52.2]],
  }),
  features: listOf(FEATURE),
  links: listOf(LINK, 'To this page and the next, which is in the header `Link` as well.'),
  numberReturned: whole('How many features are on this page.', 1),
  numberMatched: optional(whole('With `count=true`: how many there are, up to 10 000.', 1)),
  numberMatchedIsCapped: optional({ type: 'boolean', description: 'Whether there are more.', examples: [false] }),
  missing: optional(listOf(text('An id.', 'mrk_unknown'), 'Of the `ids`: those that are none.')),
  timeStamp: moment('When this was answered.'),
});

/** The other form of every list of what has places. */
export const GEOJSON = { 'application/geo+json': FEATURE_COLLECTION };
