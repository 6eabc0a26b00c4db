import { buildQueryFields, ComponentSchemas } from '../api-reference/dto-schemas.js';
import { type JsonSchema, type SchemaSource, stringSchema } from '../../platform/openapi/json-schema.js';
import { MAX_KEY_LENGTH } from '../../platform/idempotency/idempotency-key.decorator.js';
import type { ToolDescription } from './tool.decorator.js';

/** A JSON Schema of an object that refers to nothing outside itself. */
export type ObjectSchema = JsonSchema & { type: 'object' };

const COMPONENT_PREFIX = '#/components/schemas/';

const IDEMPOTENCY_KEY_SCHEMA = {
  ...stringSchema('A new value for each write. A call that repeats it has the result of the first call.', '7f6c1e'),
  minLength: 1,
  maxLength: MAX_KEY_LENGTH,
};

/** Builds the schema of the arguments of a tool. They have the names of the API. */
export function buildInputSchema(tool: ToolDescription): ObjectSchema {
  const { id, query, body, omit = [], acceptsIdempotencyKey } = tool;
  const schemas = new ComponentSchemas();
  const own: JsonSchema = { properties: {}, required: [] };
  if (query) addQuery(own, buildQueryFields(query));
  if (body) Object.assign(own, resolveObject(schemas, body));
  const properties = {
    ...(id && { id: schemas.resolve(id) }),
    ...Object.fromEntries(Object.entries(own.properties ?? {}).filter(([name]) => !omit.includes(name))),
    ...(acceptsIdempotencyKey && { idempotencyKey: IDEMPOTENCY_KEY_SCHEMA }),
  };
  const required = [...(id ? ['id'] : []), ...(own.required ?? [])].filter((name) => !omit.includes(name));
  return embed({ type: 'object', properties, required, additionalProperties: false }, schemas.components);
}

/** Builds the schema of the structured content of a result. */
export function buildOutputSchema(output: SchemaSource): ObjectSchema {
  const schemas = new ComponentSchemas();
  return embed(resolveObject(schemas, output), schemas.components);
}

function addQuery(schema: JsonSchema, fields: ReturnType<typeof buildQueryFields>): void {
  for (const [name, field] of Object.entries(fields)) {
    schema.properties![name] = field.schema;
    if (field.required) schema.required!.push(name);
  }
}

/** Resolves a schema to that of an object, instead of a reference to it. */
function resolveObject(schemas: ComponentSchemas, source: SchemaSource): JsonSchema {
  const resolved = schemas.resolve(source);
  return resolved.$ref === undefined ? resolved : schemas.components[resolved.$ref.slice(COMPONENT_PREFIX.length)]!;
}

/** Adds the schemas to which a schema refers, because there is no document around it. */
function embed(schema: JsonSchema, components: Record<string, JsonSchema>): ObjectSchema {
  const used: Record<string, JsonSchema> = {};
  const collect = (part: JsonSchema): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used[name!]) continue;
      used[name!] = components[name!]!;
      collect(used[name!]!);
    }
  };
  collect(schema);
  const whole = Object.keys(used).length > 0 ? { ...schema, $defs: used } : schema;
  return JSON.parse(JSON.stringify(whole).replaceAll(COMPONENT_PREFIX, '#/$defs/')) as ObjectSchema;
}
