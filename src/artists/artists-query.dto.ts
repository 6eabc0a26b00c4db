import { IsIn, IsISO31661Alpha2, IsOptional } from 'class-validator';
import { PageQuery } from '../http/paging.js';
import { Instant, Several } from '../http/query-values.js';
import { Text } from '../http/text.js';

const ARTIST_SORTS = ['name', 'relevance', 'updatedAt'] as const;

/** Which artists are looked for. */
export class ArtistsQuery extends PageQuery {
  /** Words of names and aliases, the last of which may be the beginning of one. */
  @IsOptional()
  @Text(1, 200)
  q?: string;

  @IsOptional()
  @Several()
  @IsISO31661Alpha2({ each: true })
  country?: string[];

  @IsOptional()
  @Several()
  @Text(1, 40, { each: true })
  ids?: string[];

  @IsOptional()
  @Instant()
  updatedSince?: Date;

  @IsOptional()
  @IsIn(ARTIST_SORTS)
  sort?: (typeof ARTIST_SORTS)[number];
}
