import { IsIn, IsISO31661Alpha2, IsOptional } from 'class-validator';
import { PageQuery } from '../../platform/database/keyset-pagination.js';
import { IsRfc3339, IsCsvArray } from '../../platform/validation/query-values.decorator.js';
import { IsText } from '../../platform/validation/text.decorator.js';

const ARTIST_SORTS = ['name', 'relevance', 'updatedAt'] as const;

/** Filters and order of a list of artists. */
export class ArtistsQuery extends PageQuery {
  /** Words of names and aliases; the last word also matches as a prefix. */
  @IsOptional()
  @IsText(1, 200)
  q?: string;

  @IsOptional()
  @IsCsvArray()
  @IsISO31661Alpha2({ each: true })
  country?: string[];

  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  ids?: string[];

  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @IsOptional()
  @IsIn(ARTIST_SORTS)
  sort?: (typeof ARTIST_SORTS)[number];
}
