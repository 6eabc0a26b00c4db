import { IsIn, IsISO31661Alpha2, IsOptional } from 'class-validator';
import { PageQuery } from '../../platform/validation/page-query.dto.js';
import { IsRfc3339, IsCsvArray, MAX_LISTED_IDS } from '../../platform/validation/query-values.decorator.js';
import { FieldsParam } from '../../platform/validation/response-fields.js';
import { RequestField } from '../../platform/openapi/api-schema.decorator.js';
import { ArtistResponse } from './artist.dto.js';
import { IsText } from '../../platform/validation/text.decorator.js';

const ARTIST_SORTS = ['name', 'relevance', 'updatedAt'] as const;

/** Filters and order of a list of artists. */
export class ArtistsQuery extends PageQuery {
  @RequestField(
    'Words of names and aliases: up to 16 words, 1 to 200 characters. All words must occur. The last may be the ' +
      'beginning of a word.',
    'hekig',
  )
  @IsOptional()
  @IsText(1, 200)
  q?: string;

  @RequestField('Countries of origin, as two letters (ISO 3166-1 alpha-2): up to 20.', ['JP'])
  @IsOptional()
  @IsCsvArray()
  @IsISO31661Alpha2({ each: true })
  country?: string[];

  @RequestField(
    'Ids of artists: up to 100. The response keeps their order and lists unknown ids in `missing`. ' +
      'Cannot be combined with other filters.',
    ['art_01JDEM00000000000000000004'],
  )
  @IsOptional()
  @IsCsvArray(MAX_LISTED_IDS)
  @IsText(1, 40, { each: true })
  ids?: string[];

  @RequestField('Only artists that changed at this time (RFC 3339) or later.', '2026-11-20T08:00:00Z')
  @IsOptional()
  @IsRfc3339()
  updatedSince?: Date;

  @RequestField(
    'Order of the list. The default is `updatedAt` with `updatedSince`, `relevance` with `q`, and `name` otherwise.',
    'name',
  )
  @IsOptional()
  @IsIn(ARTIST_SORTS)
  sort?: (typeof ARTIST_SORTS)[number];

  @FieldsParam(ArtistResponse, ['id', 'name'])
  fields?: string[];
}

/** Query of one artist. */
export class ArtistQuery {
  @FieldsParam(ArtistResponse, ['id', 'name'])
  fields?: string[];
}
