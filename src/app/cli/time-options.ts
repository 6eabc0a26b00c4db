const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3600_000, d: 24 * 3600_000 };

/** A length of time as an operator writes it, such as `24h`, in milliseconds; undefined where it is none. */
function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit]!;
}

/**
 * A moment as an operator writes it: a date, with or without a time, or how long ago, such as `24h`.
 * @throws Error that says what it takes
 */
export function parseSince(text: string): Date {
  const length = parseDuration(text);
  const at = new Date(length === undefined ? text : Date.now() - length);
  if ((length !== undefined || /^\d{4}-\d\d-\d\d/.test(text)) && !Number.isNaN(at.getTime())) return at;
  throw new Error('--since takes a date, such as 2026-11-21 or 2026-11-21T08:00Z, or how long ago, such as 24h or 7d.');
}

/** How long an old secret stays good, up to thirty days, in milliseconds. @throws Error that says what it takes */
export function parseKeepOld(text: string): number {
  const length = parseDuration(text);
  if (length !== undefined && length > 0 && length <= 30 * UNIT_MS['d']!) return length;
  throw new Error('--keep-old takes how long the old secret stays good, such as 24h, and at most 30d.');
}
