import type { ParameterDescription } from './api-description.js';
import { getApiFields } from './api-schema.decorator.js';
import { type DtoClass, type JsonSchema, stringSchema } from './json-schema.js';

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
