import { IsOptional, IsString } from 'class-validator';
import { RequestField } from '../openapi/api-schema.decorator.js';
import { IsIntegerInRange } from './query-values.decorator.js';

/** The query parameters of every paged list. */
export class PageQuery {
  @RequestField('How many a page holds.', 20)
  @IsIntegerInRange(1, 100)
  limit: number = 20;

  @RequestField('The `nextCursor` of the page before, with the same filters and order.')
  @IsOptional()
  @IsString()
  cursor?: string;
}
