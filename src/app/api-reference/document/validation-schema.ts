import { getMetadataStorage } from 'class-validator';
import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { getNestedType } from '../../../platform/validation/nested.decorator.js';
import type { JsonSchema } from './json-schema.js';

/** What is told of a member: what it means, an example unless it is a DTO of its own, and what no rule at it says. */
export type FieldDescription = [meaning: string, example?: unknown, more?: JsonSchema];

/** What is told of the members of a DTO: of each of them, or it does not compile. */
export type FieldDescriptions<T> = { [Name in keyof T]-?: FieldDescription };

/** A rule of class-validator, as it stands at a member. */
interface ValidationRule {
  name?: string | undefined;
  constraints?: unknown[] | undefined;
  each?: boolean | undefined;
}

/** Describes a query: what its DTO takes, by the rules that stand there. */
export function describeQuery<T extends object>(dto: Type<T>, told: FieldDescriptions<T>): void {
  describeFields(dto, told, ({ nullable: _, ...schema }) =>
    schema.type === 'array' ? { ...schema, ...CSV_STYLE } : schema,
  );
}

/** Describes a body. It takes no members but these. */
export function describeBody<T extends object>(dto: Type<T>, told: FieldDescriptions<T>, description: string): void {
  describeFields(dto, told, (schema) => schema);
  ApiSchema({ description, additionalProperties: false } as Parameters<typeof ApiSchema>[0])(dto);
}

/** Whether a body of this DTO may be left out, since it must hold nothing. */
export function isBodyOptional(dto: Type<object>): boolean {
  const defaults = new dto() as Record<string, unknown>;
  return [...readValidationRules(dto)].every(([name, rules]) => !isRequired(rules) || defaults[name] !== undefined);
}

/** Values of one parameter stand behind each other with commas; it may be repeated as well. */
const CSV_STYLE = { style: 'form', explode: false };

function describeFields<T extends object>(
  dto: Type<T>,
  told: FieldDescriptions<T>,
  adapt: (schema: JsonSchema) => JsonSchema,
): void {
  const rules = readValidationRules(dto);
  const defaults = new dto() as Record<string, unknown>;
  for (const [name, [description, example, more]] of Object.entries<FieldDescription>(told)) {
    const { required, ...schema } = toFieldSchema(dto, name, rules.get(name) ?? []);
    const initial = defaults[name];
    const options = {
      ...adapt(schema),
      ...more,
      description,
      required: required === true && initial === undefined,
      ...(initial !== undefined && { default: initial }),
      ...(example !== undefined && { example }),
    };
    ApiProperty(options as ApiPropertyOptions)(dto.prototype as object, name);
  }
}

/** The rules of each member, also of those that a DTO has from another. */
function readValidationRules(dto: Type): Map<string, ValidationRule[]> {
  const all = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const rules = new Map<string, ValidationRule[]>();
  for (const { propertyName, name, constraints, each } of all) {
    rules.set(propertyName, [...(rules.get(propertyName) ?? []), { name, constraints, each }]);
  }
  return rules;
}

/** The schema of a member, with `nullable` and `required` beside it as @nestjs/swagger takes them. */
function toFieldSchema(
  dto: Type,
  name: string,
  rules: ValidationRule[],
): Omit<JsonSchema, 'required'> & { required?: boolean } {
  const own = mergeRules(rules.filter(({ each }) => !each));
  const items = mergeRules(rules.filter(({ each }) => each));
  const isList = own.type === 'array' || own['maxItems'] !== undefined || Object.keys(items).length > 0;
  const nested = getNestedType(dto.prototype as object, name);
  const isOptional = rules.some((rule) => rule.name === 'isOptional');
  return {
    ...own,
    ...(isList && !nested && own.items === undefined && { type: 'array', items }),
    ...(nested && { type: () => nested, isArray: isList }),
    ...(isOptional && { nullable: true }),
    required: isRequired(rules),
  };
}

/** `ValidateIf` has a condition, and no name. */
function isRequired(rules: ValidationRule[]): boolean {
  return !rules.some(
    ({ name, constraints }) => name === 'isOptional' || (!name && typeof constraints?.[0] === 'function'),
  );
}

function mergeRules(rules: ValidationRule[]): JsonSchema {
  const { patterns, ...schema } = rules.reduce<JsonSchema & { patterns: string[] }>(
    (so, { name, constraints = [] }) => {
      const { pattern, ...more } = KEYWORDS_BY_RULE[name ?? '']?.(...(constraints as never[])) ?? {};
      return { ...so, ...more, patterns: [...so.patterns, ...(pattern === undefined ? [] : [pattern as string])] };
    },
    { patterns: [] },
  );
  if (patterns.length < 2) return { ...schema, ...(patterns[0] !== undefined && { pattern: patterns[0] }) };
  return { ...schema, allOf: patterns.map((pattern) => ({ pattern })) };
}

/** What each rule says in JSON Schema. */
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
  isYear: (minimum: number) => ({ type: 'integer', minimum }),
  isBox: () => ({ type: 'array', items: { type: 'number', minimum: -180, maximum: 180 }, minItems: 4, maxItems: 4 }),
  // What takes the flag `u` is said in words: not every reader of schemas knows classes of Unicode.
  matches: ({ source, flags }: RegExp) =>
    flags.includes('u') ? { type: 'string' } : { type: 'string', pattern: source },
};
