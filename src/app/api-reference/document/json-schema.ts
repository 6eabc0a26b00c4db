import { ID_PATTERNS, type IdPrefix } from '../../../platform/database/ids.js';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: readonly unknown[];
  examples?: unknown[];
  $ref?: string;
  [keyword: string]: unknown;
}

/** A member that an answer may leave out. */
export interface OptionalProperty {
  optional: JsonSchema;
}

/** The members of an answer, each of them: the compiler names one that is forgotten, or that is always there. */
export type SchemaProperties<T> = { [Name in keyof T]-?: undefined extends T[Name] ? OptionalProperty : JsonSchema };

/** The schemas that are spoken of by name. */
export const COMPONENT_SCHEMAS: Record<string, JsonSchema> = {};

/** Gives a schema a name. @returns what stands for it elsewhere */
export function registerSchema(name: string, schema: JsonSchema): JsonSchema {
  COMPONENT_SCHEMAS[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with exactly the members of a type. */
export function objectSchema<T extends object>(description: string, members: SchemaProperties<T>): JsonSchema {
  const all = Object.entries<JsonSchema | OptionalProperty>(members);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(
      all.map(([name, member]) => [name, isOptionalProperty(member) ? member.optional : member]),
    ),
    required: all.filter(([, member]) => !isOptionalProperty(member)).map(([name]) => name),
  };
}

/** The same, by a name. */
export function registerObjectSchema<T extends object>(
  name: string,
  description: string,
  members: SchemaProperties<T>,
): JsonSchema {
  return registerSchema(name, objectSchema<T>(description, members));
}

export function optional(schema: JsonSchema): OptionalProperty {
  return { optional: schema };
}

/** The same, or `null`. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'].flat(),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

export function arraySchema(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

export function stringSchema(description: string, example: string): JsonSchema {
  return { type: 'string', description, examples: [example] };
}

export function integerSchema(description: string, example: number, minimum = 0): JsonSchema {
  return { type: 'integer', minimum, description, examples: [example] };
}

export function booleanSchema(description: string, example: boolean): JsonSchema {
  return { type: 'boolean', description, examples: [example] };
}

export function enumSchema(values: readonly string[], description: string, example = values[0]): JsonSchema {
  return { type: 'string', enum: values, description, examples: [example] };
}

/** A moment by RFC 3339, in UTC, to the millisecond. */
export function dateTimeSchema(description: string): JsonSchema {
  return { type: 'string', format: 'date-time', description, examples: ['2026-11-20T08:00:00.000Z'] };
}

/** The number that the examples of ids end in. */
const EXAMPLE_ULID = '01JDEM00000000000000000010';

/** An opaque id of some kind. */
export function idSchema(prefix: IdPrefix, description = 'An opaque id.'): JsonSchema {
  const { source: pattern } = ID_PATTERNS[prefix];
  return { type: 'string', pattern, description, examples: [`${prefix}_${EXAMPLE_ULID}`] };
}

/** An example of what fits a schema, made from the examples of its parts. */
export function buildExample(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema['example'] !== undefined) return schema['example'];
  if (schema.$ref !== undefined) return buildExample(COMPONENT_SCHEMAS[schema.$ref.split('/').at(-1)!]!);
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, buildExample(member)]));
  }
  if (schema.items) return [buildExample(schema.items)];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(buildExample)) as unknown;
  if (schema.anyOf) return buildExample(schema.anyOf[0]!);
  if (schema.enum) return schema.enum[0];
  throw new Error(`There is no example of ${JSON.stringify(schema)}`);
}

function isOptionalProperty(member: JsonSchema | OptionalProperty): member is OptionalProperty {
  return 'optional' in member;
}
