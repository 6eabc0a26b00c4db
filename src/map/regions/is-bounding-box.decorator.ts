import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import { splitCsvValues } from '../../platform/validation/query-values.decorator.js';
import { isBoundingBox } from './geo.js';

/** The schema of a bounding box. */
export const BOUNDING_BOX_SCHEMA: JsonSchema = {
  type: 'array',
  items: { type: 'number', minimum: -180, maximum: 180 },
  minItems: 4,
  maxItems: 4,
};

/** Accepts the JSON array `[west, south, east, north]` in degrees. */
export function IsBoundingBox(): PropertyDecorator {
  return checkBoundingBox(
    'must be an array of four numbers in degrees, [west, south, east, north], with south not above north',
  );
}

/**
 * Parses the query value `west,south,east,north`, or four values of a repeated parameter. Returns a
 * value without numbers as it is.
 */
export function parseCsvBoundingBox(value: unknown): unknown {
  if (value === undefined) return undefined;
  const isNumber = (text: unknown): boolean => typeof text === 'string' && /^\s*-?\d{1,3}(\.\d+)?\s*$/.test(text);
  const numbers = splitCsvValues(value);
  return numbers.every(isNumber) ? numbers.map(Number) : value;
}

/** Accepts a bounding box of a query and parses it. */
export function IsCsvBoundingBox(): PropertyDecorator {
  const parse = Transform(({ value }: { value: unknown }) => parseCsvBoundingBox(value));
  const check = checkBoundingBox('must be four numbers in degrees, west,south,east,north, with south not above north');
  return (target, name) => [parse, check].forEach((decorate) => decorate(target, name));
}

function checkBoundingBox(message: string): PropertyDecorator {
  return ValidateBy({ name: 'isBox', validator: { validate: isBoundingBox } }, { message });
}
