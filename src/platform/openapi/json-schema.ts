/** The class of a data transfer object (DTO): a request, a query, a response or a part of one. */
export type DtoClass = new () => object;

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  description?: string;
  type?: string | string[] | undefined;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: readonly unknown[];
  examples?: unknown[];
  $ref?: string;
  /** The DTO class that declares the schema. The document refers to the component of the class. */
  dto?: DtoClass;
  /** Whether `null` is valid besides the schema of `dto`. */
  acceptsNull?: boolean;
  /** The name of the component that the document makes of the schema. */
  componentName?: string;
  [keyword: string]: unknown;
}

/** A schema, or the DTO class that declares it. */
export type SchemaSource = JsonSchema | DtoClass;

/** Returns the schema of a DTO class, or the schema itself. */
export function toSchema(source: SchemaSource): JsonSchema {
  return typeof source === 'function' ? { dto: source } : source;
}

/** Returns a schema that also accepts `null`. */
export function nullable(source: SchemaSource): JsonSchema {
  const schema = toSchema(source);
  if (schema.dto) return { ...schema, acceptsNull: true };
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'].flat(),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

/** Returns the schema of an array. */
export function arraySchema(items: SchemaSource, description?: string): JsonSchema {
  return { type: 'array', items: toSchema(items), ...(description !== undefined && { description }) };
}

/** Returns the schema of a string. */
export function stringSchema(description: string, example: string | null): JsonSchema {
  return { type: 'string', description, examples: [example] };
}

/** Returns the schema of an integer. */
export function integerSchema(description: string, example: number, minimum = 0): JsonSchema {
  return { type: 'integer', minimum, description, examples: [example] };
}

/** Returns the schema of a boolean. */
export function booleanSchema(description: string, example: boolean): JsonSchema {
  return { type: 'boolean', description, examples: [example] };
}

/** Returns the schema of a string that has one of several values. */
export function enumSchema(values: readonly string[], description: string, example = values[0]): JsonSchema {
  return { type: 'string', enum: values, description, examples: [example] };
}

/** Returns the schema of a string that has always the same value. */
export function constSchema(value: string, description: string): JsonSchema {
  return { type: 'string', const: value, description, examples: [value] };
}

/** Returns the schema of a date and time (RFC 3339), in UTC, to the millisecond. */
export function dateTimeSchema(description: string): JsonSchema {
  return { type: 'string', format: 'date-time', description, examples: ['2026-11-20T08:00:00.000Z'] };
}
