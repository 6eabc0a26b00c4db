import type { OperationDescription } from '../../../platform/openapi/api-description.js';
import { enumSchema } from '../../../platform/openapi/json-schema.js';
import { FeatureCollection, GEOJSON_MEDIA_TYPE } from './feature-collection.dto.js';

/**
 * Describes a list that is also available as GeoJSON. The operation describes its JSON only: with
 * two media types at one status, a client of `openapi-fetch` would have to narrow each response.
 */
export const GEOJSON_LIST: Pick<OperationDescription, 'query' | 'geoJson'> = {
  query: {
    format: {
      schema: enumSchema(
        ['json'],
        'Format of the response. The default is `json`, unless the header `Accept` prefers GeoJSON. With `geojson`, or ' +
          `with \`Accept: ${GEOJSON_MEDIA_TYPE}\`, the response is \`#/components/responses/FeatureCollection\`.`,
      ),
    },
  },
  geoJson: { mediaType: GEOJSON_MEDIA_TYPE, response: FeatureCollection },
};
