import type { DeclaredRoute } from '../../identity/scopes/route-registry.service.js';
import type { Settings } from '../../platform/config/settings.js';
import type { ApiDescription, OperationDescription } from '../../platform/openapi/api-description.js';
import { getApiFields } from '../../platform/openapi/api-schema.decorator.js';
import type { DtoClass } from '../../platform/openapi/json-schema.js';

/** An operation: its description and its route. */
export interface Operation {
  api: ApiDescription;
  description: OperationDescription;
  route: DeclaredRoute;
  /** The names of the path parameters. */
  pathParams: string[];
  queryDto: DtoClass | undefined;
  bodyDto: DtoClass | undefined;
  isPaginated: boolean;
  /** The settings of the service, for the limits that its errors name. */
  settings: Settings;
}

/** Whether calls of an operation count against the rate limit of an app and a person. */
export function isRateLimited({ route: { scope, public: tokenUse } }: Operation): boolean {
  return scope !== undefined || tokenUse === 'optional-token';
}

/**
 * Joins the described operations with the routes.
 * @throws Error if a described operation has no route
 */
export function listOperations(apis: ApiDescription[], routes: DeclaredRoute[], settings: Settings): Operation[] {
  return apis.flatMap((api) =>
    Object.entries(api.operations).map(([name, description]) => {
      const handler = `${api.controller.name}.${name}`;
      const route = routes.find((candidate) => candidate.handler === handler);
      if (!route) throw new Error(`The described operation ${handler} has no route.`);
      const dto = findDto(api.controller, name);
      const queryDto = route.method === 'POST' ? undefined : dto;
      return {
        api,
        description,
        route,
        pathParams: [...route.path.matchAll(/:(\w+)/g)].map(([, param]) => param!),
        queryDto,
        bodyDto: route.method === 'POST' ? dto : undefined,
        isPaginated: queryDto !== undefined && getApiFields(queryDto).has('cursor'),
        settings,
      };
    }),
  );
}

/**
 * Returns the DTO class among the parameter types of a handler, which the compiler emits for its
 * decorators.
 */
function findDto(controller: ApiDescription['controller'], handler: string): DtoClass | undefined {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) as DtoClass[];
  // The compiler of the tests emits functions too, where type and function have the same name.
  return types.find((type) => type.prototype !== undefined && getApiFields(type).size > 0);
}
