import { RequestMethod, type Type } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { Reflector } from '@nestjs/core';
import { ApiHeadersInterceptor } from '../../../platform/http/api-headers.interceptor.js';
import { PageQuery } from '../../../platform/database/keyset-pagination.js';
import { OAuthErrorFilter } from '../../../identity/oauth/oauth-error.filter.js';
import type { Scope } from '../../../identity/scopes/scopes.js';
import { Public, type TokenUse } from '../../../platform/http/public.decorator.js';
import { RequireScope } from '../../../identity/scopes/require-scope.decorator.js';
import { PageErrorFilter } from '../../../platform/views/page-error.filter.js';

/** A resource of the map; an endpoint where apps get tokens; a page for people; a document that anybody may read. */
export type RouteKind = 'resource' | 'oauth' | 'page' | 'document';

/** What a route is, as its controller declares it: what follows from that is not said again. */
export interface RouteMetadata {
  kind: RouteKind;
  method: 'GET' | 'POST' | 'DELETE';
  status: number;
  scope: Scope | undefined;
  tokenUse: TokenUse | undefined;
  /** The DTO of its body. */
  bodyType: Type<object> | undefined;
  isPaginated: boolean;
  /** The names of what stands in its path. */
  pathParamNames: string[];
  acceptsIfMatch: boolean;
}

const reflector = new Reflector();

/** Whether calls of it are counted against a limit: those that a token is for. */
export function isRateLimited({ scope, tokenUse }: RouteMetadata): boolean {
  return scope !== undefined || tokenUse === 'optional-token';
}

export function readRouteMetadata(controller: Type<object>, name: string): RouteMetadata {
  const handler = (controller.prototype as Record<string, () => unknown>)[name]!;
  const parameters = readParameters(controller, name);
  const method = RequestMethod[
    Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod
  ] as RouteMetadata['method'];
  const typeOf = (place: RouteParamtypes): Type<object> | undefined =>
    parameters.find((parameter) => parameter.paramType === place)?.type;
  return {
    kind: readRouteKind(controller),
    method,
    status: (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? (method === 'POST' ? 201 : 200),
    scope: reflector.get(RequireScope, handler),
    tokenUse: reflector.get(Public, handler),
    bodyType: typeOf(RouteParamtypes.BODY),
    isPaginated:
      typeOf(RouteParamtypes.QUERY)?.prototype instanceof PageQuery || typeOf(RouteParamtypes.QUERY) === PageQuery,
    pathParamNames: parameters
      .filter(({ paramType }) => paramType === RouteParamtypes.PARAM)
      .map(({ data }) => String(data)),
    acceptsIfMatch: parameters.some(
      ({ paramType, data }) => paramType === RouteParamtypes.HEADERS && data === 'If-Match',
    ),
  };
}

function readRouteKind(controller: Type): RouteKind {
  const has = (metadata: string, one: Type): boolean =>
    ((Reflect.getMetadata(metadata, controller) as Type[] | undefined) ?? []).includes(one);
  if (has(INTERCEPTORS_METADATA, ApiHeadersInterceptor)) return 'resource';
  if (has(EXCEPTION_FILTERS_METADATA, OAuthErrorFilter)) return 'oauth';
  return has(EXCEPTION_FILTERS_METADATA, PageErrorFilter) ? 'page' : 'document';
}

interface RouteParameter {
  paramType: RouteParamtypes;
  data: unknown;
  type: Type<object> | undefined;
}

function readParameters(controller: Type<object>, name: string): RouteParameter[] {
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype as object, name) as Type<object>[];
  const all = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; data: unknown }
  >;
  return Object.entries(all).map(([key, { index, data }]) => ({
    paramType: Number(key.split(':')[0]),
    data,
    type: types[index],
  }));
}
