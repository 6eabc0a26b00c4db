const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3600_000, d: 24 * 3600_000 };

/**
 * A moment as an operator writes it: a date, with or without a time, or how long ago, such as `24h`.
 * @throws Error that says what it takes
 */
export function readSince(text: string): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit) return new Date(Date.now() - Number(count) * UNITS[unit]!);
  const at = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new Error('--since takes a date, such as 2026-11-21 or 2026-11-21T08:00Z, or how long ago, such as 24h or 7d.');
}
