import { Transform } from 'class-transformer';
import { IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { ID_PATTERNS } from '../../platform/database/ids.js';
import { PageQuery } from '../../platform/database/keyset-pagination.js';
import {
  IsDecimalInRange,
  IsBooleanString,
  IsRfc3339,
  IsCsvArray,
  IsIntegerInRange,
} from '../../platform/validation/query-values.decorator.js';
import { IsText } from '../../platform/validation/text.decorator.js';
import { invalidRequest } from '../../platform/http/api-validation.pipe.js';
import { parseSearchTerms } from '../text-search/search-terms.js';
import {
  ARTWORK_STATUSES,
  type ArtworkStatus,
  MARKER_KINDS,
  type MarkerKind,
  type Medium,
  MEDIUMS,
} from './marker.entity.js';
import { toAreas, type BoundingBox, isBoundingBox, toPointE7 } from '../regions/geo.js';
import { MARKER_SORTS, type MarkerFilters, type MarkerSort } from './search/search.types.js';

export const RESPONSE_FORMATS = ['json', 'geojson'] as const;

/** A list of markers that can come as GeoJSON too. */
export class GeoJsonPageQuery extends PageQuery {
  @IsOptional()
  @IsIn(RESPONSE_FORMATS)
  format?: (typeof RESPONSE_FORMATS)[number];
}

/** What is looked for on the map. Values of one filter are alternatives; all filters must hold. */
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

  /** Words, the last of which may be the beginning of one. */
  @IsOptional()
  @IsText(1, 200)
  q?: string;

  /** West, south, east, north, in degrees; where west is greater than east, the box crosses the 180th meridian. */
  @IsOptional()
  @IsCsvBoundingBox()
  bbox?: BoundingBox;

  @IsOptional()
  @IsDecimalInRange(-90, 90)
  lat?: number;

  @IsOptional()
  @IsDecimalInRange(-180, 180)
  lon?: number;

  /** Metres. */
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

  /** Whether to say how many there are, up to ten thousand. */
  @IsOptional()
  @IsBooleanString()
  count?: boolean;
}

export class ArtistArtworksQuery extends GeoJsonPageQuery {
  @IsOptional()
  @IsCsvArray()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];
}

/** The filters of a query. @throws ApiError 400 where they do not go together */
export function toFilters(query: MarkersQuery): MarkerFilters {
  const { kind, status, placeType, medium, artistId, regionId, tag, yearFrom, yearTo, updatedSince } = query;
  const filters = { kind, status, placeType, medium, artistId, regionId, tag, yearFrom, yearTo, updatedSince };
  const terms = query.q === undefined ? undefined : parseSearchTerms(query.q);
  const areas = query.bbox && toAreas(query.bbox);
  const given = { ...filters, terms, areas, near: toNearFilter(query) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The order that was asked for, or the one that fits what was asked. @throws ApiError 400 where it has nothing to go by */
export function resolveSort({ sort, q, bbox, lat, updatedSince }: MarkersQuery): MarkerSort {
  if (sort === 'distance' && lat === undefined)
    throw createCombinationError('sort', 'Sorting by distance needs lat, lon and radius.');
  if (sort === 'relevance' && q === undefined) throw createCombinationError('sort', 'Sorting by relevance needs q.');
  if (sort && sort !== 'distance' && lat !== undefined)
    throw createCombinationError('sort', 'What is near is sorted by distance.');
  if (sort) return sort;
  if (lat !== undefined) return 'distance';
  if (updatedSince) return 'updatedAt';
  return q !== undefined && !bbox ? 'relevance' : 'id';
}

function toNearFilter({ lat, lon, radius, bbox }: MarkersQuery): MarkerFilters['near'] {
  const missing = Object.entries({ lat, lon, radius }).filter(([, value]) => value === undefined);
  if (missing.length === 3) return undefined;
  if (missing.length > 0) throw createCombinationError(missing[0]![0], 'lat, lon and radius go together.');
  if (bbox) throw createCombinationError('bbox', 'Ask for a bbox, or for what is near lat and lon, not for both.');
  return { ...toPointE7({ lat: lat!, lon: lon! }), radius: radius! };
}

function createCombinationError(path: string, message: string): Error {
  return invalidRequest([{ path, code: 'not_together', message }]);
}

function IsCsvBoundingBox(): PropertyDecorator {
  const read = Transform(({ value }: { value: unknown }) => {
    const numbers = typeof value === 'string' ? value.split(',') : [];
    return numbers.every((number) => /^\s*-?\d{1,3}(\.\d+)?\s*$/.test(number)) ? numbers.map(Number) : value;
  });
  const check = ValidateBy(
    { name: 'isBox', validator: { validate: isBoundingBox } },
    { message: '$property takes four numbers W,S,E,N in degrees, the south not above the north' },
  );
  return (target, name) => [read, check].forEach((decorate) => decorate(target, name));
}
