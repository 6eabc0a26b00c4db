import { applyDecorators, Controller, UseInterceptors, UsePipes } from '@nestjs/common';
import { ApiHeadersInterceptor } from './api-headers.interceptor.js';
import { JsonBodyInterceptor } from './json-body.interceptor.js';
import { UnknownQueryInterceptor } from './unknown-query.interceptor.js';
import { ApiValidationPipe } from './api-validation.pipe.js';

/** A controller of the resource APIs: JSON bodies, and nothing in them or in a query that its DTO does not know. */
export function ApiController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseInterceptors(ApiHeadersInterceptor, UnknownQueryInterceptor, JsonBodyInterceptor),
    UsePipes(ApiValidationPipe),
  );
}
