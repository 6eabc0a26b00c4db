import { ARTWORK_STATUSES, MARKER_KINDS, MEDIUMS } from '../../../map/markers/marker.entity.js';
import type { ArtworkSummary, MarkerResponse } from '../../../map/markers/marker.dto.js';
import type { Location } from '../../../map/regions/location.dto.js';
import {
  idSchema,
  arraySchema,
  dateTimeSchema,
  nullable,
  objectSchema,
  enumSchema,
  optional,
  registerObjectSchema,
  type JsonSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';

const namedReferenceSchema = (what: string, prefix: 'art' | 'reg', example: string): JsonSchema =>
  objectSchema<{ id: string; name: string }>(what, {
    // The ids of regions are the operator's to choose.
    id: prefix === 'art' ? idSchema('art') : stringSchema('An opaque id.', 'reg_halvenstad'),
    name: stringSchema('Its name.', example),
  });

export const LOCATION = registerObjectSchema<Location>(
  'Location',
  'A place, in degrees of WGS 84, to seven decimals.',
  {
    lat: { type: 'number', minimum: -90, maximum: 90, description: 'North of the equator.', examples: [52.1043] },
    lon: { type: 'number', minimum: -180, maximum: 180, description: 'East of Greenwich.', examples: [5.0266] },
  },
);

const ARTWORK_SUMMARY_PROPERTIES = {
  id: idSchema('mrk'),
  title: stringSchema('What it is called.', 'The Fox That Waited for the Tram'),
  status: enumSchema(ARTWORK_STATUSES, 'Whether it is still there.'),
  location: LOCATION,
  artists: arraySchema(namedReferenceSchema('An artist.', 'art', 'Ansa Kettu'), 'Who made it, by name.'),
};

export const ARTWORK_SUMMARY = registerObjectSchema<ArtworkSummary>(
  'ArtworkSummary',
  'As much of an artwork as a list of something else shows.',
  ARTWORK_SUMMARY_PROPERTIES,
);

export const MARKER = registerObjectSchema<MarkerResponse>(
  'Marker',
  'An artwork, or a place such as a gallery or a legal wall.',
  {
    ...ARTWORK_SUMMARY_PROPERTIES,
    kind: enumSchema(MARKER_KINDS, 'What it is.'),
    description: nullable(stringSchema('What people say of it, in plain text.', 'It has been waiting since 2012.')),
    medium: arraySchema(enumSchema(MEDIUMS, 'How it was made.'), 'How it was made.'),
    placeType: nullable({
      type: 'string',
      description: 'What kind of place; `null` for an artwork.',
      examples: [null],
    }),
    address: nullable(stringSchema('Where it is, in words.', 'Eindhalte 1, Halvenstad')),
    region: nullable(namedReferenceSchema('The region in which it lies.', 'reg', 'Halvenstad')),
    year: nullable({ type: 'integer', description: 'When it was made.', examples: [2012] }),
    tags: arraySchema(stringSchema('A word.', 'fox'), 'Words for it.'),
    imageUrl: nullable(stringSchema('A picture of it, elsewhere.', 'https://images.example/fox-tram.jpg')),
    version: integerSchema('Counts its changes, from 1.', 4, 1),
    openEditCount: integerSchema('How many changes to it are suggested and not yet decided.', 1),
    createdAt: dateTimeSchema('When it came onto the map.'),
    updatedAt: dateTimeSchema('When it was changed last.'),
    distanceMeters: optional({
      type: 'number',
      minimum: 0,
      description: 'From the place that was asked for by `lat`, `lon` and `radius`.',
      examples: [120.5],
    }),
  },
);

const POINT = objectSchema<{ type: string; coordinates: number[] }>('A point (RFC 7946).', {
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

const LINK = objectSchema<{ rel: string; type: string; href: string }>('A link.', {
  rel: enumSchema(['self', 'next'], 'To this page, or to the next.'),
  type: { type: 'string', const: 'application/geo+json', examples: ['application/geo+json'] },
  href: { type: 'string', format: 'uri', examples: ['https://map.example.org/api/markers?format=geojson'] },
});

const FEATURE = objectSchema<{ type: string; id: string; geometry: object; properties: object }>('One of them.', {
  type: { type: 'string', const: 'Feature', examples: ['Feature'] },
  id: idSchema('mrk'),
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
export const FEATURE_COLLECTION = registerObjectSchema<FeatureCollection>(
  'FeatureCollection',
  'The list as GeoJSON (RFC 7946).',
  {
    type: { type: 'string', const: 'FeatureCollection', examples: ['FeatureCollection'] },
    bbox: optional({
      type: 'array',
      items: { type: 'number' },
      minItems: 4,
      maxItems: 4,
      description: 'The box that was asked for.',
      examples: [[4.9, 52, 5.2, 52.2]],
    }),
    features: arraySchema(FEATURE),
    links: arraySchema(LINK, 'To this page and the next, which is in the header `Link` as well.'),
    numberReturned: integerSchema('How many features are on this page.', 1),
    numberMatched: optional(integerSchema('With `count=true`: how many there are, up to 10 000.', 1)),
    numberMatchedIsCapped: optional({ type: 'boolean', description: 'Whether there are more.', examples: [false] }),
    missing: optional(arraySchema(stringSchema('An id.', 'mrk_unknown'), 'Of the `ids`: those that are none.')),
    timeStamp: dateTimeSchema('When this was answered.'),
  },
);

/** The other form of every list of what has places. */
export const GEOJSON_CONTENT = { 'application/geo+json': FEATURE_COLLECTION };
