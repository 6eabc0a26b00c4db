/** An error as the members of a log line. */
export interface LoggedError {
  /** The name and the message. */
  error: unknown;
  /** The cause that errors with different messages share, such as `connection_lost`. */
  cause?: string;
  /** The code of the system or of the database, such as `ECONNREFUSED`. */
  error_code?: string;
  stack?: string;
}

/** Converts a thrown value into the members of a log line. */
export function toLoggedError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) return { error: thrown };
  const { name, stack, code } = thrown as Error & { code?: unknown };
  return {
    error: `${name}: ${toErrorMessage(thrown)}`,
    ...(typeof code === 'string' && { error_code: code }),
    ...(stack !== undefined && { stack }),
  };
}

/**
 * Returns a key that two errors share if they have the same cause. Without the member `cause`, it
 * is the name and message, apart from numbers, and the place that threw the error. The place of an
 * error with a code does not matter.
 */
export function getCauseKey(event: string, { error, cause, error_code, stack = '' }: LoggedError): string {
  if (cause !== undefined) return JSON.stringify([event, cause]);
  const place =
    error_code ?? stack.split('\n').find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  return JSON.stringify([event, String(error).replace(/\d+/g, '#'), place]);
}
/** Returns the message for the operator of an error that ended the start. */
export function toErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return error.errors.map(toErrorMessage).join('; ');
  return error.message || error.name;
}
