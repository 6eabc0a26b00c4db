import { getMetadataStorage } from 'class-validator';
import { isDeepStrictEqual } from 'node:util';
import type { ParameterDescription } from '../../platform/openapi/api-description.js';
import { type DescribedField, getApiFields, getApiSchema } from '../../platform/openapi/api-schema.decorator.js';
import {
  type DtoClass,
  type JsonSchema,
  nullable,
  type SchemaSource,
  toSchema,
} from '../../platform/openapi/json-schema.js';
import { getNestedType, isNullable } from '../../platform/validation/members.decorator.js';

/** A validation rule of class-validator. `ValidateIf` has a condition and no name. */
interface ValidationRule {
  name?: string | undefined;
  constraints?: unknown[] | undefined;
  each?: boolean | undefined;
}

/** The component schemas of one document. */
export class ComponentSchemas {
  readonly components: Record<string, JsonSchema> = {};

  /**
   * Returns a schema in which references replace DTO classes and named schemas; adds these to the
   * components.
   */
  resolve(source: SchemaSource): JsonSchema {
    const { dto, acceptsNull, componentName, ...schema } = toSchema(source);
    if (dto) {
      const declared = this.resolve(buildDtoSchema(dto));
      return { ...(acceptsNull ? nullable(declared) : declared), ...schema };
    }
    const resolved = mapSubschemas(schema, (subschema) => this.resolve(subschema));
    return componentName === undefined ? resolved : this.addComponent(componentName, resolved);
  }

  /**
   * Returns a resolved schema in which no member of one component is required. It refers to copies
   * of the components that contain it, such as `PartialMarkerPage`.
   */
  makePartial(schema: JsonSchema, componentName: string): JsonSchema {
    const name = schema.$ref?.split('/').at(-1);
    if (name === undefined) return mapSubschemas(schema, (subschema) => this.makePartial(subschema, componentName));
    const component = this.components[name]!;
    const { required: _, ...optional } = component;
    const partial = name === componentName ? optional : this.makePartial(component, componentName);
    return isDeepStrictEqual(partial, component) ? schema : this.addComponent(`Partial${name}`, partial);
  }

  /** Builds an example of a resolved schema from the examples of its parts. */
  buildExample(schema: JsonSchema): unknown {
    if (schema.examples) return schema.examples[0];
    if (schema['example'] !== undefined) return schema['example'];
    if (schema.$ref !== undefined) return this.buildExample(this.components[schema.$ref.split('/').at(-1)!]!);
    if (schema.properties) return mapValues(schema.properties, (property) => this.buildExample(property));
    if (schema.items) return [this.buildExample(schema.items)];
    const [first] = schema.anyOf ?? schema.allOf ?? [];
    if (first) return this.buildExample(first);
    throw new Error(`The schema has no example: ${JSON.stringify(schema)}`);
  }

  private addComponent(name: string, schema: JsonSchema): JsonSchema {
    const existing = this.components[name];
    if (existing && !isDeepStrictEqual(existing, schema)) throw new Error(`Two schemas have the name ${name}.`);
    this.components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Returns the query parameters that a DTO declares, by name. */
export function buildQueryFields(dto: DtoClass): Record<string, ParameterDescription> {
  const rules = readValidationRules(dto);
  const toParameter = ([name, field]: [string, DescribedField]): [string, ParameterDescription] => [
    name,
    {
      schema: buildRequestField(dto, name, field, rules.get(name) ?? [], (schema) => schema),
      required: isRequired(dto, name, rules.get(name) ?? []),
    },
  ];
  return Object.fromEntries([...getApiFields(dto)].map(toParameter));
}

/** Whether a body may be omitted, because no field of its DTO is required. */
export function isBodyOptional(dto: DtoClass): boolean {
  return [...readValidationRules(dto)].every(([name, rules]) => !isRequired(dto, name, rules));
}

function buildDtoSchema(dto: DtoClass): JsonSchema {
  const fields = [...getApiFields(dto)];
  const rules = readValidationRules(dto);
  const isRequest = rules.size > 0;
  const required = fields.filter(([name, { isOptional }]) =>
    isRequest ? isRequired(dto, name, rules.get(name)!) : !isOptional,
  );
  const toProperty = ([name, field]: [string, DescribedField]): [string, JsonSchema] => {
    if (!isRequest) return [name, field.schema];
    const fieldRules = rules.get(name)!;
    const acceptsNull =
      fieldRules.some((rule) => rule.name === 'isOptional') || isNullable(dto.prototype as object, name);
    return [name, buildRequestField(dto, name, field, fieldRules, acceptsNull ? nullable : (schema) => schema)];
  };
  return {
    ...getApiSchema(dto),
    type: 'object',
    properties: Object.fromEntries(fields.map(toProperty)),
    ...((required.length > 0 || !isRequest) && { required: required.map(([name]) => name) }),
    ...(isRequest && { additionalProperties: false }),
  };
}

function buildRequestField(
  dto: DtoClass,
  name: string,
  field: DescribedField,
  rules: ValidationRule[],
  adapt: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const { description, examples, ...keywords } = field.schema;
  const defaultValue = (new dto() as Record<string, unknown>)[name];
  return {
    ...adapt({ ...toRuleSchema(dto, name, rules), ...keywords }),
    description,
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(examples && { example: examples[0] }),
  };
}

function toRuleSchema(dto: DtoClass, name: string, rules: ValidationRule[]): JsonSchema {
  const own = mergeRules(rules.filter(({ each }) => !each));
  const items = mergeRules(rules.filter(({ each }) => each));
  const isList = own.type === 'array' || own['maxItems'] !== undefined || Object.keys(items).length > 0;
  const nested = getNestedType(dto.prototype as object, name);
  if (nested) return isList ? { ...own, type: 'array', items: { dto: nested } } : { allOf: [{ dto: nested }] };
  return isList ? { ...own, type: 'array', items } : own;
}

/** Returns the rules of each field, including inherited ones. */
function readValidationRules(dto: DtoClass): Map<string, ValidationRule[]> {
  const rules = new Map<string, ValidationRule[]>();
  for (const { propertyName, ...rule } of getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false)) {
    rules.set(propertyName, [...(rules.get(propertyName) ?? []), rule]);
  }
  return rules;
}

function isRequired(dto: DtoClass, name: string, rules: ValidationRule[]): boolean {
  if ((new dto() as Record<string, unknown>)[name] !== undefined) return false;
  if (isNullable(dto.prototype as object, name)) return true;
  return !rules.some(
    (rule) => rule.name === 'isOptional' || (!rule.name && typeof rule.constraints?.[0] === 'function'),
  );
}

function mergeRules(rules: ValidationRule[]): JsonSchema {
  const keywords = rules.map(({ name = '', constraints = [] }) =>
    KEYWORDS_BY_RULE[name]?.(...(constraints as never[])),
  );
  const patterns = keywords.flatMap((one) => (one?.['pattern'] as string | undefined) ?? []);
  const merged = Object.assign({}, ...keywords) as JsonSchema;
  // One pattern for all: some generators do not understand `allOf` of patterns.
  return patterns.length > 1 ? { ...merged, pattern: patterns.map((one) => `(?=${one})`).join('') } : merged;
}

/** The JSON Schema keywords of each validation rule. */
const KEYWORDS_BY_RULE: Record<string, (...constraints: never[]) => JsonSchema> = {
  isString: () => ({ type: 'string' }),
  length: (minLength: number, maxLength: number) => ({ ...(minLength > 0 && { minLength }), maxLength }),
  isIn: (values: string[]) => ({ type: 'string', enum: values }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  isBoolean: () => ({ type: 'boolean' }),
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isISO31661Alpha2: () => ({ type: 'string', pattern: '^[A-Za-z]{2}$' }),
  isUrl: () => ({ type: 'string', format: 'uri', pattern: '^https://' }),
  isObject: () => ({ type: 'object' }),
  isArray: () => ({ type: 'array' }),
  arrayMinSize: (minItems: number) => ({ minItems }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  // The flag `u` allows Unicode classes, which many schema readers do not know.
  matches: ({ source, flags }: RegExp) =>
    flags.includes('u') ? { type: 'string' } : { type: 'string', pattern: source },
};

/** Returns a schema whose direct subschemas are replaced. */
function mapSubschemas(schema: JsonSchema, map: (subschema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, allOf } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, map) }),
    ...(items && { items: map(items) }),
    ...(anyOf && { anyOf: anyOf.map(map) }),
    ...(allOf && { allOf: allOf.map(map) }),
  };
}

function mapValues<Value, Result>(
  object: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
