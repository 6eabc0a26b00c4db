import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { integerSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import { BOUNDING_BOX_SCHEMA, type BoundingBox } from './geo.js';
import { type Region, toBoundingBox } from './region.entity.js';

/** A region of the map. */
@ApiSchema('Region', 'A region of the map.')
export class RegionResponse {
  @ResponseField(stringSchema('Id of the region. The operator chooses it.', 'reg_halvenstad'))
  id!: string;

  @ResponseField(stringSchema('Name of the region.', 'Halvenstad'))
  name!: string;

  @ResponseField({
    ...BOUNDING_BOX_SCHEMA,
    description:
      'Bounding box in degrees (WGS 84): west, south, east, north. If west is greater than east, the box crosses the ' +
      '180th meridian.',
    examples: [[4.9, 52, 5.2, 52.2]],
  })
  bbox!: BoundingBox;

  @ResponseField(integerSchema('Number of artworks and places of the region.', 42))
  markerCount!: number;
}

/** Maps a region to its response. */
export function toRegionResponse(region: Region): RegionResponse {
  const { id, name, markerCount } = region;
  return { id, name, bbox: toBoundingBox(region), markerCount };
}
