import { isDatabaseUnavailable } from '../database/database-unavailable.js';
import type { EventLogger } from '../logging/event-logger.js';

/**
 * Seconds after which a client may retry while the database is unavailable: the value of
 * `Retry-After`.
 */
export const DATABASE_RETRY_AFTER_SECONDS = '2';

/** Messages of the two responses, for developers. They are ASCII without quotes (RFC 6749 §5.2). */
export const INTERNAL_ERROR_MESSAGE =
  'The service could not process the request. Try again. If it fails again, report the X-Request-Id of the response.';
export const DATABASE_UNAVAILABLE_MESSAGE = `The service cannot reach its database. Try again in ${DATABASE_RETRY_AFTER_SECONDS} seconds.`;

/** The two responses to an unexpected error: 500, or 503 while the database is unavailable. */
export type ServerErrorKind = 'internal' | 'databaseUnavailable';

/** Logs an unexpected error of a request, and returns its kind. */
export function logServerError(logger: EventLogger, error: unknown): ServerErrorKind {
  if (isDatabaseUnavailable(error)) {
    logger.log('database_unavailable', 'The database is unavailable or too slow; the request gets status 503.', {
      error,
    });
    return 'databaseUnavailable';
  }
  logger.log('unhandled_error', 'A request failed with an unexpected error; it gets status 500.', { error });
  return 'internal';
}
