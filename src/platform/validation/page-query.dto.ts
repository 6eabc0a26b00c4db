import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { RequestField } from '../openapi/api-schema.decorator.js';
import { IsIntegerInRange } from './query-values.decorator.js';

/** Declares the query parameter `cursor`. */
export function CursorParam(): PropertyDecorator {
  return applyDecorators(
    RequestField(
      'Position of the page: `nextCursor` of the page before. Send the same filters and the same order with it.',
      'WzE3MzI1LCJvYjMiXQ',
    ),
    IsOptional(),
    IsString(),
  );
}

/** The query parameters of every paged list. */
export class PageQuery {
  @RequestField('Maximum number of items on a page.', 20)
  @IsIntegerInRange(1, 100)
  limit: number = 20;

  @CursorParam()
  cursor?: string;
}
