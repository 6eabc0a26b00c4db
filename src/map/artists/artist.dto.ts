import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsISO31661Alpha2, IsOptional } from 'class-validator';
import { IsInteger, IsOptionalNotNull } from '../../platform/validation/members.decorator.js';
import { IsHttpsUrl, IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { idSchema } from '../../platform/database/ids.js';
import { ApiSchema, RequestField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  dateTimeSchema,
  integerSchema,
  nullable,
  stringSchema,
} from '../../platform/openapi/json-schema.js';
import type { Artist } from './artist.entity.js';

/** The fields of an artist that edits can change; `null` clears a field. */
@ApiSchema('ArtistFields', 'The fields of an artist that edits can change. `null` clears a field.')
export class ArtistFields {
  @RequestField('Name of the artist, on one line: 1 to 120 characters. Required for a new artist.', 'Ansa Kettu')
  @IsOptionalNotNull()
  @IsSingleLine(1, 120)
  name?: string;

  @RequestField('Other names of the artist: up to 10, each 1 to 120 characters on one line.', ['Kettu'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsSingleLine(1, 120, { each: true })
  aliases?: string[] | null;

  @RequestField('Country of origin: two letters (ISO 3166-1 alpha-2).', 'FI')
  @IsOptional()
  @IsISO31661Alpha2()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value))
  country?: string | null;

  @RequestField('Description of the artist, as plain text: 1 to 4,000 characters.', 'Paints foxes.')
  @IsOptional()
  @IsText(1, 4000)
  bio?: string | null;

  @RequestField('Websites about the artist: up to 10 https URLs, each up to 500 characters.', [
    'https://kettu.example/',
  ])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsHttpsUrl({ each: true })
  links?: string[] | null;

  @RequestField('First year of activity, 1800 to 2200.', 2005)
  @IsOptional()
  @IsInteger(1800, 2200)
  activeFrom?: number | null;

  @RequestField('Last year of activity, 1800 to 2200.', 2020)
  @IsOptional()
  @IsInteger(1800, 2200)
  activeTo?: number | null;
}

/** An artist. */
@ApiSchema('Artist', 'An artist or a group of artists.')
export class ArtistResponse {
  @ResponseField(idSchema('art', 'Id of the artist.'))
  id!: string;

  @ResponseField(stringSchema('Name of the artist.', '壁画社'))
  name!: string;

  @ResponseField(arraySchema(stringSchema('Another name.', 'Hekigasha'), 'Other names of the artist.'))
  aliases!: string[];

  @ResponseField(nullable(stringSchema('Country of origin: two letters (ISO 3166-1 alpha-2).', 'JP')))
  country!: string | null;

  @ResponseField(
    nullable(
      stringSchema('Description, as plain text. Escape it before you show it as HTML.', 'Three painters from Nagoya.'),
    ),
  )
  bio!: string | null;

  @ResponseField(arraySchema(stringSchema('An https URL.', 'https://hekigasha.example/'), 'Websites about the artist.'))
  links!: string[];

  @ResponseField(nullable({ type: 'integer', description: 'First year of activity.', examples: [1998] }))
  activeFrom!: number | null;

  @ResponseField(nullable({ type: 'integer', description: 'Last year of activity.', examples: [null] }))
  activeTo!: number | null;

  @ResponseField(integerSchema('Number of artworks of the artist on the map.', 6))
  artworkCount!: number;

  @ResponseField(integerSchema('Version of the artist. It starts at 1, and each change adds 1.', 2, 1))
  version!: number;

  @ResponseField(dateTimeSchema('Time of creation.'))
  createdAt!: string;

  @ResponseField(dateTimeSchema('Time of the last change.'))
  updatedAt!: string;
}

/**
 * A page of artists, with the requested fields; for `ids`, with the ids of artists that do not
 * exist.
 */
export type ArtistListResponse = Page<Partial<ArtistResponse>> & { missing?: string[] };

/** Maps an artist to its response. */
export function toArtistResponse(artist: Artist): ArtistResponse {
  const { id, name, aliases, country, bio, links, activeFrom, activeTo, version, createdAt, updatedAt } = artist;
  const { artworkCount } = artist;
  return {
    id,
    name,
    aliases,
    country,
    bio,
    links,
    activeFrom,
    activeTo,
    artworkCount,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
