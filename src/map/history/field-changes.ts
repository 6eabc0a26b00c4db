import { isDeepStrictEqual } from 'node:util';
import type { FieldChange, FieldValues } from './entity-version.entity.js';

/** Whether two values of a field are the same; one that is cleared and an empty list are. */
export function areValuesEqual(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): unknown =>
    value == null || (Array.isArray(value) && value.length === 0)
      ? null
      : (JSON.parse(JSON.stringify(value)) as unknown);
  return isDeepStrictEqual(plain(one), plain(other));
}

/** What differs from `before` in the fields that `after` has. */
export function diffFields(before: FieldValues, after: FieldValues): FieldChange[] {
  return Object.entries(after)
    .map(([field, to]) => ({ field, from: before[field] ?? null, to }))
    .filter(({ from, to }) => !areValuesEqual(from, to));
}
