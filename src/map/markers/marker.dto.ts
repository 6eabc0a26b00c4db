import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { ID_PATTERNS } from '../../platform/database/ids.js';
import { IsOptionalNotNull } from '../../platform/validation/is-optional-not-null.decorator.js';
import { Nested } from '../../platform/validation/nested.decorator.js';
import { IsHttpsUrl, IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { Location, toLocation } from '../regions/location.dto.js';
import { idSchema } from '../../platform/database/id-schema.js';
import {
  ApiSchema,
  InlineApiSchema,
  OptionalResponseField,
  RequestField,
  ResponseField,
} from '../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  dateTimeSchema,
  enumSchema,
  integerSchema,
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
} from './marker.entity.js';

const MIN_YEAR = 1900;

/** The fields of an artwork that edits can change; `null` clears a field. */
@ApiSchema('ArtworkFields', 'The fields of an artwork. `null` clears one.')
export class ArtworkFields {
  @RequestField('What it is called, on one line. A new artwork needs one.', 'The Fox That Waited for the Tram')
  @IsOptionalNotNull()
  @IsSingleLine(1, 200)
  title?: string;

  @RequestField('About it.', 'It has been waiting since 2012.')
  @IsOptional()
  @IsText(1, 4000)
  description?: string | null;

  @RequestField('Whether it is still there.', 'present')
  @IsOptionalNotNull()
  @IsIn(ARTWORK_STATUSES)
  status?: ArtworkStatus;

  @RequestField('How it was made.', ['mural'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(5)
  @ArrayUnique()
  @IsIn(MEDIUMS, { each: true })
  medium?: Medium[] | null;

  @RequestField('Who made it.', ['art_01JDEM00000000000000000001'])
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

  @RequestField('When it was made: not after the next year.', 2012, { type: 'integer', minimum: MIN_YEAR })
  @IsOptional()
  @ValidateBy(
    { name: 'isYear', constraints: [MIN_YEAR], validator: { validate: isYear } },
    { message: 'must be a year from 1900 to next year' },
  )
  year?: number | null;

  @RequestField('Where it is. A new artwork needs one.')
  @IsOptionalNotNull()
  @Nested(() => Location)
  location?: Location;

  @RequestField('The same in words, on one line.', 'Wolstraat 5, Halvenstad')
  @IsOptional()
  @IsSingleLine(1, 300)
  address?: string | null;

  @RequestField('Words for it, without commas.', ['fox', 'tram'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsSingleLine(1, 40, { each: true })
  @Matches(/^[^,]*$/, { each: true, message: 'must not contain a comma. Send each tag as an item of its own' })
  tags?: string[] | null;

  @RequestField('A picture of it, elsewhere.', 'https://images.example/fox-tram.jpg')
  @IsOptional()
  @IsHttpsUrl()
  imageUrl?: string | null;
}

function isYear(value: unknown): boolean {
  return (
    Number.isInteger(value) && (value as number) >= MIN_YEAR && (value as number) <= new Date().getUTCFullYear() + 1
  );
}

/** Id and name of an artist. */
@InlineApiSchema('An artist.')
export class ArtistReference {
  @ResponseField(idSchema('art'))
  id!: string;

  @ResponseField(stringSchema('Its name.', 'Ansa Kettu'))
  name!: string;
}

/** Id and name of a region. The operator chooses the ids of regions. */
@InlineApiSchema('The region in which it lies.')
export class RegionReference {
  @ResponseField(stringSchema('An opaque id.', 'reg_halvenstad'))
  id!: string;

  @ResponseField(stringSchema('Its name.', 'Halvenstad'))
  name!: string;
}

/** The fields of an artwork in a list of something else. */
@ApiSchema('ArtworkSummary', 'As much of an artwork as a list of something else shows.')
export class ArtworkSummary {
  @ResponseField(idSchema('mrk'))
  id!: string;

  @ResponseField(stringSchema('What it is called.', 'The Fox That Waited for the Tram'))
  title!: string;

  @ResponseField(enumSchema(ARTWORK_STATUSES, 'Whether it is still there.'))
  status!: ArtworkStatus;

  @ResponseField(Location)
  location!: Location;

  @ResponseField(arraySchema(ArtistReference, 'Who made it, by name.'))
  artists!: ArtistReference[];
}

/** An artwork or a place. */
@ApiSchema('Marker', 'An artwork, or a place such as a gallery or a legal wall.')
export class MarkerResponse extends ArtworkSummary {
  @ResponseField(enumSchema(MARKER_KINDS, 'What it is.'))
  kind!: MarkerKind;

  @ResponseField(nullable(stringSchema('What people say of it, in plain text.', 'It has been waiting since 2012.')))
  description!: string | null;

  @ResponseField(arraySchema(enumSchema(MEDIUMS, 'How it was made.'), 'How it was made.'))
  medium!: Medium[];

  @ResponseField(nullable(stringSchema('What kind of place; `null` for an artwork.', null)))
  placeType!: string | null;

  @ResponseField(nullable(stringSchema('Where it is, in words.', 'Eindhalte 1, Halvenstad')))
  address!: string | null;

  @ResponseField(nullable(RegionReference))
  region!: RegionReference | null;

  @ResponseField(nullable({ type: 'integer', description: 'When it was made.', examples: [2012] }))
  year!: number | null;

  @ResponseField(arraySchema(stringSchema('A word.', 'fox'), 'Words for it.'))
  tags!: string[];

  @ResponseField(nullable(stringSchema('A picture of it, elsewhere.', 'https://images.example/fox-tram.jpg')))
  imageUrl!: string | null;

  @ResponseField(integerSchema('Counts its changes, from 1.', 4, 1))
  version!: number;

  @ResponseField(integerSchema('How many changes to it are suggested and not yet decided.', 1))
  openEditCount!: number;

  @ResponseField(dateTimeSchema('When it came onto the map.'))
  createdAt!: string;

  @ResponseField(dateTimeSchema('When it was changed last.'))
  updatedAt!: string;

  @OptionalResponseField({
    type: 'number',
    minimum: 0,
    description: 'From the place that was asked for by `lat`, `lon` and `radius`.',
    examples: [120.5],
  })
  distanceMeters?: number;
}

/** A page of markers; for `ids`, with the ids of markers that do not exist. */
export type MarkerListResponse = Page<MarkerResponse> & { missing?: string[] };

/** Maps a marker, loaded with region and artists, to its response. */
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
function toLiveArtists({ artists }: Marker): ArtistReference[] {
  return artists
    .filter(({ deletedAt }) => !deletedAt)
    .sort((a, b) =>
      a.nameSortKey === b.nameSortKey ? compareStrings(a.id, b.id) : compareStrings(a.nameSortKey, b.nameSortKey),
    )
    .map(({ id, name }) => ({ id, name }));
}
