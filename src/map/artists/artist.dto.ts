import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, IsISO31661Alpha2, IsOptional, Max, Min } from 'class-validator';
import { IsOptionalNotNull } from '../../platform/validation/is-optional-not-null.decorator.js';
import { IsHttpsUrl, IsSingleLine, IsText } from '../../platform/validation/text.decorator.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import type { Artist } from './artist.entity.js';

/** The fields of an artist that edits can change; `null` clears a field. */
export class ArtistFields {
  @IsOptionalNotNull()
  @IsSingleLine(1, 120)
  name?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsSingleLine(1, 120, { each: true })
  aliases?: string[] | null;

  @IsOptional()
  @IsISO31661Alpha2()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value))
  country?: string | null;

  @IsOptional()
  @IsText(1, 4000)
  bio?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsHttpsUrl({ each: true })
  links?: string[] | null;

  @IsOptional()
  @IsInt()
  @Min(1800)
  @Max(2200)
  activeFrom?: number | null;

  @IsOptional()
  @IsInt()
  @Min(1800)
  @Max(2200)
  activeTo?: number | null;
}

/** An artist, as apps read it. */
export interface ArtistResponse extends Required<ArtistFields> {
  id: string;
  artworkCount: number;
  version: number;
  createdAt: string;
  updatedAt: string;
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
