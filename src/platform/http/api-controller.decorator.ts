import { applyDecorators, Controller, UseInterceptors, UsePipes } from '@nestjs/common';
import { ApiRequestInterceptor } from './api-request.interceptor.js';
import { ApiValidationPipe } from './api-validation.pipe.js';

/**
 * Declares a controller of the resource APIs. It reads JSON bodies, and rejects members of bodies
 * and queries that the DTO does not have.
 */
export function ApiController(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseInterceptors(ApiRequestInterceptor), UsePipes(ApiValidationPipe));
}
