import { createUsageError } from '../../platform/errors/domain-error.js';

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3600_000, d: 24 * 3600_000 };

/** Parses a duration such as `24h`. @returns milliseconds, or undefined if the text is invalid */
function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit]!;
}

/**
 * Parses the value of `--since`: a date, with or without a time, or an age such as `24h`.
 * @throws DomainError invalid, which names the accepted values
 */
export function parseSince(text: string): Date {
  const at = parseTime(text, -1);
  if (at) return at;
  throw createUsageError(
    '--since must be a date, such as 2026-11-21 or 2026-11-21T08:00Z, or an age, such as 24h or 7d.',
  );
}

/**
 * Parses the value of `--until`: a date, with or without a time, or a duration from now such as
 * `7d`.
 * @throws DomainError invalid, which names the accepted values
 */
export function parseUntil(text: string): Date {
  const at = parseTime(text, 1);
  if (at && at.getTime() > Date.now()) return at;
  throw createUsageError(
    '--until must be a date in the future, such as 2027-01-31 or 2027-01-31T08:00Z, or a duration, such as 24h or 7d.',
  );
}

/** @param direction 1 if durations lie after now, -1 if they lie before now */
function parseTime(text: string, direction: 1 | -1): Date | undefined {
  const durationMs = parseDuration(text);
  const at = new Date(durationMs === undefined ? text : Date.now() + direction * durationMs);
  const hasForm = durationMs !== undefined || /^\d{4}-\d\d-\d\d/.test(text);
  return hasForm && !Number.isNaN(at.getTime()) ? at : undefined;
}

/**
 * Parses the value of `--keep-old`, the duration for which an old secret still works.
 * @returns milliseconds, at most 30 days
 * @throws DomainError invalid, which names the accepted values
 */
export function parseKeepOld(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined && durationMs > 0 && durationMs <= 30 * UNIT_MS['d']!) return durationMs;
  throw createUsageError('--keep-old must be a duration from 1s to 30d, such as 24h.');
}
