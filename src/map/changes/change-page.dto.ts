import type { RenderedJson } from '../../platform/http/rendered-json.js';
import { ApiSchema, getApiSchema, RequestField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import {
  arraySchema,
  booleanSchema,
  dateTimeSchema,
  type DtoClass,
  enumSchema,
  integerSchema,
  type JsonSchema,
  stringSchema,
} from '../../platform/openapi/json-schema.js';
import { IsOptional, IsString } from 'class-validator';
import { IsIntegerInRange } from '../../platform/validation/query-values.decorator.js';

/** The members of a change in every feed. */
export class RecordChange {
  @ResponseField(
    enumSchema(['upserted', 'deleted'], '`upserted` if the record exists: it is new, or changed, or restored.'),
  )
  change!: 'upserted' | 'deleted';

  @ResponseField(integerSchema('Version of the record.', 4, 1))
  version!: number;

  @ResponseField(dateTimeSchema('Time of the last change of the record.'))
  updatedAt!: string;
}

/** The position at which a page of a feed ends. */
@ApiSchema('ChangePageInfo', 'The position at which a page of changes ends.')
export class ChangePageInfo {
  @ResponseField(
    stringSchema(
      'Value of `since` for the next request. Store it.',
      '6W4X-bz5x8rC_Q2XnwJ6pDIwNzgwIGtaM3YwYko1bzFZZE0yY1ggMTA0Mg',
    ),
  )
  nextSince!: string;

  @ResponseField(
    booleanSchema('Whether more changes are waiting. If `false`, this page ends with the latest change.', true),
  )
  hasMore!: boolean;
}

/** The member `license` of responses with data. */
export const LICENSE_SCHEMA = stringSchema(
  'License of the data, as an id of the SPDX License List. Absent if the operator set none.',
  'CC-BY-4.0',
);

/** The member `attribution` of responses with data. */
export const ATTRIBUTION_SCHEMA = stringSchema(
  'Sentence to show beside the data. Absent if the operator set none.',
  '© Street Art Map contributors',
);

/** A page of a feed. */
export interface ChangePage<Change extends RecordChange> {
  license?: string;
  attribution?: string;
  data: RenderedJson<Change>[];
  page: ChangePageInfo;
}

/** Returns the schema of a page of a feed. */
export function changePageSchema(change: DtoClass): JsonSchema {
  return {
    componentName: `${getApiSchema(change).componentName}Page`,
    type: 'object',
    description: 'A page of changes, in the order of their commits. Each record occurs once, in its newest state.',
    properties: {
      license: LICENSE_SCHEMA,
      attribution: ATTRIBUTION_SCHEMA,
      data: arraySchema(change, 'Changes of this page.'),
      page: { dto: ChangePageInfo, description: 'Position at which this page ends.' },
    },
    required: ['data', 'page'],
  };
}

/** The query parameters of a feed of changes. */
export class ChangesQuery {
  @RequestField(
    '`nextSince` of the response before. Without it, the feed begins with every record that is not deleted.',
    '6W4X-bz5x8rC_Q2XnwJ6pDIwNzgwIGtaM3YwYko1bzFZZE0yY1ggMTA0Mg',
  )
  @IsOptional()
  @IsString()
  since?: string;

  @RequestField('Maximum number of changes on a page.', 100)
  @IsIntegerInRange(1, 500)
  limit: number = 100;
}
