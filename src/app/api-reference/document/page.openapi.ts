import type { Page } from '../../../platform/database/keyset-pagination.js';
import {
  booleanSchema,
  arraySchema,
  nullable,
  objectSchema,
  optional,
  registerObjectSchema,
  type JsonSchema,
  stringSchema,
  integerSchema,
} from './json-schema.js';
import type { FieldDescription } from './validation-schema.js';

const PAGE_INFO = registerObjectSchema<Page<never>['page']>('PageInfo', 'Where in a list a page is.', {
  limit: integerSchema('How many it holds at most.', 20, 1),
  nextCursor: nullable(
    stringSchema('What to send as `cursor` for the next page; `null` on the last.', 'WzE3MzI1LCJvYjMiXQ'),
  ),
  numberMatched: optional(integerSchema('With `count=true`: how many there are, up to 10 000.', 42)),
  numberMatchedIsCapped: optional(booleanSchema('Whether there are more than that.', false)),
});

/** The page of something, as it stands in an answer. */
export const PAGE_INFO_PROPERTY = { ...PAGE_INFO, description: 'Where in the list this page is.' };

/** A page of a list. */
export function pageSchema(item: JsonSchema): JsonSchema {
  return objectSchema<Page<unknown>>('A page of a list.', { data: arraySchema(item), page: PAGE_INFO });
}

/** The same, where ids can be asked for. */
export function pageOrIdsSchema(item: JsonSchema): JsonSchema {
  return objectSchema<Page<unknown> & { missing?: string[] }>('A page of a list, or what was asked for by `ids`.', {
    data: arraySchema(item),
    page: PAGE_INFO,
    missing: optional(
      arraySchema(stringSchema('An id.', 'mrk_unknown'), 'Of the `ids`: those that are none, or were deleted.'),
    ),
  });
}

/** What is told of the parameters that every list takes. */
export const PAGE_QUERY_FIELDS: { limit: FieldDescription; cursor: FieldDescription } = {
  limit: ['How many a page holds.', 20],
  cursor: ['The `nextCursor` of the page before, with the same filters and order.'],
};
