import { encodeTime, monotonicFactory } from 'ulid';
import type { JsonSchema } from '../openapi/json-schema.js';

/** The pattern of each kind of id, by prefix. */
export const ID_PATTERNS = {
  usr: buildIdPattern('usr'),
  app: buildIdPattern('app'),
  aut: buildIdPattern('aut'),
  cns: buildIdPattern('cns'),
  edt: buildIdPattern('edt'),
  col: buildIdPattern('col'),
  mrk: buildIdPattern('mrk'),
  art: buildIdPattern('art'),
  reg: buildIdPattern('reg'),
  evt: buildIdPattern('evt'),
  act: buildIdPattern('act'),
  ses: buildIdPattern('ses'),
  pky: buildIdPattern('pky'),
  eml: buildIdPattern('eml'),
};

/**
 * Account, app, authorization, consent, edit, collection, marker, artist, region, audit event, app
 * action, session, passkey, outgoing e-mail.
 */
export type IdPrefix = keyof typeof ID_PATTERNS;

const generateUlid = monotonicFactory();

/**
 * Generates an opaque id such as `mrk_01JD…`. Ids of one process sort in the order of generation.
 */
export function generateId(prefix: IdPrefix): string {
  return `${prefix}_${generateUlid()}`;
}

/** Returns the id before which all ids of a kind that were generated before a time sort. */
export function buildFirstId(prefix: IdPrefix, timeMs: number): string {
  return `${prefix}_${encodeTime(Math.max(0, timeMs))}${'0'.repeat(16)}`;
}

/** Whether a text has the format of an id of this kind. Other texts need no lookup. */
export function isId(prefix: IdPrefix, text: unknown): text is string {
  return typeof text === 'string' && ID_PATTERNS[prefix].test(text);
}

/** The ULID in the examples of ids. */
const EXAMPLE_ULID = '01JDEM00000000000000000010';

/** Returns the schema of an id of one kind. */
export function idSchema(prefix: IdPrefix, description: string): JsonSchema {
  const { source: pattern } = ID_PATTERNS[prefix];
  return { type: 'string', pattern, description, examples: [`${prefix}_${EXAMPLE_ULID}`] };
}

function buildIdPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`);
}
