import { ApiSchema, OptionalResponseField, ResponseField } from '../openapi/api-schema.decorator.js';
import {
  arraySchema,
  booleanSchema,
  integerSchema,
  type JsonSchema,
  nullable,
  type SchemaSource,
  stringSchema,
} from '../openapi/json-schema.js';

/** The position of a page in its list. */
@ApiSchema('PageInfo', 'Where in a list a page is.')
export class PageInfo {
  @ResponseField(integerSchema('How many it holds at most.', 20, 1))
  limit!: number;

  @ResponseField(
    nullable(stringSchema('What to send as `cursor` for the next page; `null` on the last.', 'WzE3MzI1LCJvYjMiXQ')),
  )
  nextCursor!: string | null;

  @OptionalResponseField(integerSchema('With `count=true`: how many there are, up to 10 000.', 42))
  numberMatched?: number;

  @OptionalResponseField(booleanSchema('Whether there are more than that.', false))
  numberMatchedIsCapped?: boolean;
}

/** The schema of the member `page` of a response. */
export const PAGE_INFO_SCHEMA: JsonSchema = { dto: PageInfo, description: 'Where in the list this page is.' };

/** Returns the schema of a page of a list. */
export function pageSchema(item: SchemaSource): JsonSchema {
  return {
    type: 'object',
    description: 'A page of a list.',
    properties: { data: arraySchema(item), page: { dto: PageInfo } },
    required: ['data', 'page'],
  };
}

/** Returns the schema of a page of a list that can also be requested by ids. */
export function pageOrIdsSchema(item: SchemaSource): JsonSchema {
  const { properties, ...page } = pageSchema(item);
  const missing = arraySchema(
    stringSchema('An id.', 'mrk_unknown'),
    'Of the `ids`: those that are none, or were deleted.',
  );
  return {
    ...page,
    description: 'A page of a list, or what was asked for by `ids`.',
    properties: { ...properties, missing },
  };
}
