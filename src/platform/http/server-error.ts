import type { Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../database/database-unavailable.js';

/**
 * Seconds after which a client may retry while the database is unavailable: the value of
 * `Retry-After`.
 */
export const DATABASE_RETRY_AFTER_SECONDS = '2';

/** The two responses to an unexpected error: 500, or 503 while the database is unavailable. */
export type ServerErrorKind = 'internal' | 'databaseUnavailable';

/** Logs an unexpected error once, with its stack, and returns its kind. */
export function logServerError(logger: Logger, error: unknown): ServerErrorKind {
  logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
  return isDatabaseUnavailable(error) ? 'databaseUnavailable' : 'internal';
}
