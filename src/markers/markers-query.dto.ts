import { Transform } from 'class-transformer';
import { IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { ID_PATTERNS } from '../database/ids.js';
import { PageQuery } from '../http/paging.js';
import { Decimal, Flag, Instant, Several, WholeNumber } from '../http/query-values.js';
import { Text } from '../http/text.js';
import { invalidRequest } from '../http/validation.pipe.js';
import { searchTerms } from '../search/search-terms.js';
import {
  ARTWORK_STATUSES,
  type ArtworkStatus,
  MARKER_KINDS,
  type MarkerKind,
  type Medium,
  MEDIUMS,
} from './marker.entity.js';
import { areasOf, type Box, isBox, placeAt } from './search/places.js';
import { MARKER_SORTS, type MarkerFilters, type MarkerSort } from './search/search.js';

export const FORMATS = ['json', 'geojson'] as const;

/** A list of markers that can come as GeoJSON too. */
export class FormattedPageQuery extends PageQuery {
  @IsOptional()
  @IsIn(FORMATS)
  format?: (typeof FORMATS)[number];
}

/** What is looked for on the map. Values of one filter are alternatives; all filters must hold. */
export class MarkersQuery extends FormattedPageQuery {
  @WholeNumber(1, 500)
  override limit: number = 100;

  @IsOptional()
  @Several()
  @IsIn(MARKER_KINDS, { each: true })
  kind?: MarkerKind[];

  @IsOptional()
  @Several()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];

  @IsOptional()
  @Several()
  @Text(1, 40, { each: true })
  placeType?: string[];

  @IsOptional()
  @Several()
  @IsIn(MEDIUMS, { each: true })
  medium?: Medium[];

  @IsOptional()
  @Several()
  @Matches(ID_PATTERNS.art, { each: true, message: '$property holds what is no id of an artist' })
  artistId?: string[];

  @IsOptional()
  @Several()
  @Text(1, 40, { each: true })
  regionId?: string[];

  @IsOptional()
  @Several()
  @Text(1, 40, { each: true })
  tag?: string[];

  @IsOptional()
  @WholeNumber(-9999, 9999)
  yearFrom?: number;

  @IsOptional()
  @WholeNumber(-9999, 9999)
  yearTo?: number;

  /** Words, the last of which may be the beginning of one. */
  @IsOptional()
  @Text(1, 200)
  q?: string;

  /** West, south, east, north, in degrees; where west is greater than east, the box crosses the 180th meridian. */
  @IsOptional()
  @IsBoxText()
  bbox?: Box;

  @IsOptional()
  @Decimal(-90, 90)
  lat?: number;

  @IsOptional()
  @Decimal(-180, 180)
  lon?: number;

  /** Metres. */
  @IsOptional()
  @Decimal(1, 50_000)
  radius?: number;

  @IsOptional()
  @Several()
  @Text(1, 40, { each: true })
  ids?: string[];

  @IsOptional()
  @Instant()
  updatedSince?: Date;

  @IsOptional()
  @IsIn(MARKER_SORTS)
  sort?: MarkerSort;

  /** Whether to say how many there are, up to ten thousand. */
  @IsOptional()
  @Flag()
  count?: boolean;
}

export class ArtistArtworksQuery extends FormattedPageQuery {
  @IsOptional()
  @Several()
  @IsIn(ARTWORK_STATUSES, { each: true })
  status?: ArtworkStatus[];
}

/** The filters of a query. @throws ApiError 400 where they do not go together */
export function filtersOf(query: MarkersQuery): MarkerFilters {
  const { kind, status, placeType, medium, artistId, regionId, tag, yearFrom, yearTo, updatedSince } = query;
  const filters = { kind, status, placeType, medium, artistId, regionId, tag, yearFrom, yearTo, updatedSince };
  const terms = query.q === undefined ? undefined : searchTerms(query.q);
  const areas = query.bbox && areasOf(query.bbox);
  const given = { ...filters, terms, areas, near: nearOf(query) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The order that was asked for, or the one that fits what was asked. @throws ApiError 400 where it has nothing to go by */
export function sortOf({ sort, q, bbox, lat, updatedSince }: MarkersQuery): MarkerSort {
  if (sort === 'distance' && lat === undefined) throw wrong('sort', 'Sorting by distance needs lat, lon and radius.');
  if (sort === 'relevance' && q === undefined) throw wrong('sort', 'Sorting by relevance needs q.');
  if (sort && sort !== 'distance' && lat !== undefined) throw wrong('sort', 'What is near is sorted by distance.');
  if (sort) return sort;
  if (lat !== undefined) return 'distance';
  if (updatedSince) return 'updatedAt';
  return q !== undefined && !bbox ? 'relevance' : 'id';
}

function nearOf({ lat, lon, radius, bbox }: MarkersQuery): MarkerFilters['near'] {
  const missing = Object.entries({ lat, lon, radius }).filter(([, value]) => value === undefined);
  if (missing.length === 3) return undefined;
  if (missing.length > 0) throw wrong(missing[0]![0], 'lat, lon and radius go together.');
  if (bbox) throw wrong('bbox', 'Ask for a bbox, or for what is near lat and lon, not for both.');
  return { ...placeAt({ lat: lat!, lon: lon! }), radius: radius! };
}

function wrong(path: string, message: string): Error {
  return invalidRequest([{ path, code: 'not_together', message }]);
}

function IsBoxText(): PropertyDecorator {
  const read = Transform(({ value }: { value: unknown }) => {
    const numbers = typeof value === 'string' ? value.split(',') : [];
    return numbers.every((number) => /^\s*-?\d{1,3}(\.\d+)?\s*$/.test(number)) ? numbers.map(Number) : value;
  });
  const check = ValidateBy(
    { name: 'isBox', validator: { validate: isBox } },
    { message: '$property takes four numbers W,S,E,N in degrees, the south not above the north' },
  );
  return (target, name) => [read, check].forEach((decorate) => decorate(target, name));
}
