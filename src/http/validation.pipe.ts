import { Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ApiError, type ErrorDetail } from './api-error.js';

/** Checks queries and bodies against their DTO; a member that the DTO does not know is an error. */
@Injectable()
export class ApiValidation extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors) => invalidRequest(detailsOf(errors)),
    });
  }
}

/** 400, with what is wrong and where. */
export function invalidRequest(details: ErrorDetail[]): ApiError {
  return new ApiError(400, 'invalid_request', details[0]?.message ?? 'This request is not as it should be.', {
    details,
  });
}

/** The innermost errors, each with its path from `under` down. */
export function detailsOf(errors: ValidationError[], under = ''): ErrorDetail[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => [
    ...Object.entries(constraints).map(([rule, message]) => ({
      path: under + property,
      code:
        rule === 'whitelistValidation'
          ? 'unknown_member'
          : rule.replace(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`),
      message: rule === 'whitelistValidation' ? `There is no member ${property} here.` : `${under}${message}`,
    })),
    ...detailsOf(children, `${under}${property}.`),
  ]);
}
