import { type DtoClass, type JsonSchema, type SchemaSource, stringSchema } from './json-schema.js';
import { getApiFields } from './api-schema.decorator.js';

/**
 * The kind of a group of routes: resources of the map, OAuth endpoints, pages for people, and
 * public documents. The reference adds the responses that all routes of a kind have.
 */
export type ApiKind = 'resource' | 'oauth' | 'page' | 'document';

/** A parameter that no DTO class declares. */
export interface ParameterDescription {
  schema: JsonSchema;
  required?: boolean;
}

/**
 * An operation of the API. The reference takes method, path, scope and request DTO from the route.
 */
export interface OperationDescription {
  /** The name of the method in a generated client. */
  operationId: string;
  /** A title in the imperative, without a period. */
  summary: string;
  description: string;
  /** The status of a successful response: 200 with a body and 204 without one, unless given. */
  status?: number;
  /** The JSON of a successful response. */
  response?: SchemaSource;
  /** The GeoJSON of a successful response. The operation refers to it by `x-geojson`. */
  geoJson?: { mediaType: string; response: DtoClass };
  /** The errors of this operation. The errors that all routes of the kind have are added. */
  errors?: Error[];
  /** The scope that adds members to the response, if the operation does not require a token. */
  optionalScope?: string;
  /** Whether the operation accepts `If-Match`. */
  acceptsIfMatch?: boolean;
  /** Whether the operation accepts `Idempotency-Key`. */
  acceptsIdempotencyKey?: boolean;
  /** Example bodies, by name. */
  bodyExamples?: Record<string, object>;
  /** The body as a form, if no DTO class declares it. With `bodyExamples` it may be JSON too. */
  formSchema?: JsonSchema;
  /** Query parameters; they replace fields of the query DTO with the same name. */
  query?: Record<string, ParameterDescription>;
  headers?: Record<string, ParameterDescription>;
}

/** A controller and its operations, by the name of the method that handles them. */
export interface ApiDescription {
  controller: new (...args: never[]) => object;
  kind: ApiKind;
  tag: string;
  /** The schemas of the path parameters, by name. */
  pathParams?: Record<string, JsonSchema>;
  operations: Record<string, OperationDescription>;
}

/**
 * Describes a controller. The compiler rejects the name of a method that the controller does not
 * have.
 */
export function describeApi<C extends object>(
  controller: new (...args: never[]) => C,
  api: Omit<ApiDescription, 'controller' | 'operations'>,
  operations: { [Name in keyof C]?: OperationDescription },
): ApiDescription {
  return { controller, ...api, operations: operations as Record<string, OperationDescription> };
}

/** Returns an optional string parameter. */
export function optionalParam(description: string, example: string): ParameterDescription {
  return { schema: stringSchema(description, example) };
}

/** Returns a required parameter. */
export function requiredParam(schema: JsonSchema): ParameterDescription {
  return { schema, required: true };
}

/** Returns the schema of a form whose fields are these parameters. */
export function toFormSchema(params: Record<string, ParameterDescription>): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(params).map(([name, { schema }]) => [name, schema])),
    required: Object.entries(params).flatMap(([name, { required }]) => (required ? [name] : [])),
  };
}

/**
 * Returns the schema of a form whose fields are those of a DTO class. A form may have other fields
 * too.
 */
export function toDtoFormSchema(dto: DtoClass, description: string, required: string[]): JsonSchema {
  const properties = [...getApiFields(dto)].map(([name, { schema }]) => [name, { type: 'string', ...schema }] as const);
  return { type: 'object', description, properties: Object.fromEntries(properties), required };
}
