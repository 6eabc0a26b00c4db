import type { VNode } from 'preact';
import type { Language } from './language.js';

/** A day as people of a language write it, in UTC. */
export function Day({ at, language }: { at: Date; language: Language }): VNode {
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  return <time dateTime={at.toISOString()}>{text}</time>;
}

/** A day with its time, in UTC. */
export function Moment({ at, language }: { at: Date; language: Language }): VNode {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return <time dateTime={at.toISOString()}>{`${format.format(at)} UTC`}</time>;
}
