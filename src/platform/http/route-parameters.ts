import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/internal';

/** Whether the handler of a route has a parameter of a type, for example `@Query()`. */
export function hasRouteParameter(context: ExecutionContext, type: RouteParamtypes): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as object;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${type}:`));
}
