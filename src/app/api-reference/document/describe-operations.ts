import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiIncludeEndpoint,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
} from '@nestjs/swagger';
import { buildResponses } from './responses.js';
import type { DocumentedError } from './error-responses.js';
import { type RouteMetadata, readRouteMetadata } from './route-metadata.js';
import { buildExample, type JsonSchema } from './json-schema.js';
import { getSecurityRequirements } from './security-schemes.js';
import { isBodyOptional } from './validation-schema.js';
import type { Scope } from '../../../identity/scopes/scopes.js';

/** What is told of a parameter that no DTO knows. */
export interface ParameterDescription {
  schema: JsonSchema;
  required?: boolean;
}

/** What is told of an operation. All else follows from its route. */
export interface OperationDescription {
  /** What a generated client calls it. */
  operationId: string;
  summary: string;
  description?: string;
  /** What it answers; none for 204. A page and where it sends the person on to follow from the route. */
  response?: JsonSchema;
  /** Other forms of the answer, by media type. */
  alternativeContent?: Record<string, JsonSchema>;
  /** What more it may refuse, as the code does. */
  errors?: DocumentedError[];
  /** The scope that shows more where no token is needed. */
  optionalScope?: Scope;
  /** Bodies to try, by name; of a route without a DTO, its schema as a form. */
  bodyExamples?: Record<string, object>;
  formSchema?: JsonSchema;
  /** Parameters that the route reads by itself. */
  query?: Record<string, ParameterDescription>;
  headers?: Record<string, ParameterDescription>;
  /** Models that are spoken of without being any body. */
  extraModels?: Type[];
}

/** Where the operations of a controller stand, and what is in their paths. */
export interface ControllerDescription {
  tag: string;
  pathParams?: Record<string, JsonSchema>;
}

type OperationDescriptions<C> = { [Name in keyof C]?: OperationDescription };

/** Tells of the routes of a controller, for @nestjs/swagger to read. */
export function describeOperations<C extends object>(
  controller: Type<C>,
  section: ControllerDescription,
  operations: OperationDescriptions<C>,
): void {
  for (const [name, operation] of Object.entries<OperationDescription | undefined>(operations)) {
    if (!operation) continue;
    const route = readRouteMetadata(controller, name);
    const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, name)!;
    const decorators = [
      ApiIncludeEndpoint(),
      createOperationDecorator(section, route, operation),
      ...buildResponses(route, operation).map(([status, answer]) => ApiResponse({ status, ...answer } as never)),
      ...createParameterDecorators(section, route, operation),
      ...createBodyDecorators(route, operation),
      ApiExtraModels(...(operation.extraModels ?? [])),
    ];
    applyDecorators(...(decorators as MethodDecorator[]))(controller.prototype as object, name, descriptor);
  }
}

function createOperationDecorator(
  { tag }: ControllerDescription,
  route: RouteMetadata,
  { operationId, summary, description, optionalScope }: OperationDescription,
): MethodDecorator {
  return ApiOperation({
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: getSecurityRequirements(route, optionalScope),
  });
}

function createParameterDecorators(
  { pathParams = {} }: ControllerDescription,
  route: RouteMetadata,
  operation: OperationDescription,
): MethodDecorator[] {
  const { query = {}, headers = {} } = operation;
  return [
    ...Object.entries(pathParams)
      .filter(([name]) => route.pathParamNames.includes(name))
      .map(([name, schema]) => ApiParam({ name, ...toParameterOptions(schema) })),
    ...Object.entries(query).map(([name, { schema, required = false }]) =>
      ApiQuery({ name, required, ...toParameterOptions(schema) }),
    ),
    ...Object.entries({ ...getConditionalHeaders(route), ...headers }).map(([name, { schema, required = false }]) =>
      ApiHeader({ name, required, ...toParameterOptions(schema) }),
    ),
  ];
}

/** A parameter has its description itself, its schema the example. */
function toParameterOptions({ description, examples, ...schema }: JsonSchema): object {
  return { description, schema: { ...schema, ...(examples && { example: examples[0] }) } };
}

/** RFC 9110 §13.1. */
function getConditionalHeaders({ kind, method, acceptsIfMatch }: RouteMetadata): Record<string, ParameterDescription> {
  const tag = (description: string, example: string): ParameterDescription => ({
    schema: { type: 'string', description, examples: [example] },
  });
  if (kind === 'resource' && method === 'GET') {
    return {
      'If-None-Match': tag('The ETag of what you have: where nothing has changed, 304.', 'W/"9pVvUqZL1y3cVb0T"'),
    };
  }
  if (!acceptsIfMatch) return {};
  const meaning = 'The ETag of what you saw, or `"id-version"`: where it is at another version by now, 412.';
  return { 'If-Match': tag(meaning, '"col_01JDEM00000000000000000010-3"') };
}

function createBodyDecorators(
  { bodyType }: RouteMetadata,
  { bodyExamples, formSchema }: OperationDescription,
): MethodDecorator[] {
  const examples = Object.fromEntries(Object.entries(bodyExamples ?? {}).map(([name, value]) => [name, { value }]));
  if (formSchema) {
    const example = { example: { value: buildExample(formSchema) } };
    const types = ['application/x-www-form-urlencoded', ...(bodyExamples ? ['application/json'] : [])];
    const required = formSchema.required !== undefined && formSchema.required.length > 0;
    return [
      ApiConsumes(...types),
      ApiBody({ required, schema: formSchema, examples: bodyExamples ? examples : example } as never),
    ];
  }
  if (!bodyType || !bodyExamples) return [];
  return [ApiBody({ type: bodyType, required: !isBodyOptional(bodyType), examples })];
}
