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
import { IsCsvBoundingBox } from '../regions/is-bounding-box.decorator.js';
import { MARKER_SORTS, type MarkerSort } from './search/search.types.js';

/**
 * Filters and order of a list of markers. Values of one filter are alternatives; all filters must
 * match.
 */
export class MarkersQuery extends GeoJsonPageQuery {
  @IsIntegerInRange(1, 500)
  override limit: number = 100;

  @IsOptional()
  @IsCsvArray()
  @IsIn(MARKER_KINDS, { each: true })
  kind?: MarkerKind[];

  @IsOptional()
  @IsCsvArray()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];

  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  placeType?: string[];

  @IsOptional()
  @IsCsvArray()
  @IsIn(MEDIUMS, { each: true })
  medium?: Medium[];

  @IsOptional()
  @IsCsvArray()
  @Matches(ID_PATTERNS.art, { each: true, message: '$property holds what is no id of an artist' })
  artistId?: string[];

  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  regionId?: string[];

  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  tag?: string[];

  @IsOptional()
  @IsIntegerInRange(-9999, 9999)
  yearFrom?: number;

  @IsOptional()
  @IsIntegerInRange(-9999, 9999)
  yearTo?: number;

  /** Search words; the last word also matches as a prefix. */
  @IsOptional()
  @IsText(1, 200)
  q?: string;

  /**
   * West, south, east, north in degrees. If west is greater than east, the box crosses the 180th
   * meridian.
   */
  @IsOptional()
  @IsCsvBoundingBox()
  bbox?: BoundingBox;

  @IsOptional()
  @IsDecimalInRange(-90, 90)
  lat?: number;

  @IsOptional()
  @IsDecimalInRange(-180, 180)
  lon?: number;

  /** In meters. */
  @IsOptional()
  @IsDecimalInRange(1, 50_000)
  radius?: number;

  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  ids?: string[];

  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @IsOptional()
  @IsIn(MARKER_SORTS)
  sort?: MarkerSort;

  /** Whether the response contains the number of matches, up to 10,000. */
  @IsOptional()
  @IsBooleanString()
  count?: boolean;
}

/** Filters of the artworks of an artist. */
export class ArtistArtworksQuery extends GeoJsonPageQuery {
  @IsOptional()
  @IsCsvArray()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];
}
