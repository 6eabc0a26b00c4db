import type { DataSourceOptions } from 'typeorm';
import { type DatabaseTls, parseDatabaseHosts } from '../../config/database-url.js';
import { PostgresClient, type PostgresClientConfig } from './postgres-client.js';
import { PrimaryLocator } from './primary-locator.js';
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { SettingsError } from '../../config/secret-files.js';

/** Time in milliseconds in which the pool must open a connection. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Seconds after which the pool replaces a connection. So all connections move to a new primary,
 * even if the old one is alive and its commits wait.
 */
const MAX_LIFETIME_S = 30;

/** The name of the service in `pg_stat_activity`, unless the URL has another one. */
const APPLICATION_NAME = 'street-art-map';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/**
 * Returns the TypeORM options of a PostgreSQL URL, which may name several hosts.
 * @param options what the connections are for; `poolSize`: limit of connections, by default 10
 * @throws SettingsError if a file of certificates cannot be read
 */
export function createPostgresOptions(
  databaseUrl: string,
  {
    poolSize,
    ...use
  }: Pick<PostgresClientConfig, 'isUnlimited' | 'preparesStatements'> & { poolSize: number | undefined },
): Pick<PostgresOptions, 'url' | 'connectTimeoutMS' | 'poolSize' | 'extra'> {
  const { hosts, tls, url } = parseDatabaseHosts(databaseUrl)!;
  const isPrimaryRequired = hosts.length > 1 || new URL(url).searchParams.has('target_session_attrs');
  const config: PostgresClientConfig = {
    locator: isPrimaryRequired ? new PrimaryLocator(hosts) : undefined,
    ...use,
    ssl: readTlsOptions(tls),
  };
  const onConnect = (client: PostgresClient): Promise<void> => client.prepareSession();
  return {
    url,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    ...(poolSize !== undefined && { poolSize }),
    extra: {
      Client: PostgresClient,
      onConnect,
      maxLifetimeSeconds: MAX_LIFETIME_S,
      fallback_application_name: APPLICATION_NAME,
      ...config,
    },
  };
}

/**
 * Reads the certificates of a database URL.
 * @returns the TLS options of `pg`; false for connections without TLS. `pg` adds the host, whose
 * name the certificate must contain with `verify-full`.
 * @throws SettingsError if a file cannot be read
 */
function readTlsOptions({ mode, rootCertificates, client }: DatabaseTls): ConnectionOptions | false {
  if (mode === 'disable') return false;
  return {
    ...(rootCertificates !== undefined && { ca: readFile('sslrootcert', rootCertificates) }),
    ...(client && { cert: readFile('sslcert', client.certificate), key: readFile('sslkey', client.key) }),
    ...(mode === 'require' && rootCertificates === undefined && { rejectUnauthorized: false }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function readFile(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as Error).message;
    throw new SettingsError(`DATABASE_URL names a file that cannot be read in ${parameter}: ${reason}.`);
  }
}
