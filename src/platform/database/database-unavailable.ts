import { QueryFailedError } from 'typeorm';

/** Why the database is unavailable. docs/monitor.md explains each cause. */
export type UnavailableCause =
  'cannot_connect' | 'connection_lost' | 'timeout' | 'read_only' | 'out_of_resources' | 'disk_error' | 'contention';

/** An SQLite file that cannot be opened. The code is that of SQLite. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';
  readonly code = 'SQLITE_CANTOPEN';
}

interface Failure {
  cause: UnavailableCause;
  /** Codes of SQLite, the file system and the network, and codes or classes of PostgreSQL. */
  codes?: RegExp;
  /** Messages of errors that can have any code or none. */
  messages?: RegExp;
}

/** Failures that affect all requests. The first match counts. */
const OUTAGES: Failure[] = [
  {
    cause: 'cannot_connect',
    codes: /^(ECONNREFUSED|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08001|08004|57P03|3D000)/,
    messages: startsWith('No connection to the database'),
  },
  {
    cause: 'timeout',
    messages: startsWith(
      'Connection terminated due to connection timeout',
      'timeout exceeded when trying to connect',
      'timeout expired',
      'Query read timeout',
      'A commit waits',
    ),
  },
  {
    cause: 'connection_lost',
    codes: /^(ECONN|EPIPE|08|57P)/,
    messages: startsWith(
      'Connection terminated',
      'Connection ended unexpectedly',
      'Client has encountered a connection error',
      'Client was closed and is not queryable',
      'Query runner already released',
      'Database connection provided by a query runner was already released',
    ),
  },
  { cause: 'read_only', codes: /^25006/ },
  { cause: 'out_of_resources', codes: /^(53|SQLITE_FULL|ENOSPC|EDQUOT)/ },
  { cause: 'disk_error', codes: /^(SQLITE_(IOERR|CANTOPEN)|EIO)/ },
];

/** Failures of a single statement that met a lock or exceeded its time limit. */
const STATEMENT_FAILURES: Failure[] = [
  { cause: 'contention', codes: /^(SQLITE_(BUSY|LOCKED)|40|55000|55P03)/ },
  { cause: 'timeout', codes: /^57014/ },
];

/**
 * Whether an error means that the database is temporarily unavailable: the same request may succeed
 * later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return getUnavailableCause(error) !== undefined;
}

/** Whether an error affects all requests, so that waiting requests fail at once. */
export function isDatabaseOutage(error: unknown): boolean {
  return findCause(error, OUTAGES) !== undefined;
}

/** Returns why the database is unavailable, or undefined for any other error. */
export function getUnavailableCause(error: unknown): UnavailableCause | undefined {
  return findCause(error, OUTAGES) ?? findCause(error, STATEMENT_FAILURES);
}

/** Whether PostgreSQL could not write because its disk is full. */
export function isPostgresDiskFull(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code === '53100';
}

/** Classifies an error, or the driver error that it wraps. */
function findCause(error: unknown, failures: Failure[]): UnavailableCause | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message, driverError } = error as Error & { code?: unknown; driverError?: unknown };
  const failure = failures.find(
    ({ codes, messages }) => (typeof code === 'string' && codes?.test(code)) || messages?.test(message),
  );
  return failure?.cause ?? findCause(driverError, failures);
}

function startsWith(...texts: string[]): RegExp {
  return new RegExp(`^(${texts.join('|')})`);
}
