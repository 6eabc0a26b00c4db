import { ApiSchema, InlineApiSchema, OptionalResponseField, ResponseField } from '../openapi/api-schema.decorator.js';
import { arraySchema, stringSchema } from '../openapi/json-schema.js';

/** A validation error of one member of a request. */
@InlineApiSchema('One thing that is wrong, and where.')
export class ValidationDetail {
  @ResponseField(stringSchema('Where, with dots.', 'changes.title'))
  path!: string;

  @ResponseField(stringSchema('What, for your program.', 'is_string'))
  code!: string;

  @ResponseField(stringSchema('What, for a person.', 'changes.title must be a string.'))
  message!: string;
}

/** A field that another edit has changed. */
@InlineApiSchema(
  'A field whose value has changed since. The values are present only if the token has the scope to read them.',
)
export class ConflictDetail {
  @ResponseField(stringSchema('Its name.', 'year'))
  field!: string;

  @OptionalResponseField({ description: 'What the author saw.', examples: [2013] })
  from?: unknown;

  @OptionalResponseField({ description: 'What it is now.', examples: [2012] })
  current?: unknown;

  @OptionalResponseField({ description: 'What the edit wants.', examples: [2014] })
  to?: unknown;

  @OptionalResponseField({
    type: ['string', 'null'],
    description: 'The later edit that changed it, where one is reverted.',
    examples: [null],
  })
  editId?: string | null;
}

/** The body of every error response outside the OAuth endpoints. */
@ApiSchema('ErrorResponse', 'What went wrong. Only where a scope is missing there is no code.')
export class ErrorResponse {
  @ResponseField(stringSchema('A sentence for a person to read.', 'There is no such marker.'))
  error!: string;

  @OptionalResponseField(stringSchema('For your program.', 'not_found'))
  code?: string;

  @OptionalResponseField(stringSchema('Why the person may not, where the code is `not_allowed`.', 'own_edit'))
  reason?: string;

  @OptionalResponseField(arraySchema({ anyOf: [{ dto: ValidationDetail }, { dto: ConflictDetail }] }, 'What exactly.'))
  details?: (ValidationDetail | ConflictDetail)[];
}
