import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { createInvalidRequestError } from './api-validation.pipe.js';
import { createUnknownFieldDetail } from './validation-details.js';

/**
 * Rejects unknown query parameters on routes without a query DTO. A query DTO rejects its own
 * unknown parameters.
 */
@Injectable()
export class UnknownQueryInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const [stray] = Object.keys(context.switchToHttp().getRequest<Request>().query);
    if (stray !== undefined && !acceptsQuery(context)) {
      throw createInvalidRequestError([createUnknownFieldDetail(stray)]);
    }
    return next.handle();
  }
}

function acceptsQuery(context: ExecutionContext): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as object;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
