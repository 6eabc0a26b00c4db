import { ApiSchema, ResponseField } from '../../../platform/openapi/api-schema.decorator.js';
import { stringSchema } from '../../../platform/openapi/json-schema.js';

/** Response to the withdrawal of an edit. */
@ApiSchema('WithdrawnEdit', 'An edit that its author withdrew.')
export class WithdrawnEdit {
  @ResponseField(stringSchema('Id of the edit.', 'edt_01JDEM00000000000000000013'))
  id!: string;

  @ResponseField({
    type: 'string',
    enum: ['withdrawn'],
    description: 'Status of the edit.',
    examples: ['withdrawn'],
  })
  status!: 'withdrawn';

  @ResponseField({
    type: ['integer', 'null'],
    minimum: 1,
    description: 'Version of the target, which stays the same; `null` for a creation.',
    examples: [4],
  })
  version!: number | null;
}
