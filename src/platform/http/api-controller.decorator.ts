import { applyDecorators, Controller, UseGuards, UsePipes } from '@nestjs/common';
import { ApiHeadersGuard } from './api-headers.guard.js';
import { JsonBodyGuard } from './json-body.guard.js';
import { UnknownQueryGuard } from './unknown-query.guard.js';
import { ApiValidationPipe } from './api-validation.pipe.js';

/**
 * Declares a controller of the resource APIs. It reads JSON bodies, and rejects members of bodies
 * and queries that the DTO does not have.
 */
export function ApiController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseGuards(ApiHeadersGuard, UnknownQueryGuard, JsonBodyGuard),
    UsePipes(ApiValidationPipe),
  );
}
