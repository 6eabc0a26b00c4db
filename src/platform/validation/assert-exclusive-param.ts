import { invalidRequest } from '../http/api-validation.pipe.js';

/** @throws ApiError 400 where others than these stand in a query beside a member that is answered alone */
export function assertExclusiveParam<Query extends object>(
  query: Query,
  name: keyof Query,
  beside: (keyof Query)[],
): void {
  const other = Object.entries(query).find(
    ([key, value]) => value !== undefined && key !== name && !beside.includes(key as keyof Query),
  );
  if (!other) return;
  const message = `Ask for ${String(name)} alone, without ${other[0]}.`;
  throw invalidRequest([{ path: other[0], code: 'not_together', message }]);
}
