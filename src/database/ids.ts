import { monotonicFactory } from 'ulid';

/** What an id is of, by its prefix: the form of each kind of id. */
export const ID_PATTERNS = {
  usr: pattern('usr'),
  app: pattern('app'),
  aut: pattern('aut'),
  cns: pattern('cns'),
  edt: pattern('edt'),
  col: pattern('col'),
  mrk: pattern('mrk'),
  art: pattern('art'),
  reg: pattern('reg'),
  evt: pattern('evt'),
};

/** Account, app, authorization, consent, edit, collection, marker, artist, region, audit event. */
export type IdPrefix = keyof typeof ID_PATTERNS;

const ulid = monotonicFactory();

/** A new opaque id, such as `mrk_01JD…`: sorted as they were made, within one process. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid()}`;
}

/** Whether a text has the form of an id of this kind; anything else need not be looked up. */
export function isId(prefix: IdPrefix, text: unknown): text is string {
  return typeof text === 'string' && ID_PATTERNS[prefix].test(text);
}

function pattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`);
}
