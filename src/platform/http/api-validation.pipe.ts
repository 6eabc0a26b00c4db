import { Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ApiError, type ErrorDetail } from './api-error.js';

/** Checks queries and bodies against their DTO; a member that the DTO does not know is an error. */
@Injectable()
export class ApiValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors) => invalidRequest(toErrorDetails(errors)),
    });
  }
}

/** How many things that are wrong an answer names. */
const MAX_ERROR_DETAILS = 20;

/** 400, with what is wrong and where. */
export function invalidRequest(all: ErrorDetail[]): ApiError {
  const details = all.slice(0, MAX_ERROR_DETAILS);
  return new ApiError(400, 'invalid_request', details[0]?.message ?? 'This request is not as it should be.', {
    details,
  });
}

/** The innermost errors, each with its path from `under` down. */
export function toErrorDetails(errors: ValidationError[], under = ''): ErrorDetail[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => [
    ...Object.entries(constraints).map(([rule, message]) => toErrorDetail(under + property, property, rule, message)),
    ...toErrorDetails(children, `${under}${property}.`),
  ]);
}

function toErrorDetail(path: string, property: string, rule: string, message: string): ErrorDetail {
  if (rule === 'whitelistValidation') return { path, code: 'unknown_member', message: `There is no ${path} here.` };
  const code = rule.replace(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`);
  return { path, code, message: `${message.replace(property, path)}.` };
}
