import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseHost } from '../../config/database-url.js';
import { toErrorMessage } from '../../logging/logged-error.js';

/** Time in milliseconds in which a host must respond, and in which a standby may be promoted. */
const PROBE_TIMEOUT_MS = 2_000;

const STANDBY_POLL_INTERVAL_MS = 50;

/** PostgreSQL's code for a client that cannot connect. */
const CONNECTION_FAILURE = '08001';

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

/** No host of the database URL accepts writes. The code is that of a failed connection. */
export class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError';
  readonly code = CONNECTION_FAILURE;

  /** @param errors the error of each host */
  constructor(hosts: DatabaseHost[], errors: unknown[]) {
    const reasons = hosts.map(({ host, port }, index) => `${host}:${port}: ${toErrorMessage(errors[index])}`);
    super(`No host of DATABASE_URL accepts writes: ${reasons.join('; ')}`);
  }
}

/**
 * Finds the host that accepts writes among the hosts of a database URL, as libpq does for
 * `target_session_attrs=read-write`. It asks all hosts at once, and remembers the answer until a
 * connection fails.
 */
export class PrimaryLocator {
  private primary: Promise<DatabaseHost> | undefined;

  constructor(private readonly hosts: DatabaseHost[]) {}

  /**
   * @param config the settings of a connection, for each host
   * @throws NoPrimaryError
   */
  find(config: pg.ClientConfig): Promise<DatabaseHost> {
    this.primary ??= this.probeAll(config);
    return this.primary;
  }

  /** Asks the hosts again before the next connection. */
  forget(): void {
    this.primary = undefined;
  }

  private probeAll(config: pg.ClientConfig): Promise<DatabaseHost> {
    return Promise.any(this.hosts.map((host) => probe(host, config))).catch(({ errors }: AggregateError) => {
      this.forget();
      throw new NoPrimaryError(this.hosts, errors);
    });
  }
}

/**
 * Waits until a host accepts writes, so that the promotion of a standby is noticed at once.
 * @throws Error if the host does not respond, or does not accept writes in time
 */
async function probe(host: DatabaseHost, config: pg.ClientConfig): Promise<DatabaseHost> {
  const deadline = performance.now() + PROBE_TIMEOUT_MS;
  const timeouts = { connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS };
  const client = new pg.Client({ connectionString: config.connectionString, ssl: config.ssl, ...timeouts });
  [client.host, client.port] = [host.host, host.port];
  client.on('error', () => undefined); // a later error of the connection; `query` rejects for an earlier one
  try {
    await client.connect();
    for (;;) {
      if (await isWritable(client)) return host;
      if (performance.now() > deadline) throw createReadOnlyError();
      await sleep(STANDBY_POLL_INTERVAL_MS);
    }
  } finally {
    client.end().catch(() => undefined);
  }
}

/** @throws Error if the server does not accept writes */
export async function assertWritable(client: pg.ClientBase): Promise<void> {
  if (!(await isWritable(client))) throw createReadOnlyError();
}

async function isWritable(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  return rows[0]?.transaction_read_only === 'off';
}

/** Creates an error with the code of a read-only transaction. */
function createReadOnlyError(): Error {
  return Object.assign(new Error('The database server does not accept writes.'), { code: '25006' });
}
