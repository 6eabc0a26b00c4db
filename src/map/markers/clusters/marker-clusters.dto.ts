import { idSchema } from '../../../platform/database/ids.js';
import {
  ApiSchema,
  OptionalResponseField,
  RequestField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import { arraySchema, integerSchema } from '../../../platform/openapi/json-schema.js';
import { IsIntegerInRange } from '../../../platform/validation/query-values.decorator.js';
import { BOUNDING_BOX_SCHEMA, type BoundingBox, IsCsvBoundingBox } from '../../regions/geo.js';
import { MarkerFiltersQuery } from '../markers-query.dto.js';

/** Box, zoom level and filters of clusters. */
export class MarkerClustersQuery extends MarkerFiltersQuery {
  @RequestField(
    'Bounding box in degrees (WGS 84): west, south, east, north. If west is greater than east, the box crosses the ' +
      '180th meridian.',
    [4.9, 52, 5.2, 52.2],
    BOUNDING_BOX_SCHEMA,
  )
  @IsCsvBoundingBox()
  bbox!: BoundingBox;

  @RequestField(
    'Zoom level of the map, 0 to 20. A cell is about 107 degrees wide at level 0, and half as wide at each further ' +
      'level: about a quarter of a map tile.',
    12,
  )
  @IsIntegerInRange(0, 20)
  zoom!: number;
}

/** The markers of one cell of the map. */
@ApiSchema('MarkerCluster', 'The markers of one cell of the map.')
export class MarkerCluster {
  @ResponseField({
    type: 'number',
    minimum: -90,
    maximum: 90,
    description: 'Mean latitude of the markers, in degrees (WGS 84).',
    examples: [52.1043],
  })
  lat!: number;

  @ResponseField({
    type: 'number',
    minimum: -180,
    maximum: 180,
    description: 'Mean longitude of the markers, in degrees (WGS 84).',
    examples: [5.0266],
  })
  lon!: number;

  @ResponseField(integerSchema('Number of markers.', 1, 1))
  count!: number;

  @OptionalResponseField(idSchema('mrk', 'Id of the marker, if the cell contains one marker.'))
  markerId?: string;
}

/** The clusters of a box. */
@ApiSchema('MarkerClusters', 'The markers of a box, by cells of the map.')
export class MarkerClusters {
  @ResponseField(arraySchema(MarkerCluster, 'Cells with markers: at most 2,000.'))
  data!: MarkerCluster[];

  @ResponseField({
    type: 'integer',
    minimum: 0,
    maximum: 20,
    description: 'Zoom level of the request.',
    examples: [12],
  })
  zoom!: number;
}
