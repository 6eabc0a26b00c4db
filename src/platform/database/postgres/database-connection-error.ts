import type { DatabaseHost } from '../../config/database-url.js';
import { toErrorMessage } from '../../logging/logged-error.js';

/**
 * No connection to a host of the database URL could be opened. The code is that of the cause. The
 * message contains no password.
 */
export class DatabaseConnectionError extends Error {
  override readonly name = 'DatabaseConnectionError';
  readonly code: string;

  constructor({ host, port }: DatabaseHost, cause: unknown) {
    super(`No connection to the database of DATABASE_URL at ${host}:${port}: ${toErrorMessage(cause)}`, { cause });
    this.code = (cause as { code?: string }).code ?? CONNECTION_FAILURE;
  }
}

/** PostgreSQL's code for a client that cannot connect. */
const CONNECTION_FAILURE = '08001';
