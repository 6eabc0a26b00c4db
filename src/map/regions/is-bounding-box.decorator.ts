import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';
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

/** Accepts the query value `west,south,east,north` in degrees and parses it. */
export function IsCsvBoundingBox(): PropertyDecorator {
  const parse = Transform(({ value }: { value: unknown }) => {
    const numbers = typeof value === 'string' ? value.split(',') : [];
    return numbers.every((number) => /^\s*-?\d{1,3}(\.\d+)?\s*$/.test(number)) ? numbers.map(Number) : value;
  });
  const check = checkBoundingBox('must be four numbers in degrees, west,south,east,north, with south not above north');
  return (target, name) => [parse, check].forEach((decorate) => decorate(target, name));
}

function checkBoundingBox(message: string): PropertyDecorator {
  return ValidateBy({ name: 'isBox', validator: { validate: isBoundingBox } }, { message });
}
