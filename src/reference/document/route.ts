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
import { ApiHeaders } from '../../http/api-headers.interceptor.js';
import { PageQuery } from '../../http/paging.js';
import { OAuthErrorFilter } from '../../oauth/oauth-error.filter.js';
import type { Scope } from '../../scopes/catalogue.js';
import { Public, type TokenUse } from '../../scopes/public.decorator.js';
import { RequireScope } from '../../scopes/require-scope.decorator.js';
import { PageErrorFilter } from '../../views/page-error.filter.js';

/** A resource of the map; an endpoint where apps get tokens; a page for people; a document that anybody may read. */
export type Kind = 'resource' | 'oauth' | 'page' | 'document';

/** What a route is, as its controller declares it: what follows from that is not said again. */
export interface Route {
  kind: Kind;
  method: 'GET' | 'POST' | 'DELETE';
  status: number;
  scope: Scope | undefined;
  public: TokenUse | undefined;
  /** The DTO of its body. */
  body: Type<object> | undefined;
  isPaged: boolean;
  /** The names of what stands in its path. */
  pathNames: string[];
  takesIfMatch: boolean;
}

const reflector = new Reflector();

/** Whether calls of it are counted against a limit: those that a token is for. */
export function isLimited({ scope, public: tokenUse }: Route): boolean {
  return scope !== undefined || tokenUse === 'optional-token';
}

export function routeOf(controller: Type<object>, name: string): Route {
  const handler = (controller.prototype as Record<string, () => unknown>)[name]!;
  const parameters = parametersOf(controller, name);
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod] as Route['method'];
  const typeOf = (place: RouteParamtypes): Type<object> | undefined =>
    parameters.find((parameter) => parameter.place === place)?.type;
  return {
    kind: kindOf(controller),
    method,
    status: (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? (method === 'POST' ? 201 : 200),
    scope: reflector.get(RequireScope, handler),
    public: reflector.get(Public, handler),
    body: typeOf(RouteParamtypes.BODY),
    isPaged:
      typeOf(RouteParamtypes.QUERY)?.prototype instanceof PageQuery || typeOf(RouteParamtypes.QUERY) === PageQuery,
    pathNames: parameters.filter(({ place }) => place === RouteParamtypes.PARAM).map(({ data }) => String(data)),
    takesIfMatch: parameters.some(({ place, data }) => place === RouteParamtypes.HEADERS && data === 'If-Match'),
  };
}

function kindOf(controller: Type): Kind {
  const has = (metadata: string, one: Type): boolean =>
    ((Reflect.getMetadata(metadata, controller) as Type[] | undefined) ?? []).includes(one);
  if (has(INTERCEPTORS_METADATA, ApiHeaders)) return 'resource';
  if (has(EXCEPTION_FILTERS_METADATA, OAuthErrorFilter)) return 'oauth';
  return has(EXCEPTION_FILTERS_METADATA, PageErrorFilter) ? 'page' : 'document';
}

interface Parameter {
  place: RouteParamtypes;
  data: unknown;
  type: Type<object> | undefined;
}

function parametersOf(controller: Type<object>, name: string): Parameter[] {
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype as object, name) as Type<object>[];
  const all = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; data: unknown }
  >;
  return Object.entries(all).map(([key, { index, data }]) => ({
    place: Number(key.split(':')[0]),
    data,
    type: types[index],
  }));
}
