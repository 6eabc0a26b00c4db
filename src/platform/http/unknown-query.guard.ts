import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Request } from 'express';
import { createInvalidRequestError } from './api-validation.pipe.js';
import { hasRouteParameter } from './route-parameters.js';
import { createUnknownFieldDetail } from './validation-details.js';

/**
 * Rejects unknown query parameters on routes without a query DTO. A query DTO rejects its own
 * unknown parameters.
 */
@Injectable()
export class UnknownQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?')) return true;
    const [stray] = Object.keys(request.query);
    if (stray !== undefined && !hasRouteParameter(context, RouteParamtypes.QUERY)) {
      throw createInvalidRequestError([createUnknownFieldDetail(stray)]);
    }
    return true;
  }
}
