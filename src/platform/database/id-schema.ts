import type { JsonSchema } from '../openapi/json-schema.js';
import { ID_PATTERNS, type IdPrefix } from './ids.js';

/** The ULID in the examples of ids. */
const EXAMPLE_ULID = '01JDEM00000000000000000010';

/** Returns the schema of an id of one kind. */
export function idSchema(prefix: IdPrefix, description: string): JsonSchema {
  const { source: pattern } = ID_PATTERNS[prefix];
  return { type: 'string', pattern, description, examples: [`${prefix}_${EXAMPLE_ULID}`] };
}
