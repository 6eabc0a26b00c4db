/** Codes by which the drivers say that the database cannot be used now: SQLite's, the network's, PostgreSQL's classes. */
const AWAY = /^(SQLITE_(BUSY|FULL|IOERR|CANTOPEN|LOCKED)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08|53|57P)/;

/** Whether an error means that the database is away, or cannot write, for now: the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, driverError } = error as Error & { code?: unknown; driverError?: { code?: unknown } };
  return [code, driverError?.code].some((one) => typeof one === 'string' && AWAY.test(one));
}
