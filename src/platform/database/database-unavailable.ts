/** Codes by which the drivers say that nothing can be run now: SQLite's, the disk's, the network's, PostgreSQL's classes. */
const UNAVAILABLE_CODES =
  /^(SQLITE_(FULL|IOERR|CANTOPEN)|EIO|ENOSPC|EDQUOT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08|25006|3D000|53|57P)/;

/** Codes that say so of one statement alone, which met others or took too long. */
const CONTENTION_CODES = /^(SQLITE_(BUSY|LOCKED)|40|55000|57014)/;

/** What pg says, without a code, of a connection that broke or did not come about in time. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Query runner already released)/;

/** Whether an error means that the database is away, or cannot write, for now: the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDatabaseOutage(error) || matchesDriverError(error, (code) => CONTENTION_CODES.test(code));
}

/** Whether an error means so for everybody, so that others need not try now. */
export function isDatabaseOutage(error: unknown): boolean {
  return matchesDriverError(
    error,
    (code, message) => UNAVAILABLE_CODES.test(code) || UNAVAILABLE_MESSAGES.test(message),
  );
}

/** Asks this of an error, or of the driver's error inside it. */
function matchesDriverError(error: unknown, question: (code: string, message: string) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, driverError } = error as Error & { code?: unknown; driverError?: unknown };
  return question(typeof code === 'string' ? code : '', message) || matchesDriverError(driverError, question);
}
