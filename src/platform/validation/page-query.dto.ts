import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { RequestField } from '../openapi/api-schema.decorator.js';
import { IsIntegerInRange } from './query-values.decorator.js';
import { createInvalidRequestError } from '../errors/request-errors.js';

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

/**
 * Checks that a query has no other parameters than `name` and those in `allowed`.
 * @throws ApiError 400
 */
export function assertExclusiveParam<Query extends object>(
  query: Query,
  name: keyof Query,
  allowed: (keyof Query)[],
): void {
  const other = Object.entries(query).find(
    ([key, value]) => value !== undefined && key !== name && !allowed.includes(key as keyof Query),
  );
  if (!other) return;
  const message = `${other[0]} cannot be combined with ${String(name)}. Remove one of the two.`;
  throw createInvalidRequestError([{ path: other[0], code: 'not_together', message }]);
}
