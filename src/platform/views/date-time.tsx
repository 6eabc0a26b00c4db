import type { VNode } from 'preact';

interface TimeProps {
  at: Date;
  /** Language tag with a region. */
  locale: string;
}

type TimeUnit = 'second' | 'minute' | 'hour' | 'day';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Age from which a time is shown as a date, not relative to now. */
const MAX_RELATIVE_AGE_MS = 7 * DAY_MS;

/** A date in UTC, in the format of the locale. The title is the exact time. */
export function FormattedDate({ at, locale }: TimeProps): VNode {
  return (
    <Time at={at} locale={locale}>
      {formatDate(at, locale)}
    </Time>
  );
}

/** A date with its time in UTC, in the format of the locale. */
export function FormattedDateTime({ at, locale }: TimeProps): VNode {
  return (
    <Time at={at} locale={locale}>
      {formatDateTime(at, locale)}
    </Time>
  );
}

/** The time of a day in UTC. The title is the exact time. */
export function FormattedTime({ at, locale }: TimeProps): VNode {
  return (
    <Time at={at} locale={locale}>
      {new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(at)}
    </Time>
  );
}

/** A time of the last week relative to now, an older one as a date. The title is the exact time. */
export function RelativeTime({ at, locale }: TimeProps): VNode {
  return (
    <Time at={at} locale={locale}>
      {formatRelativeTime(at, locale)}
    </Time>
  );
}

/** A day of the last week relative to today, such as `yesterday`, an older one as a date. */
export function RelativeDay({ at, locale }: TimeProps): VNode {
  return (
    <time dateTime={at.toISOString().slice(0, 10)} title={formatDate(at, locale)}>
      {formatRelativeDay(at, locale)}
    </time>
  );
}

function Time({ at, locale, children }: TimeProps & { children: string }): VNode {
  return (
    <time dateTime={at.toISOString()} title={formatDateTime(at, locale)}>
      {children}
    </time>
  );
}

function formatDate(at: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

function formatDateTime(at: Date, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(at)} UTC`;
}

function formatRelativeTime(at: Date, locale: string): string {
  const ageMs = Date.now() - at.getTime();
  if (ageMs < 0 || ageMs >= MAX_RELATIVE_AGE_MS) return formatDate(at, locale);
  const { unit, count } = toLargestUnit(ageMs);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-count, unit);
}

function formatRelativeDay(at: Date, locale: string): string {
  const days = Math.floor(Date.now() / DAY_MS) - Math.floor(at.getTime() / DAY_MS);
  if (days < 0 || days >= 7) return formatDate(at, locale);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
}

function toLargestUnit(durationMs: number): { unit: TimeUnit; count: number } {
  if (durationMs < MINUTE_MS) return { unit: 'second', count: 0 };
  if (durationMs < HOUR_MS) return { unit: 'minute', count: Math.floor(durationMs / MINUTE_MS) };
  if (durationMs < DAY_MS) return { unit: 'hour', count: Math.floor(durationMs / HOUR_MS) };
  return { unit: 'day', count: Math.floor(durationMs / DAY_MS) };
}

/** Returns a duration with its unit in the language: `1 second`, `60 Minuten`. */
export function formatDuration(duration: number, unit: TimeUnit, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(duration);
}
