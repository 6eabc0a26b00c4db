import { applyDecorators, Controller, UseInterceptors, UsePipes } from '@nestjs/common';
import { ApiHeadersInterceptor } from './api-headers.interceptor.js';
import { JsonBodyInterceptor } from './json-body.interceptor.js';
import { UnknownQueryInterceptor } from './unknown-query.interceptor.js';
import { ApiValidationPipe } from './api-validation.pipe.js';

/**
 * Declares a controller of the resource APIs. It reads JSON bodies, and rejects members of bodies
 * and queries that the DTO does not have.
 */
export function ApiController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseInterceptors(ApiHeadersInterceptor, UnknownQueryInterceptor, JsonBodyInterceptor),
    UsePipes(ApiValidationPipe),
  );
}
