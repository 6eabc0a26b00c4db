import { ApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { stringSchema } from '../../platform/openapi/json-schema.js';

/** A field that another edit has changed. */
@ApiSchema(
  'ConflictDetail',
  'A field that another edit changed. The values are present only if the token has the scope to read them.',
)
export class EditConflictDto {
  @ResponseField(stringSchema('Name of the field.', 'year'))
  field!: string;

  @OptionalResponseField({ description: 'Value that the author of the edit saw.', examples: [2013] })
  from?: unknown;

  @OptionalResponseField({ description: 'Value now.', examples: [2012] })
  current?: unknown;

  @OptionalResponseField({ description: 'Value that the edit suggests.', examples: [2014] })
  to?: unknown;

  @OptionalResponseField({
    type: ['string', 'null'],
    description: 'Id of the later edit that changed the field. Only in the error `revert_conflict`.',
    examples: [null],
  })
  editId?: string | null;
}

/** The open edit that a suggestion repeats. */
@ApiSchema('DuplicateDetail', 'The open edit with the same changes. Only in the error `duplicate_open_edit`.')
export class DuplicateEditDto {
  @ResponseField(stringSchema('Id of the open edit.', 'edt_01JDEM00000000000000000013'))
  editId!: string;
}
