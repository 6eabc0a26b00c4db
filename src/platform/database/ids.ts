import { monotonicFactory } from 'ulid';

/** What an id is of, by its prefix: the form of each kind of id. */
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
};

/** Account, app, authorization, consent, edit, collection, marker, artist, region, audit event. */
export type IdPrefix = keyof typeof ID_PATTERNS;

const generateUlid = monotonicFactory();

/** A new opaque id, such as `mrk_01JD…`: sorted as they were made, within one process. */
export function generateId(prefix: IdPrefix): string {
  return `${prefix}_${generateUlid()}`;
}

/** Whether a text has the form of an id of this kind; anything else need not be looked up. */
export function isId(prefix: IdPrefix, text: unknown): text is string {
  return typeof text === 'string' && ID_PATTERNS[prefix].test(text);
}

function buildIdPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`);
}
