import type { VNode } from 'preact';
import type { Language } from '../i18n/language.js';

/** A date in UTC, in the format of the language. */
export function FormattedDate({ at, language }: { at: Date; language: Language }): VNode {
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  return <time dateTime={at.toISOString()}>{text}</time>;
}

/** A date with its time in UTC, in the format of the language. */
export function FormattedDateTime({ at, language }: { at: Date; language: Language }): VNode {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return <time dateTime={at.toISOString()}>{`${format.format(at)} UTC`}</time>;
}

type DurationUnit = 'second' | 'minute' | 'hour' | 'day';

/** Returns a duration with its unit in the language: `1 second`, `60 Minuten`. */
export function formatDuration(duration: number, unit: DurationUnit, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(duration);
}
