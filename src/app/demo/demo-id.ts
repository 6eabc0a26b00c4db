import type { IdPrefix } from '../../platform/database/ids.js';

/**
 * Returns the id of a row of the demo. It is the same in every database, so that the documentation
 * can use it.
 */
export function buildDemoId(prefix: IdPrefix, number: number): string {
  return `${prefix}_01JDEM0000${String(number).padStart(16, '0')}`;
}
