import { isDeepStrictEqual } from 'node:util';
import type { FieldChange, FieldValue, FieldValues } from './entity-version.entity.js';

/** Whether two values of a field are equal. A cleared field equals an empty list. */
export function areValuesEqual(one: unknown, other: unknown): boolean {
  const normalize = (value: unknown): unknown =>
    value == null || (Array.isArray(value) && value.length === 0)
      ? null
      : (JSON.parse(JSON.stringify(value)) as unknown);
  return isDeepStrictEqual(normalize(one), normalize(other));
}

/** Returns the fields of `after` that differ from `before`. */
export function diffFields(before: FieldValues, after: FieldValues): FieldChange[] {
  return Object.entries(after)
    .map(([field, to]) => ({ field, from: before[field] ?? null, to }))
    .filter(({ from, to }) => !areValuesEqual(from, to));
}

/** Returns the texts of a field that is a set, such as tags; none for another value. */
export function toTexts(value: FieldValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
