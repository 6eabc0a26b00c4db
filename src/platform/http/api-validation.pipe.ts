import { Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ApiError, type ErrorDetail } from './api-error.js';

/** Validates queries and bodies by their DTO. A member that the DTO does not have is an error. */
@Injectable()
export class ApiValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors) => createInvalidRequestError(toErrorDetails(errors)),
    });
  }
}

/** Limit of `details` in an error response. */
const MAX_ERROR_DETAILS = 20;

/** Creates the 400 for an invalid request, with the error message of the first detail. */
export function createInvalidRequestError(errors: ErrorDetail[]): ApiError {
  const details = errors.slice(0, MAX_ERROR_DETAILS);
  return new ApiError(400, 'invalid_request', details[0]?.message ?? 'This request is not as it should be.', {
    details,
  });
}

/**
 * Flattens validation errors to details.
 * @param parentPath the path of the parent object, with a trailing dot
 */
export function toErrorDetails(errors: ValidationError[], parentPath = ''): ErrorDetail[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => [
    ...Object.entries(constraints).map(([rule, message]) =>
      toErrorDetail(parentPath + property, property, rule, message),
    ),
    ...toErrorDetails(children, `${parentPath}${property}.`),
  ]);
}

function toErrorDetail(path: string, property: string, rule: string, message: string): ErrorDetail {
  if (rule === 'whitelistValidation') return { path, code: 'unknown_member', message: `There is no ${path} here.` };
  const code = rule.replace(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`);
  return { path, code, message: `${message.replace(property, path)}.` };
}
