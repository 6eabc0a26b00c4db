import { IsIn, IsOptional, Matches } from 'class-validator';
import { ID_PATTERNS } from '../../platform/database/ids.js';
import {
  IsDecimalInRange,
  IsBooleanString,
  IsRfc3339,
  IsCsvArray,
  IsIntegerInRange,
} from '../../platform/validation/query-values.decorator.js';
import { IsText } from '../../platform/validation/text.decorator.js';
import { GeoJsonPageQuery } from './geojson/geojson-page-query.dto.js';
import {
  ARTWORK_STATUSES,
  type ArtworkStatus,
  MARKER_KINDS,
  type MarkerKind,
  type Medium,
  MEDIUMS,
} from './marker.entity.js';
import type { BoundingBox } from '../regions/geo.js';
import { BOUNDING_BOX_SCHEMA, IsCsvBoundingBox } from '../regions/is-bounding-box.decorator.js';
import { RequestField } from '../../platform/openapi/api-schema.decorator.js';
import { MARKER_SORTS, type MarkerSort } from './search/search.types.js';

/**
 * Filters and order of a list of markers. Values of one filter are alternatives; all filters must
 * match.
 */
export class MarkersQuery extends GeoJsonPageQuery {
  @RequestField('How many a page holds.', 100)
  @IsIntegerInRange(1, 500)
  override limit: number = 100;

  @RequestField('Artworks, places, or both.', ['artwork'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(MARKER_KINDS, { each: true })
  kind?: MarkerKind[];

  @RequestField('Whether it is still there.', ['present'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];

  @RequestField('What kinds of place.', ['legal_wall'])
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  placeType?: string[];

  @RequestField('How it was made.', ['mural'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(MEDIUMS, { each: true })
  medium?: Medium[];

  @RequestField('Who made it.', ['art_01JDEM00000000000000000001'])
  @IsOptional()
  @IsCsvArray()
  @Matches(ID_PATTERNS.art, {
    each: true,
    message: 'must be the id of an artist, such as art_01JDEM00000000000000000001',
  })
  artistId?: string[];

  @RequestField('In which regions.', ['reg_halvenstad'])
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  regionId?: string[];

  @RequestField('Words for it, any of which it has.', ['fox'])
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  tag?: string[];

  @RequestField('Made in this year or later.', 2010)
  @IsOptional()
  @IsIntegerInRange(-9999, 9999)
  yearFrom?: number;

  @RequestField('Made in this year or before.', 2020)
  @IsOptional()
  @IsIntegerInRange(-9999, 9999)
  yearTo?: number;

  @RequestField('Words that must all occur; the last may be the beginning of one. Accents do not matter.', 'fox tram')
  @IsOptional()
  @IsText(1, 200)
  q?: string;

  /**
   * West, south, east, north in degrees. If west is greater than east, the box crosses the 180th
   * meridian.
   */
  @RequestField(
    'West, south, east, north, in degrees. Where west is greater than east, the box crosses the 180th meridian.',
    [4.9, 52, 5.2, 52.2],
    BOUNDING_BOX_SCHEMA,
  )
  @IsOptional()
  @IsCsvBoundingBox()
  bbox?: BoundingBox;

  @RequestField('With `lon` and `radius`: what is near, the nearest first. Not together with `bbox`.', 52.0956)
  @IsOptional()
  @IsDecimalInRange(-90, 90)
  lat?: number;

  @RequestField('See `lat`.', 5.0184)
  @IsOptional()
  @IsDecimalInRange(-180, 180)
  lon?: number;

  @RequestField('Metres. See `lat`.', 500)
  @IsOptional()
  @IsDecimalInRange(1, 50_000)
  radius?: number;

  @RequestField('These, in this order; those that are none are in `missing`. No other filter goes with it.', [
    'mrk_unknown',
  ])
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  ids?: string[];

  @RequestField('Changed at this moment or later.', '2026-11-20T08:00:00Z')
  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @RequestField(
    'The order. Without it, what fits: `distance` with `lat`, `updatedAt` with `updatedSince`, `relevance` with `q` and no `bbox`, else `id`.',
    'id',
  )
  @IsOptional()
  @IsIn(MARKER_SORTS)
  sort?: MarkerSort;

  @RequestField('Whether to say in `page` how many there are, up to 10 000.', true)
  @IsOptional()
  @IsBooleanString()
  count?: boolean;
}

/** Filters of the artworks of an artist. */
export class ArtistArtworksQuery extends GeoJsonPageQuery {
  @RequestField('Whether they are still there.', ['present'])
  @IsOptional()
  @IsCsvArray()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];
}
