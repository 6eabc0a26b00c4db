import { parseDatabaseHosts } from './database-hosts.js';
import { DATABASE_TLS_RULE } from './database-tls.js';
import { readSecretFiles } from './secret-files.js';

/**
 * Returns `DATABASE_URL`, the content of `DATABASE_URL_FILE`, or the default: an SQLite file in
 * `data/`.
 * @throws SettingsError if both are set, or the file cannot be read
 */
export function readDatabaseUrl(env: NodeJS.ProcessEnv): string {
  return readSecretFiles(env, ['DATABASE_URL'])['DATABASE_URL']?.trim() || 'sqlite:data/street-art.sqlite';
}

/** Whether the URL names an SQLite database, which runs one write at a time. */
export function isSqlite(url: string): boolean {
  return url.startsWith('sqlite:');
}

/** Whether the URL names an in-memory database, whose reads and writes share one connection. */
export function isInMemory(url: string): boolean {
  return url === 'sqlite::memory:';
}

/** The rule that `isDatabaseUrl` checks, as the end of an error message. */
export const DATABASE_URL_RULE = `must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE. Several hosts are separated by commas, and target_session_attrs can be read-write or primary. ${DATABASE_TLS_RULE}`;

/** Whether the service supports a database URL. */
export function isDatabaseUrl(url: string): boolean {
  if (isSqlite(url)) return url.length > 'sqlite:'.length;
  return parseDatabaseHosts(url) !== undefined;
}
