import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { ID_PATTERNS, idSchema } from '../../platform/database/ids.js';
import { IsOptionalNotNull, Nested } from '../../platform/validation/members.decorator.js';
import { IsHttpsUrl, IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import { RenderedJson } from '../../platform/http/rendered-json.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { getImageUrl, Photo, PhotoFields } from './photo.dto.js';
import { Location, toLocation } from '../regions/location.dto.js';
import {
  ApiSchema,
  OptionalResponseField,
  RequestField,
  ResponseField,
} from '../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  dateTimeSchema,
  enumSchema,
  integerSchema,
  type JsonSchema,
  nullable,
  stringSchema,
} from '../../platform/openapi/json-schema.js';
import {
  ARTWORK_STATUSES,
  type ArtworkStatus,
  type Marker,
  MARKER_KINDS,
  type MarkerKind,
  type Medium,
  MEDIUMS,
  PLACE_TYPES,
  MEDIUM_DESCRIPTION,
  PLACE_TYPE_DESCRIPTION,
  STATUS_DESCRIPTION,
} from './marker.entity.js';

const MIN_YEAR = 1900;

/** The schema of a place type. Operators can import places of other types than the usual ones. */
export const PLACE_TYPE_SCHEMA: JsonSchema = {
  anyOf: [
    { type: 'string', enum: PLACE_TYPES },
    { type: 'string', minLength: 1, maxLength: 40 },
  ],
};

/** The fields of an artwork that edits can change; `null` clears a field. */
@ApiSchema('ArtworkFields', 'The fields of an artwork that edits can change. `null` clears a field.')
export class ArtworkFields {
  @RequestField(
    'Title, on one line: 1 to 200 characters. Required for a new artwork.',
    'The Fox That Waited for the Tram',
  )
  @IsOptionalNotNull()
  @IsSingleLine(1, 200)
  title?: string;

  @RequestField('Description, as plain text: 1 to 4,000 characters.', 'It has been waiting since 2012.')
  @IsOptional()
  @IsText(1, 4000)
  description?: string | null;

  @RequestField(STATUS_DESCRIPTION, 'present')
  @IsOptionalNotNull()
  @IsIn(ARTWORK_STATUSES)
  status?: ArtworkStatus;

  @RequestField(`Up to 5. ${MEDIUM_DESCRIPTION}`, ['mural'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(5)
  @ArrayUnique()
  @IsIn(MEDIUMS, { each: true })
  medium?: Medium[] | null;

  @RequestField('Ids of the artists: up to 10.', ['art_01JDEM00000000000000000001'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @Matches(ID_PATTERNS.art, {
    each: true,
    message: 'must be the id of an artist, such as art_01JDEM00000000000000000001',
  })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? (value as unknown[]).toSorted() : value))
  artistIds?: string[] | null;

  @RequestField('Year of creation, 1900 to next year.', 2012, { type: 'integer', minimum: MIN_YEAR })
  @IsOptional()
  @ValidateBy(
    { name: 'isYear', constraints: [MIN_YEAR], validator: { validate: isYear } },
    { message: 'must be a year from 1900 to next year' },
  )
  year?: number | null;

  @RequestField('Location of the artwork. Required for a new artwork.', { lat: 52.1043, lon: 5.0266 })
  @IsOptionalNotNull()
  @Nested(() => Location)
  location?: Location;

  @RequestField('Postal address, on one line: 1 to 300 characters.', 'Wolstraat 5, Halvenstad')
  @IsOptional()
  @IsSingleLine(1, 300)
  address?: string | null;

  @RequestField('Tags: up to 20, each 1 to 40 characters on one line, without commas.', ['fox', 'tram'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsSingleLine(1, 40, { each: true })
  @Matches(/^[^,]*$/, { each: true, message: 'must not contain a comma. Send each tag as a separate item' })
  tags?: string[] | null;

  @RequestField(
    'https URL of a picture: up to 500 characters. It replaces the first of the `photos`, and `null` removes it. ' +
      'Cannot be combined with `photos`.',
    'https://images.example/fox-tram.jpg',
  )
  @IsOptional()
  @IsHttpsUrl()
  imageUrl?: string | null;

  @RequestField('Photos: up to 10. Cannot be combined with `imageUrl`.', undefined, {
    type: 'array',
    items: { dto: PhotoFields },
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique((photo: PhotoFields) => photo.url, { message: 'must not have the same url twice' })
  @Nested(() => PhotoFields, { each: true })
  photos?: Photo[] | null;
}

function isYear(value: unknown): boolean {
  return (
    Number.isInteger(value) && (value as number) >= MIN_YEAR && (value as number) <= new Date().getUTCFullYear() + 1
  );
}

/** Id and name of an artist. */
@ApiSchema('ArtistReference', 'The id and the name of an artist.')
export class ArtistReference {
  @ResponseField(idSchema('art', 'Id of the artist.'))
  id!: string;

  @ResponseField(stringSchema('Name of the artist.', 'Ansa Kettu'))
  name!: string;
}

/** Id and name of a region. The operator chooses the ids of regions. */
@ApiSchema('RegionReference', 'The id and the name of a region.')
export class RegionReference {
  @ResponseField(stringSchema('Id of the region. The operator chooses it.', 'reg_halvenstad'))
  id!: string;

  @ResponseField(stringSchema('Name of the region.', 'Halvenstad'))
  name!: string;
}

/** The fields of an artwork in a list of something else. */
@ApiSchema('ArtworkSummary', 'The main fields of an artwork, for lists of collections and artists.')
export class ArtworkSummary {
  @ResponseField(idSchema('mrk', 'Id of the marker.'))
  id!: string;

  @ResponseField(stringSchema('Title.', 'The Fox That Waited for the Tram'))
  title!: string;

  @ResponseField(enumSchema(ARTWORK_STATUSES, STATUS_DESCRIPTION))
  status!: ArtworkStatus;

  @ResponseField({ dto: Location, description: 'Location in degrees (WGS 84).' })
  location!: Location;

  @ResponseField(nullable(stringSchema('https URL of the first photo.', 'https://images.example/fox-tram.jpg')))
  imageUrl!: string | null;

  @ResponseField(arraySchema(ArtistReference, 'Artists, sorted by name.'))
  artists!: ArtistReference[];
}

/** An artwork or a place. */
@ApiSchema('Marker', 'An artwork, or a place such as a gallery or a legal wall.')
export class MarkerResponse extends ArtworkSummary {
  @ResponseField(enumSchema(MARKER_KINDS, 'Kind of the marker.'))
  kind!: MarkerKind;

  @ResponseField(
    nullable(
      stringSchema(
        'Description, as plain text. Escape it before you show it as HTML.',
        'It has been waiting since 2012.',
      ),
    ),
  )
  description!: string | null;

  @ResponseField(arraySchema(enumSchema(MEDIUMS, 'A technique.'), MEDIUM_DESCRIPTION))
  medium!: Medium[];

  @ResponseField({
    anyOf: [PLACE_TYPE_SCHEMA, { type: 'null' }],
    description: PLACE_TYPE_DESCRIPTION,
    examples: [null],
  })
  placeType!: string | null;

  @ResponseField(nullable(stringSchema('Postal address.', 'Eindhalte 1, Halvenstad')))
  address!: string | null;

  @ResponseField(nullable({ dto: RegionReference, description: 'Region of the location. `null` outside all regions.' }))
  region!: RegionReference | null;

  @ResponseField(nullable({ type: 'integer', description: 'Year of creation.', examples: [2012] }))
  year!: number | null;

  @ResponseField(arraySchema(stringSchema('A tag.', 'fox'), 'Tags.'))
  tags!: string[];

  @ResponseField(arraySchema(Photo, 'Photos.'))
  photos!: Photo[];

  @ResponseField(integerSchema('Version of the marker. It starts at 1, and each change adds 1.', 4, 1))
  version!: number;

  @ResponseField(integerSchema('Number of open edits. `which: "target"` of `POST /api/edits/views` lists them.', 1))
  openEditCount!: number;

  @ResponseField(dateTimeSchema('Time of creation.'))
  createdAt!: string;

  @ResponseField(dateTimeSchema('Time of the last change.'))
  updatedAt!: string;

  @OptionalResponseField({
    type: 'number',
    minimum: 0,
    description: 'Distance from `lat` and `lon` of the request, in meters. Only with `lat`, `lon` and `radius`.',
    examples: [120.5],
  })
  distanceMeters?: number;
}

/**
 * A page of markers, with the requested fields; for `ids`, with the ids of markers that do not
 * exist.
 */
export type MarkerListResponse = Page<RenderedJson<MarkerResponse> | Partial<MarkerResponse>> & { missing?: string[] };

/**
 * Maps a marker, loaded with region and artists, to its response. `toFeedRecord` reads the last
 * four members from the text.
 */
export function toMarkerResponse(marker: Marker): MarkerResponse {
  const { id, kind, title, description, status, medium, placeType, address, region, year, tags, photos } = marker;
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
    imageUrl: getImageUrl(marker),
    photos,
    version: marker.version,
    openEditCount: marker.openEditCount,
    createdAt: marker.createdAt.toISOString(),
    updatedAt: marker.updatedAt.toISOString(),
  };
}

/**
 * Adds the distance to the response of a search hit. Returns nothing if the marker was deleted
 * after the search.
 */
export function toMarkerSearchResults(
  marker: RenderedJson<MarkerResponse> | undefined,
  distance: number | undefined,
): RenderedJson<MarkerResponse>[] {
  if (!marker) return [];
  if (distance === undefined) return [marker];
  return [new RenderedJson([`${marker.text.slice(0, -1)},"distanceMeters":${JSON.stringify(distance)}}`])];
}

/** Maps a marker, loaded with its artists, to its summary. */
export function toArtworkSummary(marker: Marker): ArtworkSummary {
  const { id, title, status } = marker;
  const [location, imageUrl] = [toLocation(marker), getImageUrl(marker)];
  return { id, title, status, location, imageUrl, artists: toLiveArtists(marker) };
}

const compareStrings = (one: string, other: string): number => (one < other ? -1 : 1);

/** Returns the live artists of an artwork, sorted by name. */
function toLiveArtists({ artists }: Marker): ArtistReference[] {
  return artists
    .filter(({ deletedAt }) => !deletedAt)
    .sort((a, b) =>
      a.nameSortKey === b.nameSortKey ? compareStrings(a.id, b.id) : compareStrings(a.nameSortKey, b.nameSortKey),
    )
    .map(({ id, name }) => ({ id, name }));
}
