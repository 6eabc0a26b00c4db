import { gone, notFound } from '../../http/api-error.js';
import { PageQuery } from '../../http/paging.js';
import { invalidRequest } from '../../http/validation.pipe.js';
import { MarkersController } from '../../markers/markers.controller.js';
import { FormattedPageQuery, MarkersQuery } from '../../markers/markers-query.dto.js';
import { describe } from './describe.js';
import { VERSION } from './history.js';
import { GEOJSON, MARKER } from './map-schemas.js';
import { pageOf, pageOrIds, PAGING } from './paging.js';
import { idOf } from './schema.js';
import { query, type Told } from './validated.js';

const FORMAT: Told = ['`geojson` for a FeatureCollection, as with `Accept: application/geo+json`.', 'json'];

query(PageQuery, PAGING);
query(FormattedPageQuery, { ...PAGING, format: FORMAT });
query(MarkersQuery, {
  ...PAGING,
  format: FORMAT,
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

describe(
  MarkersController,
  { tag: 'Markers', path: { id: idOf('mrk', 'The marker.') } },
  {
    list: {
      id: 'listMarkers',
      summary: 'Search the map',
      description: 'Values of one filter are alternatives; all filters must hold.',
      answer: pageOrIds(MARKER),
      also: GEOJSON,
      refusals: [invalidRequest([{ path: 'lat', code: 'not_together', message: 'lat, lon and radius go together.' }])],
    },
    get: {
      id: 'getMarker',
      summary: 'Look up an artwork or place',
      answer: MARKER,
      refusals: [notFound('marker'), gone('marker')],
    },
    versions: {
      id: 'listMarkerVersions',
      summary: 'Look at the history of an artwork',
      description:
        'The newest version first. What an operator brought in has no history until the first accepted edit.',
      answer: pageOf(VERSION),
      refusals: [notFound('marker'), gone('marker')],
    },
  },
);
