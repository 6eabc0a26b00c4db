import { DuplicateEditDto, EditConflictDto } from '../../map/edits/edit-error-details.dto.js';
import { ValidationDetail } from '../../platform/http/api-error.js';
import { ApiSchema, OptionalResponseField, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { arraySchema, stringSchema } from '../../platform/openapi/json-schema.js';

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
      { anyOf: [{ dto: ValidationDetail }, { dto: EditConflictDto }, { dto: DuplicateEditDto }] },
      'Members, fields or edits that caused the error, at most 20.',
    ),
  )
  details?: (ValidationDetail | EditConflictDto | DuplicateEditDto)[];
}
