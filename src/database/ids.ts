import { monotonicFactory } from 'ulid';

/** What an id is of: an account, app, authorization, edit, collection, marker, artist, region, audit event. */
export type IdPrefix = 'usr' | 'app' | 'aut' | 'edt' | 'col' | 'mrk' | 'art' | 'reg' | 'evt';

const ulid = monotonicFactory();

/** A new opaque id, such as `mrk_01JD…`: sorted as they were made, within one process. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid()}`;
}

/** Whether a text has the form of an id of this kind; anything else need not be looked up. */
export function isId(prefix: IdPrefix, text: unknown): text is string {
  return typeof text === 'string' && new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`).test(text);
}
