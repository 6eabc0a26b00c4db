import type { VNode } from 'preact';
import type { Language } from '../i18n/language.js';

/** A day as people of a language write it, in UTC. */
export function FormattedDate({ at, language }: { at: Date; language: Language }): VNode {
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  return <time dateTime={at.toISOString()}>{text}</time>;
}

/** A day with its time, in UTC. */
export function FormattedDateTime({ at, language }: { at: Date; language: Language }): VNode {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return <time dateTime={at.toISOString()}>{`${format.format(at)} UTC`}</time>;
}

/** A length of time in words: `1 second`, `60 Minuten`. */
export function formatDuration(time: number, unit: 'second' | 'minute', language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(time);
}
