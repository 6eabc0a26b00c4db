import { IsIn, IsOptional, Matches } from 'class-validator';
import { ID_PATTERNS } from '../../platform/database/ids.js';
import {
  IsDecimalInRange,
  IsBooleanString,
  IsRfc3339,
  IsCsvArray,
  IsIntegerInRange,
  MAX_LISTED_IDS,
} from '../../platform/validation/query-values.decorator.js';
import { IsText } from '../../platform/validation/text.decorator.js';
import { FormatParam, GeoJsonPageQuery } from './geojson/geojson-page-query.dto.js';
import {
  ARTWORK_STATUSES,
  type ArtworkStatus,
  MARKER_KINDS,
  type MarkerKind,
  type Medium,
  MEDIUMS,
} from './marker.entity.js';
import { BOUNDING_BOX_SCHEMA, type BoundingBox, explainSwappedPoint, IsCsvBoundingBox } from '../regions/geo.js';
import { MarkerResponse, PLACE_TYPE_SCHEMA } from './marker.dto.js';
import { CursorParam } from '../../platform/validation/page-query.dto.js';
import { FieldsParam } from '../../platform/validation/response-fields.js';
import { RequestField } from '../../platform/openapi/api-schema.decorator.js';
import { MARKER_SORTS, type MarkerSort } from './search/search-plan.js';

/** Filters of markers. Values of one filter are alternatives; all filters must match. */
export class MarkerFiltersQuery {
  @RequestField('Kinds of markers.', ['artwork'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(MARKER_KINDS, { each: true })
  kind?: MarkerKind[];

  @RequestField('Conditions of the artwork.', ['present'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];

  @RequestField('Types of places: up to 20. Operators can import other types than the listed ones.', ['legal_wall'], {
    items: PLACE_TYPE_SCHEMA,
  })
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  placeType?: string[];

  @RequestField('Techniques.', ['mural'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(MEDIUMS, { each: true })
  medium?: Medium[];

  @RequestField('Ids of artists: up to 20.', ['art_01JDEM00000000000000000001'])
  @IsOptional()
  @IsCsvArray()
  @Matches(ID_PATTERNS.art, {
    each: true,
    message: 'must be the id of an artist, such as art_01JDEM00000000000000000001',
  })
  artistId?: string[];

  @RequestField('Ids of regions: up to 20.', ['reg_halvenstad'])
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  regionId?: string[];

  @RequestField('Tags: up to 20. A marker needs one of them.', ['fox'])
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  tag?: string[];

  @RequestField('Only artworks that were created in this year or later.', 2010)
  @IsOptional()
  @IsIntegerInRange(-9999, 9999)
  yearFrom?: number;

  @RequestField('Only artworks that were created in this year or earlier.', 2020)
  @IsOptional()
  @IsIntegerInRange(-9999, 9999)
  yearTo?: number;

  @RequestField(
    'Words to search for: up to 16 words, 1 to 200 characters. All words must occur in the title, the names of the ' +
      'artists, the tags, the address or the description. The last may be the beginning of a word. Case and accents ' +
      'do not matter.',
    'fox tram',
  )
  @IsOptional()
  @IsText(1, 200)
  q?: string;

  @RequestField('Only markers that changed at this time (RFC 3339) or later.', '2026-11-20T08:00:00Z')
  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;
}

/** Filters, order and format of a list of markers. */
export class MarkersQuery extends MarkerFiltersQuery implements GeoJsonPageQuery {
  @RequestField('Maximum number of markers on a page.', 100)
  @IsIntegerInRange(1, 500)
  limit: number = 100;

  @CursorParam()
  cursor?: string;

  @FormatParam()
  format?: GeoJsonPageQuery['format'];

  @FieldsParam(MarkerResponse, ['id', 'title', 'location'])
  fields?: string[];

  /**
   * West, south, east, north in degrees. If west is greater than east, the box crosses the 180th
   * meridian.
   */
  @RequestField(
    'Bounding box in degrees (WGS 84): west, south, east, north. If west is greater than east, the box crosses the ' +
      '180th meridian. Cannot be combined with `lat`, `lon` and `radius`.',
    [4.9, 52, 5.2, 52.2],
    BOUNDING_BOX_SCHEMA,
  )
  @IsOptional()
  @IsCsvBoundingBox()
  bbox?: BoundingBox;

  @RequestField(
    'Latitude of a point, in degrees. With `lon` and `radius`, the list has the markers near the point, nearest first.',
    52.0956,
  )
  @IsOptional()
  @IsDecimalInRange(-90, 90, explainSwappedPoint)
  lat?: number;

  @RequestField('Longitude of the point, in degrees. Required with `lat`.', 5.0184)
  @IsOptional()
  @IsDecimalInRange(-180, 180)
  lon?: number;

  @RequestField('Maximum distance from the point, in meters. Required with `lat`.', 500)
  @IsOptional()
  @IsDecimalInRange(1, 50_000)
  radius?: number;

  @RequestField(
    'Ids of markers: up to 100. The response keeps their order and lists unknown ids in `missing`. ' +
      'Cannot be combined with other filters.',
    ['mrk_01JDEM00000000000000000010'],
  )
  @IsOptional()
  @IsCsvArray(MAX_LISTED_IDS)
  @IsText(1, 40, { each: true })
  ids?: string[];

  @RequestField(
    'Order of the list. The default is `distance` with `lat`, `updatedAt` with `updatedSince`, `relevance` with `q` ' +
      'and without `bbox`, and `id` otherwise. `id` is the order of creation. `relevance` has first the titles that ' +
      'equal the words of `q`, then titles that start with them, titles that contain them, and matches of the artists, ' +
      'the tags, the address and the description; equal matches are sorted by distance and by `id`.',
    'id',
  )
  @IsOptional()
  @IsIn(MARKER_SORTS)
  sort?: MarkerSort;

  @RequestField('Whether `page` contains the number of matches, at most 10,000.', true)
  @IsOptional()
  @IsBooleanString()
  count?: boolean;
}

/** Query of one marker. */
export class MarkerQuery {
  @FieldsParam(MarkerResponse, ['id', 'title', 'location'])
  fields?: string[];
}

/** Filters of the artworks of an artist. */
export class ArtistArtworksQuery extends GeoJsonPageQuery {
  @RequestField('Conditions of the artworks.', ['present'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];
}
