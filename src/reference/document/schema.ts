import { ID_PATTERNS, type IdPrefix } from '../../database/ids.js';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: readonly unknown[];
  examples?: unknown[];
  $ref?: string;
  [keyword: string]: unknown;
}

/** A member that an answer may leave out. */
export interface Optional {
  optional: Schema;
}

/** The members of an answer, each of them: the compiler names one that is forgotten, or that is always there. */
export type Members<T> = { [Name in keyof T]-?: undefined extends T[Name] ? Optional : Schema };

/** The schemas that are spoken of by name. */
export const COMPONENTS: Record<string, Schema> = {};

/** Gives a schema a name. @returns what stands for it elsewhere */
export function named(name: string, schema: Schema): Schema {
  COMPONENTS[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with exactly the members of a type. */
export function object<T extends object>(description: string, members: Members<T>): Schema {
  const all = Object.entries<Schema | Optional>(members);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(all.map(([name, member]) => [name, isOptional(member) ? member.optional : member])),
    required: all.filter(([, member]) => !isOptional(member)).map(([name]) => name),
  };
}

/** The same, by a name. */
export function record<T extends object>(name: string, description: string, members: Members<T>): Schema {
  return named(name, object<T>(description, members));
}

export function optional(schema: Schema): Optional {
  return { optional: schema };
}

/** The same, or `null`. */
export function nullable(schema: Schema): Schema {
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'].flat(),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

export function listOf(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

export function text(description: string, example: string): Schema {
  return { type: 'string', description, examples: [example] };
}

export function whole(description: string, example: number, minimum = 0): Schema {
  return { type: 'integer', minimum, description, examples: [example] };
}

export function flag(description: string, example: boolean): Schema {
  return { type: 'boolean', description, examples: [example] };
}

export function oneOf(values: readonly string[], description: string, example = values[0]): Schema {
  return { type: 'string', enum: values, description, examples: [example] };
}

/** A moment by RFC 3339, in UTC, to the millisecond. */
export function moment(description: string): Schema {
  return { type: 'string', format: 'date-time', description, examples: ['2026-11-20T08:00:00.000Z'] };
}

/** The number that the examples of ids end in. */
const EXAMPLE_ID = '01JDEM00000000000000000010';

/** An opaque id of some kind. */
export function idOf(prefix: IdPrefix, description = 'An opaque id.'): Schema {
  const { source: pattern } = ID_PATTERNS[prefix];
  return { type: 'string', pattern, description, examples: [`${prefix}_${EXAMPLE_ID}`] };
}

/** An example of what fits a schema, made from the examples of its parts. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema['example'] !== undefined) return schema['example'];
  if (schema.$ref !== undefined) return exampleOf(COMPONENTS[schema.$ref.split('/').at(-1)!]!);
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, exampleOf(member)]));
  }
  if (schema.items) return [exampleOf(schema.items)];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(exampleOf)) as unknown;
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!);
  if (schema.enum) return schema.enum[0];
  throw new Error(`There is no example of ${JSON.stringify(schema)}`);
}

function isOptional(member: Schema | Optional): member is Optional {
  return 'optional' in member;
}
