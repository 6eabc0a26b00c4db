import { idSchema } from '../../../platform/database/id-schema.js';
import {
  ApiSchema,
  InlineApiSchema,
  OptionalResponseField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  booleanSchema,
  constSchema,
  dateTimeSchema,
  enumSchema,
  integerSchema,
  stringSchema,
} from '../../../platform/openapi/json-schema.js';

/** The media type of GeoJSON (RFC 7946 §12). */
export const GEOJSON_MEDIA_TYPE = 'application/geo+json';

/** A GeoJSON point (RFC 7946 §3.1.2). */
@InlineApiSchema('A point (RFC 7946).')
export class PointGeometry {
  @ResponseField(constSchema('Point'))
  type!: 'Point';

  @ResponseField({
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    description: 'Longitude, then latitude.',
    examples: [[5.0266, 52.1043]],
  })
  coordinates!: [longitude: number, latitude: number];
}

/** A marker as a GeoJSON feature (RFC 7946 §3.2). */
@InlineApiSchema('One of them.')
export class Feature {
  @ResponseField(constSchema('Feature'))
  type!: 'Feature';

  @ResponseField(idSchema('mrk'))
  id!: string;

  @ResponseField(PointGeometry)
  geometry!: PointGeometry;

  @ResponseField({
    type: 'object',
    description: 'What the list shows of it in JSON, but its id and location.',
    examples: [{ title: 'The Fox That Waited for the Tram', status: 'present', artists: [] }],
  })
  properties!: object;
}

/** A link to a page of the list. */
@InlineApiSchema('A link.')
export class PageLink {
  @ResponseField(enumSchema(['self', 'next'], 'To this page, or to the next.'))
  rel!: 'self' | 'next';

  @ResponseField(constSchema(GEOJSON_MEDIA_TYPE))
  type!: typeof GEOJSON_MEDIA_TYPE;

  @ResponseField({
    type: 'string',
    format: 'uri',
    examples: ['https://map.example.org/api/markers?format=geojson'],
  })
  href!: string;
}

/** A page of a list as GeoJSON (RFC 7946 §3.3). */
@ApiSchema('FeatureCollection', 'The list as GeoJSON (RFC 7946).')
export class FeatureCollection {
  @ResponseField(constSchema('FeatureCollection'))
  type!: 'FeatureCollection';

  @OptionalResponseField({
    type: 'array',
    items: { type: 'number' },
    minItems: 4,
    maxItems: 4,
    description: 'The box that was asked for.',
    examples: [[4.9, 52, 5.2, 52.2]],
  })
  bbox?: number[];

  @ResponseField(arraySchema(Feature))
  features!: Feature[];

  @ResponseField(arraySchema(PageLink, 'To this page and the next, which is in the header `Link` as well.'))
  links!: PageLink[];

  @ResponseField(integerSchema('How many features are on this page.', 1))
  numberReturned!: number;

  @OptionalResponseField(integerSchema('With `count=true`: how many there are, up to 10 000.', 1))
  numberMatched?: number;

  @OptionalResponseField(booleanSchema('Whether there are more.', false))
  numberMatchedIsCapped?: boolean;

  @OptionalResponseField(arraySchema(stringSchema('An id.', 'mrk_unknown'), 'Of the `ids`: those that are none.'))
  missing?: string[];

  @ResponseField(dateTimeSchema('When this was answered.'))
  timeStamp!: string;
}

/** The GeoJSON representation of a response, for its description. */
export const GEOJSON_CONTENT = { [GEOJSON_MEDIA_TYPE]: FeatureCollection };
