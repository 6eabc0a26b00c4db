import { createInvalidRequestError } from '../http/api-validation.pipe.js';

/**
 * Checks that a query has no other parameters than `name` and those in `allowed`.
 * @throws ApiError 400
 */
export function assertExclusiveParam<Query extends object>(
  query: Query,
  name: keyof Query,
  allowed: (keyof Query)[],
): void {
  const other = Object.entries(query).find(
    ([key, value]) => value !== undefined && key !== name && !allowed.includes(key as keyof Query),
  );
  if (!other) return;
  const message = `${other[0]} cannot be combined with ${String(name)}. Remove one of the two.`;
  throw createInvalidRequestError([{ path: other[0], code: 'not_together', message }]);
}
