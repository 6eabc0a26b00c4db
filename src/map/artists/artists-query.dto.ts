import { IsIn, IsISO31661Alpha2, IsOptional } from 'class-validator';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { IsRfc3339, IsCsvArray } from '../../platform/validation/query-values.decorator.js';
import { RequestField } from '../../platform/openapi/api-schema.decorator.js';
import { IsText } from '../../platform/validation/text.decorator.js';

const ARTIST_SORTS = ['name', 'relevance', 'updatedAt'] as const;

/** Filters and order of a list of artists. */
export class ArtistsQuery extends PageQuery {
  @RequestField('Words of names and aliases; the last may be the beginning of one.', 'hekig')
  @IsOptional()
  @IsText(1, 200)
  q?: string;

  @RequestField('Where they come from (ISO 3166-1).', ['JP'])
  @IsOptional()
  @IsCsvArray()
  @IsISO31661Alpha2({ each: true })
  country?: string[];

  @RequestField('These, in this order; those that are none are in `missing`. No other filter goes with it.', [
    'art_unknown',
  ])
  @IsOptional()
  @IsCsvArray()
  @IsText(1, 40, { each: true })
  ids?: string[];

  @RequestField('Changed at this moment or later.', '2026-11-20T08:00:00Z')
  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @RequestField('The order: by name unless said, `relevance` with `q`, `updatedAt` with `updatedSince`.', 'name')
  @IsOptional()
  @IsIn(ARTIST_SORTS)
  sort?: (typeof ARTIST_SORTS)[number];
}
