import { gone, notFound } from '../../../platform/http/api-error.js';
import { PageQuery } from '../../../platform/database/keyset-pagination.js';
import { invalidRequest } from '../../../platform/http/api-validation.pipe.js';
import { MarkersController } from '../../../map/markers/markers.controller.js';
import { GeoJsonPageQuery } from '../../../map/markers/geojson/geojson-page-query.dto.js';
import { MarkersQuery } from '../../../map/markers/markers-query.dto.js';
import { describeOperations } from './describe-operations.js';
import { VERSION } from './history.openapi.js';
import { GEOJSON_CONTENT, MARKER } from './marker-responses.openapi.js';
import { pageSchema, pageOrIdsSchema, PAGE_QUERY_FIELDS } from './page.openapi.js';
import { idSchema } from './json-schema.js';
import { describeQuery, type FieldDescription } from './validation-schema.js';

const FORMAT_FIELD: FieldDescription = [
  '`geojson` for a FeatureCollection, as with `Accept: application/geo+json`.',
  'json',
];

describeQuery(PageQuery, PAGE_QUERY_FIELDS);
describeQuery(GeoJsonPageQuery, { ...PAGE_QUERY_FIELDS, format: FORMAT_FIELD });
describeQuery(MarkersQuery, {
  ...PAGE_QUERY_FIELDS,
  format: FORMAT_FIELD,
  limit: ['How many a page holds.', 100],
  kind: ['Artworks, places, or both.', ['artwork']],
  status: ['Whether it is still there.', ['present']],
  placeType: ['What kinds of place.', ['legal_wall']],
  medium: ['How it was made.', ['mural']],
  artistId: ['Who made it.', ['art_01JDEM00000000000000000001']],
  regionId: ['In which regions.', ['reg_halvenstad']],
  tag: ['Words for it, any of which it has.', ['fox']],
  yearFrom: ['Made in this year or later.', 2010],
  yearTo: ['Made in this year or before.', 2020],
  q: ['Words that must all occur; the last may be the beginning of one. Accents do not matter.', 'fox tram'],
  bbox: [
    'West, south, east, north, in degrees. Where west is greater than east, the box crosses the 180th meridian.',
    [4.9, 52, 5.2, 52.2],
  ],
  lat: ['With `lon` and `radius`: what is near, the nearest first. Not together with `bbox`.', 52.0956],
  lon: ['See `lat`.', 5.0184],
  radius: ['Metres. See `lat`.', 500],
  ids: ['These, in this order; those that are none are in `missing`. No other filter goes with it.', ['mrk_unknown']],
  updatedSince: ['Changed at this moment or later.', '2026-11-20T08:00:00Z'],
  sort: [
    'The order. Without it, what fits: `distance` with `lat`, `updatedAt` with `updatedSince`, `relevance` with `q` and no `bbox`, else `id`.',
    'id',
  ],
  count: ['Whether to say in `page` how many there are, up to 10 000.', true],
});

describeOperations(
  MarkersController,
  { tag: 'Markers', pathParams: { id: idSchema('mrk', 'The marker.') } },
  {
    list: {
      operationId: 'listMarkers',
      summary: 'Search the map',
      description: 'Values of one filter are alternatives; all filters must hold.',
      response: pageOrIdsSchema(MARKER),
      alternativeContent: GEOJSON_CONTENT,
      errors: [invalidRequest([{ path: 'lat', code: 'not_together', message: 'lat, lon and radius go together.' }])],
    },
    get: {
      operationId: 'getMarker',
      summary: 'Look up an artwork or place',
      response: MARKER,
      errors: [notFound('marker'), gone('marker')],
    },
    listVersions: {
      operationId: 'listMarkerVersions',
      summary: 'Look at the history of an artwork',
      description:
        'The newest version first. What an operator brought in has no history until the first accepted edit.',
      response: pageSchema(VERSION),
      errors: [notFound('marker'), gone('marker')],
    },
  },
);
