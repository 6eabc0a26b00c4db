import { HttpException } from '@nestjs/common';
import { ApiSchema, ResponseField } from '../openapi/api-schema.decorator.js';
import { stringSchema } from '../openapi/json-schema.js';

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

interface ApiErrorOptions {
  /** Why the user may not do this, in snake_case. */
  reason?: string;
  details?: unknown[];
  headers?: Record<string, string>;
}

/** An error response of the resource APIs: a message for developers and a code for programs. */
export class ApiError extends HttpException {
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string | undefined,
    message: string,
    { headers = {}, ...members }: ApiErrorOptions = {},
  ) {
    super({ error: message, ...(code && { code }), ...members }, status);
    this.message = message;
    this.headers = headers;
  }
}

/** Creates the 404 for a public resource that does not exist. */
export function createNotFoundError(resource: string): ApiError {
  return new ApiError(404, 'not_found', `This ${resource} does not exist. Check the id.`);
}

/** Creates the 404 for a resource that does not exist or that the caller cannot read. */
export function createNotVisibleError(resource: string): ApiError {
  return new ApiError(404, 'not_found', `This ${resource} does not exist, or this person and app cannot read it.`);
}

/** Creates the 410 for a deleted resource. */
export function createGoneError(resource: string, reason?: string): ApiError {
  return new ApiError(410, 'gone', `This ${resource} was deleted.`, reason ? { reason } : {});
}
