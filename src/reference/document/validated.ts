import { getMetadataStorage } from 'class-validator';
import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { nestedOf } from '../../http/nested.js';
import type { Schema } from './schema.js';

/** What is told of a member: what it means, an example unless it is a DTO of its own, and what no rule at it says. */
export type Told = [meaning: string, example?: unknown, more?: Schema];

/** What is told of the members of a DTO: of each of them, or it does not compile. */
export type TellingOf<T> = { [Name in keyof T]-?: Told };

/** A rule of class-validator, as it stands at a member. */
interface Rule {
  name?: string | undefined;
  constraints?: unknown[] | undefined;
  each?: boolean | undefined;
}

/** Describes a query: what its DTO takes, by the rules that stand there. */
export function query<T extends object>(dto: Type<T>, told: TellingOf<T>): void {
  tell(dto, told, ({ nullable: _, ...schema }) => (schema.type === 'array' ? { ...schema, ...SEPARATED } : schema));
}

/** Describes a body. It takes no members but these. */
export function body<T extends object>(dto: Type<T>, told: TellingOf<T>, description: string): void {
  tell(dto, told, (schema) => schema);
  ApiSchema({ description, additionalProperties: false } as Parameters<typeof ApiSchema>[0])(dto);
}

/** Whether a body of this DTO may be left out, since it must hold nothing. */
export function takesNothing(dto: Type<object>): boolean {
  const defaults = new dto() as Record<string, unknown>;
  return [...rulesOf(dto)].every(([name, rules]) => !isRequired(rules) || defaults[name] !== undefined);
}

/** Values of one parameter stand behind each other with commas; it may be repeated as well. */
const SEPARATED = { style: 'form', explode: false };

function tell<T extends object>(dto: Type<T>, told: TellingOf<T>, adapt: (schema: Schema) => Schema): void {
  const rules = rulesOf(dto);
  const defaults = new dto() as Record<string, unknown>;
  for (const [name, [description, example, more]] of Object.entries<Told>(told)) {
    const { required, ...schema } = schemaOf(dto, name, rules.get(name) ?? []);
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
function rulesOf(dto: Type): Map<string, Rule[]> {
  const all = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const rules = new Map<string, Rule[]>();
  for (const { propertyName, name, constraints, each } of all) {
    rules.set(propertyName, [...(rules.get(propertyName) ?? []), { name, constraints, each }]);
  }
  return rules;
}

/** The schema of a member, with `nullable` and `required` beside it as @nestjs/swagger takes them. */
function schemaOf(dto: Type, name: string, rules: Rule[]): Omit<Schema, 'required'> & { required?: boolean } {
  const own = merged(rules.filter(({ each }) => !each));
  const items = merged(rules.filter(({ each }) => each));
  const isList = own.type === 'array' || own['maxItems'] !== undefined || Object.keys(items).length > 0;
  const nested = nestedOf(dto.prototype as object, name);
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
function isRequired(rules: Rule[]): boolean {
  return !rules.some(
    ({ name, constraints }) => name === 'isOptional' || (!name && typeof constraints?.[0] === 'function'),
  );
}

function merged(rules: Rule[]): Schema {
  const { patterns, ...schema } = rules.reduce<Schema & { patterns: string[] }>(
    (so, { name, constraints = [] }) => {
      const { pattern, ...more } = KEYWORDS[name ?? '']?.(...(constraints as never[])) ?? {};
      return { ...so, ...more, patterns: [...so.patterns, ...(pattern === undefined ? [] : [pattern as string])] };
    },
    { patterns: [] },
  );
  if (patterns.length < 2) return { ...schema, ...(patterns[0] !== undefined && { pattern: patterns[0] }) };
  return { ...schema, allOf: patterns.map((pattern) => ({ pattern })) };
}

/** What each rule says in JSON Schema. */
const KEYWORDS: Record<string, (...constraints: never[]) => Schema> = {
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
