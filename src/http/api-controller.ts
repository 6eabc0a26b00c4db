import { applyDecorators, Controller, UseInterceptors, UsePipes } from '@nestjs/common';
import { ApiHeaders } from './api-headers.interceptor.js';
import { JsonBody } from './json-body.interceptor.js';
import { StrayQuery } from './stray-query.interceptor.js';
import { ApiValidation } from './validation.pipe.js';

/** A controller of the resource APIs: JSON bodies, and nothing in them or in a query that its DTO does not know. */
export function ApiController(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseInterceptors(ApiHeaders, StrayQuery, JsonBody), UsePipes(ApiValidation));
}
