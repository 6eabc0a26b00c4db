import { isDeepStrictEqual } from 'node:util';
import type { Change, Fields } from './entity-version.entity.js';

/** Whether two values of a field are the same; one that is cleared and an empty list are. */
export function sameValue(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): unknown =>
    value == null || (Array.isArray(value) && value.length === 0)
      ? null
      : (JSON.parse(JSON.stringify(value)) as unknown);
  return isDeepStrictEqual(plain(one), plain(other));
}

/** What differs from `before` in the fields that `after` has. */
export function changesBetween(before: Fields, after: Fields): Change[] {
  return Object.entries(after)
    .map(([field, to]) => ({ field, from: before[field] ?? null, to }))
    .filter(({ from, to }) => !sameValue(from, to));
}
