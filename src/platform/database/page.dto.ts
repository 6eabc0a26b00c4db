import { ApiSchema, getApiSchema, OptionalResponseField, ResponseField } from '../openapi/api-schema.decorator.js';
import {
  arraySchema,
  booleanSchema,
  type DtoClass,
  integerSchema,
  type JsonSchema,
  nullable,
  stringSchema,
} from '../openapi/json-schema.js';

/** The position of a page in its list. */
@ApiSchema('PageInfo', 'The position of a page in its list.')
export class PageInfo {
  @ResponseField(integerSchema('Maximum number of items on the page, as requested.', 20, 1))
  limit!: number;

  @ResponseField(
    nullable(stringSchema('Value of `cursor` for the next page. `null` on the last page.', 'WzE3MzI1LCJvYjMiXQ')),
  )
  nextCursor!: string | null;

  @OptionalResponseField(
    integerSchema('Number of items in the whole list, at most 10,000. Only with `count=true`.', 42),
  )
  numberMatched?: number;

  @OptionalResponseField(
    booleanSchema('Whether the list can have more items than `numberMatched`. Only with `count=true`.', false),
  )
  numberMatchedIsLowerBound?: boolean;
}

/** The schema of the member `page` of a response. */
export const PAGE_INFO_SCHEMA: JsonSchema = { dto: PageInfo, description: 'Position of this page in the list.' };

/** Returns the schema of a page of a list. */
export function pageSchema(item: DtoClass): JsonSchema {
  return {
    componentName: `${getApiSchema(item).componentName}Page`,
    type: 'object',
    description: 'A page of a list.',
    properties: { data: arraySchema(item, 'Items of this page.'), page: PAGE_INFO_SCHEMA },
    required: ['data', 'page'],
  };
}

/**
 * Returns the schema of a page of a list that can also be requested by ids.
 * @param unknownId an example of an id that does not exist
 */
export function pageOrIdsSchema(item: DtoClass, unknownId: string): JsonSchema {
  const { properties, ...page } = pageSchema(item);
  const missing = arraySchema(
    stringSchema('An id.', unknownId),
    'Ids of the request that do not exist or were deleted. Only with `ids`.',
  );
  return {
    ...page,
    description: 'A page of a list, or the items of the requested `ids`.',
    properties: { ...properties, missing },
  };
}
