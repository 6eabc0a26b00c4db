const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3600_000, d: 24 * 3600_000 };

/** Parses a duration such as `24h`. @returns milliseconds, or undefined if the text is invalid */
function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit]!;
}

/**
 * Parses the value of `--since`: a date, with or without a time, or an age such as `24h`.
 * @throws Error that names the accepted values
 */
export function parseSince(text: string): Date {
  const ageMs = parseDuration(text);
  const at = new Date(ageMs === undefined ? text : Date.now() - ageMs);
  if ((ageMs !== undefined || /^\d{4}-\d\d-\d\d/.test(text)) && !Number.isNaN(at.getTime())) return at;
  throw new Error('--since must be a date, such as 2026-11-21 or 2026-11-21T08:00Z, or an age, such as 24h or 7d.');
}

/**
 * Parses the value of `--keep-old`, the duration for which an old secret still works.
 * @returns milliseconds, at most 30 days
 * @throws Error that names the accepted values
 */
export function parseKeepOld(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined && durationMs > 0 && durationMs <= 30 * UNIT_MS['d']!) return durationMs;
  throw new Error('--keep-old must be a duration from 1s to 30d, such as 24h.');
}
