import { IsOptional, IsString } from 'class-validator';
import { RequestField } from '../../platform/openapi/api-schema.decorator.js';
import { IsIntegerInRange } from '../../platform/validation/query-values.decorator.js';

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
