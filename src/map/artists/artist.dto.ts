import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsISO31661Alpha2, IsOptional } from 'class-validator';
import { IsOptionalNotNull } from '../../platform/validation/is-optional-not-null.decorator.js';
import { IsInteger } from '../../platform/validation/numbers.decorator.js';
import { IsHttpsUrl, IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { idSchema } from '../../platform/database/id-schema.js';
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
@ApiSchema('ArtistFields', 'The fields of an artist. `null` clears one.')
export class ArtistFields {
  @RequestField('The name they work under. A new artist needs one.', 'Ansa Kettu')
  @IsOptionalNotNull()
  @IsSingleLine(1, 120)
  name?: string;

  @RequestField('Other names.', ['Kettu'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsSingleLine(1, 120, { each: true })
  aliases?: string[] | null;

  @RequestField('Where they come from (ISO 3166-1).', 'FI')
  @IsOptional()
  @IsISO31661Alpha2()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value))
  country?: string | null;

  @RequestField('About them.', 'Paints foxes.')
  @IsOptional()
  @IsText(1, 4000)
  bio?: string | null;

  @RequestField('Where there is more about them.', ['https://kettu.example/'])
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsHttpsUrl({ each: true })
  links?: string[] | null;

  @RequestField('The first year of their work.', 2005)
  @IsOptional()
  @IsInteger(1800, 2200)
  activeFrom?: number | null;

  @RequestField('The last.', 2020)
  @IsOptional()
  @IsInteger(1800, 2200)
  activeTo?: number | null;
}

/** An artist. */
@ApiSchema('Artist', 'An artist, by the name they work under.')
export class ArtistResponse {
  @ResponseField(idSchema('art'))
  id!: string;

  @ResponseField(stringSchema('The name they work under.', '壁画社'))
  name!: string;

  @ResponseField(arraySchema(stringSchema('A name.', 'Hekigasha'), 'Other names.'))
  aliases!: string[];

  @ResponseField(nullable(stringSchema('Where they come from (ISO 3166-1).', 'JP')))
  country!: string | null;

  @ResponseField(nullable(stringSchema('What people say of them, in plain text.', 'Three painters from Nagoya.')))
  bio!: string | null;

  @ResponseField(
    arraySchema(stringSchema('An address.', 'https://hekigasha.example/'), 'Where there is more about them.'),
  )
  links!: string[];

  @ResponseField(nullable({ type: 'integer', description: 'The first year of their work.', examples: [1998] }))
  activeFrom!: number | null;

  @ResponseField(nullable({ type: 'integer', description: 'The last.', examples: [null] }))
  activeTo!: number | null;

  @ResponseField(integerSchema('How many of their artworks are on the map.', 6))
  artworkCount!: number;

  @ResponseField(integerSchema('Counts their changes, from 1.', 2, 1))
  version!: number;

  @ResponseField(dateTimeSchema('When they came onto the map.'))
  createdAt!: string;

  @ResponseField(dateTimeSchema('When they were changed last.'))
  updatedAt!: string;
}

/** A page of artists; for `ids`, with the ids of artists that do not exist. */
export type ArtistListResponse = Page<ArtistResponse> & { missing?: string[] };

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
