import type { Location } from '../../regions/location.dto.js';
import { ATTRIBUTION_SCHEMA, LICENSE_SCHEMA } from '../../changes/change-page.dto.js';
import { idSchema } from '../../../platform/database/ids.js';
import { ApiSchema, OptionalResponseField, ResponseField } from '../../../platform/openapi/api-schema.decorator.js';
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
@ApiSchema('PointGeometry', 'A point (RFC 7946 §3.1.2).')
export class PointGeometry {
  @ResponseField(constSchema('Point', 'Type of the geometry.'))
  type!: 'Point';

  @ResponseField({
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    description: 'Longitude and latitude in degrees (WGS 84), in this order.',
    examples: [[5.0266, 52.1043]],
  })
  coordinates!: [longitude: number, latitude: number];
}

/** A marker as a GeoJSON feature (RFC 7946 §3.2). */
@ApiSchema('MarkerFeature', 'A marker as a GeoJSON feature (RFC 7946 §3.2).')
export class Feature {
  @ResponseField(constSchema('Feature', 'Type of the GeoJSON object.'))
  type!: 'Feature';

  @OptionalResponseField(idSchema('mrk', 'Id of the marker. Absent if `fields` does not contain `id`.'))
  id?: string;

  @ResponseField({
    dto: PointGeometry,
    acceptsNull: true,
    description: 'Location of the marker. `null` if `fields` does not contain `location`.',
  })
  geometry!: PointGeometry | null;

  @ResponseField({
    type: 'object',
    description: 'The other members of the marker, as in the JSON list: all except `id` and `location`.',
    examples: [{ title: 'The Fox That Waited for the Tram', status: 'present', artists: [] }],
  })
  properties!: object;
}

/** A record with its location, if the query asks for it. */
export interface LocatedItem {
  id?: string;
  location?: Location;
}

/**
 * Maps a record to a feature. Without a requested location, its geometry is `null` (RFC 7946 §3.2).
 * @param more properties beside the members of the record
 */
export function toFeature({ id, location, ...properties }: LocatedItem, more: object = {}): Feature {
  return {
    type: 'Feature',
    ...(id !== undefined && { id }),
    geometry: location ? { type: 'Point', coordinates: [location.lon, location.lat] } : null,
    properties: { ...properties, ...more },
  };
}

/** A link to a page of the list. */
@ApiSchema('PageLink', 'A link to a page of the list.')
export class PageLink {
  @ResponseField(enumSchema(['self', 'next'], 'Relation: `self` is this page, `next` is the next page.'))
  rel!: 'self' | 'next';

  @ResponseField(constSchema(GEOJSON_MEDIA_TYPE, 'Media type of the page.'))
  type!: typeof GEOJSON_MEDIA_TYPE;

  @ResponseField({
    type: 'string',
    format: 'uri',
    description: 'Address of the page.',
    examples: ['https://map.example.org/api/markers?format=geojson'],
  })
  href!: string;
}

/** A page of a list as GeoJSON (RFC 7946 §3.3). */
@ApiSchema('FeatureCollection', 'A page of a list as GeoJSON (RFC 7946 §3.3).')
export class FeatureCollection {
  @ResponseField(constSchema('FeatureCollection', 'Type of the GeoJSON object.'))
  type!: 'FeatureCollection';

  @OptionalResponseField(LICENSE_SCHEMA)
  license?: string;

  @OptionalResponseField(ATTRIBUTION_SCHEMA)
  attribution?: string;

  @OptionalResponseField({
    type: 'array',
    items: { type: 'number' },
    minItems: 4,
    maxItems: 4,
    description: 'Bounding box of the request in degrees: west, south, east, north.',
    examples: [[4.9, 52, 5.2, 52.2]],
  })
  bbox?: number[];

  @ResponseField(arraySchema(Feature, 'Markers of this page.'))
  features!: Feature[];

  @ResponseField(
    arraySchema(PageLink, 'Links to this page and to the next page. The header `Link` has the next page too.'),
  )
  links!: PageLink[];

  @ResponseField(integerSchema('Number of features on this page.', 1))
  numberReturned!: number;

  @OptionalResponseField(
    integerSchema('Number of features in the whole list, at most 10,000. Only with `count=true`.', 1),
  )
  numberMatched?: number;

  @OptionalResponseField(
    booleanSchema('Whether the list can have more features than `numberMatched`. Only with `count=true`.', false),
  )
  numberMatchedIsLowerBound?: boolean;

  @OptionalResponseField(
    arraySchema(
      stringSchema('Id of a marker.', 'mrk_unknown'),
      'Ids of the request that do not exist or were deleted. Only with `ids`.',
    ),
  )
  missing?: string[];

  @ResponseField(dateTimeSchema('Time of the response.'))
  timeStamp!: string;
}
