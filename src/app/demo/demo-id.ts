import type { IdPrefix } from '../../platform/database/ids.js';

/** The id of something in the demo: the same wherever it is loaded, so that documentation can name it. */
export function buildDemoId(prefix: IdPrefix, number: number): string {
  return `${prefix}_01JDEM0000${String(number).padStart(16, '0')}`;
}
