import { type DtoClass, type JsonSchema, type SchemaSource, toSchema } from './json-schema.js';

/** A field of a DTO class, as its decorator describes it. */
export interface DescribedField {
  schema: JsonSchema;
  isOptional: boolean;
}

type OptionalKeys<T> = { [Name in keyof T]-?: undefined extends T[Name] ? Name : never }[keyof T];
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;

const SCHEMA_METADATA = Symbol('api-schema');
const FIELDS_METADATA = Symbol('api-fields');

/** Describes a DTO class that is a component of the document. */
export function ApiSchema(componentName: string, description: string): ClassDecorator {
  return Reflect.metadata(SCHEMA_METADATA, { componentName, description });
}

/**
 * Describes a field of a request or a query. Its validation rules add type and limits.
 * @param keywords JSON Schema keywords that no validation rule implies
 */
export function RequestField(description: string, example?: unknown, keywords: JsonSchema = {}): PropertyDecorator {
  const schema = { ...keywords, description, ...(example !== undefined && { examples: [example] }) };
  return (target, name) => addField(target, name, { schema, isOptional: false });
}

/** Describes a field that each response has. */
export function ResponseField(source: SchemaSource) {
  return <T extends object>(target: T, name: RequiredKeys<T>): void =>
    addField(target, name, { schema: toSchema(source), isOptional: false });
}

/** Describes a field that a response may omit. */
export function OptionalResponseField(source: SchemaSource) {
  return <T extends object>(target: T, name: OptionalKeys<T>): void =>
    addField(target, name, { schema: toSchema(source), isOptional: true });
}

/** Returns a base class with the fields of a response class, all optional but these. */
export function PartialResponse<T extends object, Name extends keyof T>(
  dto: new () => T,
  required: Name[],
): new () => Pick<T, Name> & Partial<T> {
  abstract class Part {}
  for (const [name, field] of getApiFields(dto)) {
    addField(Part.prototype, name, { ...field, isOptional: !required.includes(name as Name) });
  }
  return Part as new () => Pick<T, Name> & Partial<T>;
}

/** Returns a base class with the fields of a response class except these. */
export function OmitFields<T extends object, Name extends keyof T>(
  dto: new () => T,
  omitted: Name[],
): new () => Omit<T, Name> {
  abstract class Part {}
  for (const [name, field] of getApiFields(dto)) {
    if (!omitted.includes(name as Name)) addField(Part.prototype, name, field);
  }
  return Part as new () => Omit<T, Name>;
}

/**
 * Returns component name and description of a class.
 * @throws Error if the class has no own `ApiSchema`
 */
export function getApiSchema(dto: DtoClass): { componentName: string; description: string } {
  const schema = Reflect.getOwnMetadata(SCHEMA_METADATA, dto) as ReturnType<typeof getApiSchema> | undefined;
  if (!schema) throw new Error(`The DTO class ${dto.name} has no @ApiSchema.`);
  return schema;
}

/** Returns the described fields of a class, those of its base class first. */
export function getApiFields(dto: DtoClass): ReadonlyMap<string, DescribedField> {
  return getFields(dto.prototype as object);
}

function addField(target: object, name: PropertyKey, field: DescribedField): void {
  Reflect.defineMetadata(FIELDS_METADATA, new Map(getFields(target)).set(String(name), field), target);
}

/**
 * The metadata of a base class is inherited, as `Reflect.getMetadata` follows the prototype chain.
 */
function getFields(target: object): ReadonlyMap<string, DescribedField> {
  return (Reflect.getMetadata(FIELDS_METADATA, target) as Map<string, DescribedField> | undefined) ?? new Map();
}
