import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { ID_PATTERNS } from '../../platform/database/ids.js';
import { IsOptionalNotNull } from '../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../platform/validation/nested.decorator.js';
import { IsHttpsUrl, IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { Location, toLocation } from '../regions/location.dto.js';
import {
  ARTWORK_STATUSES,
  type ArtworkStatus,
  type Marker,
  type MarkerKind,
  type Medium,
  MEDIUMS,
} from './marker.entity.js';

const MIN_YEAR = 1900;

/** The fields of an artwork that edits can change; `null` clears a field. */
export class ArtworkFields {
  @IsOptionalNotNull()
  @IsSingleLine(1, 200)
  title?: string;

  @IsOptional()
  @IsText(1, 4000)
  description?: string | null;

  @IsOptionalNotNull()
  @IsIn(ARTWORK_STATUSES)
  status?: ArtworkStatus;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(5)
  @ArrayUnique()
  @IsIn(MEDIUMS, { each: true })
  medium?: Medium[] | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @Matches(ID_PATTERNS.art, { each: true, message: '$property holds what is no id of an artist' })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? (value as unknown[]).toSorted() : value))
  artistIds?: string[] | null;

  @IsOptional()
  @ValidateBy(
    { name: 'isYear', constraints: [MIN_YEAR], validator: { validate: isYear } },
    { message: '$property must be a year, from 1900 to the next one' },
  )
  year?: number | null;

  @IsOptionalNotNull()
  @Nested(() => Location)
  location?: Location;

  @IsOptional()
  @IsSingleLine(1, 300)
  address?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsSingleLine(1, 40, { each: true })
  @Matches(/^[^,]*$/, { each: true, message: '$property hold a comma, which separates tags in a query' })
  tags?: string[] | null;

  @IsOptional()
  @IsHttpsUrl()
  imageUrl?: string | null;
}

function isYear(value: unknown): boolean {
  return (
    Number.isInteger(value) && (value as number) >= MIN_YEAR && (value as number) <= new Date().getUTCFullYear() + 1
  );
}

/** An artwork or place, as apps read it. */
export interface MarkerResponse {
  id: string;
  kind: MarkerKind;
  title: string;
  description: string | null;
  status: ArtworkStatus;
  medium: Medium[];
  placeType: string | null;
  location: Location;
  address: string | null;
  region: { id: string; name: string } | null;
  artists: { id: string; name: string }[];
  year: number | null;
  tags: string[];
  imageUrl: string | null;
  version: number;
  openEditCount: number;
  createdAt: string;
  updatedAt: string;
  /** Distance from `lat` and `lon` of the query. */
  distanceMeters?: number;
}

/** A page of markers; for `ids`, with the ids of markers that do not exist. */
export type MarkerListResponse = Page<MarkerResponse> & { missing?: string[] };

/** The members of an artwork that other lists contain. */
export type ArtworkSummary = Pick<MarkerResponse, 'id' | 'title' | 'status' | 'location' | 'artists'>;

/** Maps a marker, loaded with artists and region, to its response. */
export function toMarkerResponse(marker: Marker): MarkerResponse {
  const { id, kind, title, description, status, medium, placeType, address, region, year, tags, imageUrl } = marker;
  return {
    id,
    kind,
    title,
    description,
    status,
    medium,
    placeType,
    location: toLocation(marker),
    address,
    region: region && { id: region.id, name: region.name },
    artists: toLiveArtists(marker),
    year,
    tags,
    imageUrl,
    version: marker.version,
    openEditCount: marker.openEditCount,
    createdAt: marker.createdAt.toISOString(),
    updatedAt: marker.updatedAt.toISOString(),
  };
}

/** Maps a search hit to its response; to nothing if the marker was deleted after the search. */
export function toMarkerSearchResults(marker: Marker | undefined, distance: number | undefined): MarkerResponse[] {
  if (!marker || marker.deletedAt) return [];
  return [{ ...toMarkerResponse(marker), ...(distance !== undefined && { distanceMeters: distance }) }];
}

/** Maps a marker, loaded with its artists, to its summary. */
export function toArtworkSummary(marker: Marker): ArtworkSummary {
  const { id, title, status } = marker;
  return { id, title, status, location: toLocation(marker), artists: toLiveArtists(marker) };
}

const compareStrings = (one: string, other: string): number => (one < other ? -1 : 1);

/** Returns the live artists of an artwork, sorted by name. */
function toLiveArtists({ artists }: Marker): { id: string; name: string }[] {
  return artists
    .filter(({ deletedAt }) => !deletedAt)
    .sort((a, b) =>
      a.nameSortKey === b.nameSortKey ? compareStrings(a.id, b.id) : compareStrings(a.nameSortKey, b.nameSortKey),
    )
    .map(({ id, name }) => ({ id, name }));
}
