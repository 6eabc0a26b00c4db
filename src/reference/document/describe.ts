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
import { answersOf } from './answers.js';
import type { Refusal } from './problems.js';
import { type Route, routeOf } from './route.js';
import { exampleOf, type Schema } from './schema.js';
import { securityOf } from './security.js';
import { takesNothing } from './validated.js';
import type { Scope } from '../../scopes/catalogue.js';

/** What is told of a parameter that no DTO knows. */
export interface Parameter {
  schema: Schema;
  required?: boolean;
}

/** What is told of an operation. All else follows from its route. */
export interface Operation {
  /** What a generated client calls it. */
  id: string;
  summary: string;
  description?: string;
  /** What it answers; none for 204. A page and where it sends the person on to follow from the route. */
  answer?: Schema;
  /** Other forms of the answer, by media type. */
  also?: Record<string, Schema>;
  /** What more it may refuse, as the code does. */
  refusals?: Refusal[];
  /** The scope that shows more where no token is needed. */
  optionalScope?: Scope;
  /** Bodies to try, by name; of a route without a DTO, its schema as a form. */
  bodies?: Record<string, object>;
  form?: Schema;
  /** Parameters that the route reads by itself. */
  query?: Record<string, Parameter>;
  headers?: Record<string, Parameter>;
  /** Models that are spoken of without being any body. */
  models?: Type[];
}

/** Where the operations of a controller stand, and what is in their paths. */
export interface Section {
  tag: string;
  path?: Record<string, Schema>;
}

type Handlers<C> = { [Name in keyof C]?: Operation };

/** Tells of the routes of a controller, for @nestjs/swagger to read. */
export function describe<C extends object>(controller: Type<C>, section: Section, operations: Handlers<C>): void {
  for (const [name, operation] of Object.entries<Operation | undefined>(operations)) {
    if (!operation) continue;
    const route = routeOf(controller, name);
    const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, name)!;
    const decorators = [
      ApiIncludeEndpoint(),
      told(section, route, operation),
      ...answersOf(route, operation).map(([status, answer]) => ApiResponse({ status, ...answer } as never)),
      ...parametersOf(section, route, operation),
      ...bodyOf(route, operation),
      ApiExtraModels(...(operation.models ?? [])),
    ];
    applyDecorators(...(decorators as MethodDecorator[]))(controller.prototype as object, name, descriptor);
  }
}

function told({ tag }: Section, route: Route, { id, summary, description, optionalScope }: Operation): MethodDecorator {
  return ApiOperation({
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: securityOf(route, optionalScope),
  });
}

function parametersOf({ path = {} }: Section, route: Route, operation: Operation): MethodDecorator[] {
  const { query = {}, headers = {} } = operation;
  return [
    ...Object.entries(path)
      .filter(([name]) => route.pathNames.includes(name))
      .map(([name, schema]) => ApiParam({ name, ...standing(schema) })),
    ...Object.entries(query).map(([name, { schema, required = false }]) =>
      ApiQuery({ name, required, ...standing(schema) }),
    ),
    ...Object.entries({ ...conditional(route), ...headers }).map(([name, { schema, required = false }]) =>
      ApiHeader({ name, required, ...standing(schema) }),
    ),
  ];
}

/** A parameter has its description itself, its schema the example. */
function standing({ description, examples, ...schema }: Schema): object {
  return { description, schema: { ...schema, ...(examples && { example: examples[0] }) } };
}

/** RFC 9110 §13.1. */
function conditional({ kind, method, takesIfMatch }: Route): Record<string, Parameter> {
  const tag = (description: string, example: string): Parameter => ({
    schema: { type: 'string', description, examples: [example] },
  });
  if (kind === 'resource' && method === 'GET') {
    return {
      'If-None-Match': tag('The ETag of what you have: where nothing has changed, 304.', 'W/"9pVvUqZL1y3cVb0T"'),
    };
  }
  if (!takesIfMatch) return {};
  const meaning = 'The ETag of what you saw, or `"id-version"`: where it is at another version by now, 412.';
  return { 'If-Match': tag(meaning, '"col_01JDEM00000000000000000010-3"') };
}

function bodyOf({ body }: Route, { bodies, form }: Operation): MethodDecorator[] {
  const examples = Object.fromEntries(Object.entries(bodies ?? {}).map(([name, value]) => [name, { value }]));
  if (form) {
    const example = { example: { value: exampleOf(form) } };
    const types = ['application/x-www-form-urlencoded', ...(bodies ? ['application/json'] : [])];
    const required = form.required !== undefined && form.required.length > 0;
    return [ApiConsumes(...types), ApiBody({ required, schema: form, examples: bodies ? examples : example } as never)];
  }
  if (!body || !bodies) return [];
  return [ApiBody({ type: body, required: !takesNothing(body), examples })];
}
