import { Injectable, ValidationPipe } from '@nestjs/common';
import { ApiError, type ErrorDetail } from './api-error.js';
import { toErrorDetails } from './validation-details.js';

/** Validates queries and bodies by their DTO. A member that the DTO does not have is an error. */
@Injectable()
export class ApiValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => createInvalidRequestError(toErrorDetails(errors)),
    });
  }
}

/** Limit of `details` in an error response. */
const MAX_ERROR_DETAILS = 20;

/** Creates the 400 for an invalid request, with the error message of the first detail. */
export function createInvalidRequestError(errors: ErrorDetail[]): ApiError {
  const details = errors.slice(0, MAX_ERROR_DETAILS);
  return new ApiError(400, 'invalid_request', details[0]!.message, { details });
}
