/** Codes by which the drivers say that a statement cannot be run now: SQLite's, the network's, PostgreSQL's classes. */
const CODES =
  /^(SQLITE_(BUSY|FULL|IOERR|CANTOPEN|LOCKED)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08|25006|3D000|40|53|55000|57P|57014)/;

/** What pg says, without a code, of a connection that broke or did not come about in time. */
const SENTENCES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Query runner already released)/;

/** Whether an error means that the database is away, or cannot write, for now: the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as Error & { code?: unknown };
  if ((typeof code === 'string' && CODES.test(code)) || SENTENCES.test(message)) return true;
  return isDatabaseAway((error as { driverError?: unknown }).driverError);
}
