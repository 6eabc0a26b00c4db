import { applyDecorators } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { RequestField } from '../../../platform/openapi/api-schema.decorator.js';
import { PageQuery } from '../../../platform/validation/page-query.dto.js';

/** Formats of a list of markers: the JSON list, or a GeoJSON FeatureCollection (RFC 7946). */
export const RESPONSE_FORMATS = ['json', 'geojson'] as const;

/** Declares the query parameter `format`. */
export function FormatParam(): PropertyDecorator {
  return applyDecorators(
    RequestField('Format of the response. It takes precedence over the header `Accept`.', 'json'),
    IsOptional(),
    IsIn(RESPONSE_FORMATS),
  );
}

/** Query of a list that is also available as GeoJSON. */
export class GeoJsonPageQuery extends PageQuery {
  @FormatParam()
  format?: (typeof RESPONSE_FORMATS)[number];
}
