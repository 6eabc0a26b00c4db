/**
 * Error codes of an unavailable database: of SQLite, the file system, the network, and classes of
 * PostgreSQL.
 */
const UNAVAILABLE_CODES =
  /^(SQLITE_(FULL|IOERR|CANTOPEN)|EIO|ENOSPC|EDQUOT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|25006|3D000|53|57P)/;

/** Error codes of a single statement that met a lock or exceeded its time limit. */
const CONTENTION_CODES = /^(SQLITE_(BUSY|LOCKED)|40|55000|57014)/;

/** Messages of errors that can have any code or none, for a broken connection or a timeout. */
const UNAVAILABLE_MESSAGES = new RegExp(
  `^(${[
    'No connection to the database',
    'Connection terminated',
    'Connection ended unexpectedly',
    'Client has encountered a connection error',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Query runner already released',
    'Database connection provided by a query runner was already released',
  ].join('|')})`,
);

/**
 * Whether an error means that the database is temporarily unavailable: the same request may succeed
 * later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDatabaseOutage(error) || matchesDriverError(error, (code) => CONTENTION_CODES.test(code));
}

/** Whether an error affects all requests, so that waiting requests fail at once. */
export function isDatabaseOutage(error: unknown): boolean {
  return matchesDriverError(
    error,
    (code, message) => UNAVAILABLE_CODES.test(code) || UNAVAILABLE_MESSAGES.test(message),
  );
}

/** Applies a predicate to an error and to the driver errors that it wraps. */
function matchesDriverError(error: unknown, predicate: (code: string, message: string) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, driverError } = error as Error & { code?: unknown; driverError?: unknown };
  return predicate(typeof code === 'string' ? code : '', message) || matchesDriverError(driverError, predicate);
}
