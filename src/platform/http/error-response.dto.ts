import { ApiSchema, OptionalResponseField, ResponseField } from '../openapi/api-schema.decorator.js';
import { arraySchema, stringSchema } from '../openapi/json-schema.js';

/** A validation error of one member of a request. */
@ApiSchema('ValidationDetail', 'A member of the request that is not valid.')
export class ValidationDetail {
  @ResponseField(stringSchema('Path of the member, with dots.', 'changes.title'))
  path!: string;

  @ResponseField(stringSchema('Rule that the member breaks, for programs.', 'is_string'))
  code!: string;

  @ResponseField(
    stringSchema(
      'Rule that the member breaks, as a sentence. The wording can change.',
      'changes.title must be a string.',
    ),
  )
  message!: string;
}

/** A field that another edit has changed. */
@ApiSchema(
  'ConflictDetail',
  'A field that another edit changed. The values are present only if the token has the scope to read them.',
)
export class ConflictDetail {
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
export class DuplicateDetail {
  @ResponseField(stringSchema('Id of the open edit.', 'edt_01JDEM00000000000000000013'))
  editId!: string;
}

/** The body of every error response outside the OAuth endpoints. */
@ApiSchema('ErrorResponse', 'An error of the API. Only the error for a missing scope has no `code`.')
export class ErrorResponse {
  @ResponseField(
    stringSchema(
      'Cause of the error, as a sentence. The wording can change.',
      'This marker does not exist. Check the id.',
    ),
  )
  error!: string;

  @OptionalResponseField(stringSchema('Error code for programs.', 'not_found'))
  code?: string;

  @OptionalResponseField(
    stringSchema(
      'Reason of the error: why the person lacks the permission, or why the resource is gone. Only with the codes ' +
        '`not_allowed` and `gone`.',
      'own_edit',
    ),
  )
  reason?: string;

  @OptionalResponseField(
    arraySchema(
      { anyOf: [{ dto: ValidationDetail }, { dto: ConflictDetail }, { dto: DuplicateDetail }] },
      'Members, fields or edits that caused the error, at most 20.',
    ),
  )
  details?: (ValidationDetail | ConflictDetail | DuplicateDetail)[];
}
