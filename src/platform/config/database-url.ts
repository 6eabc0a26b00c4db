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

/** The rule that `parseDatabaseTls` checks, as a part of an error message. */
const DATABASE_TLS_RULE =
  'sslmode can be disable, require, verify-ca (with sslrootcert) or verify-full, and sslcert needs sslkey';

/** The rule that `isDatabaseUrl` checks, as the end of an error message. */
export const DATABASE_URL_RULE = `must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE. Several hosts are separated by commas, and target_session_attrs can be read-write or primary. ${DATABASE_TLS_RULE}`;

/** Whether the service supports a database URL. */
export function isDatabaseUrl(url: string): boolean {
  if (isSqlite(url)) return url.length > 'sqlite:'.length;
  return parseDatabaseHosts(url) !== undefined;
}

/** A host of a PostgreSQL URL. */
export interface DatabaseHost {
  host: string;
  port: number;
}

/** A PostgreSQL URL, split into its hosts, its TLS parameters and the rest. */
export interface DatabaseHosts {
  hosts: DatabaseHost[];
  tls: DatabaseTls;
  /** The URL with its first host only and without TLS parameters, as `pg` reads it. */
  url: string;
}

const DEFAULT_PORT = 5432;

/** Scheme and credentials; hosts; path and parameters. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;
const HOST_PARTS = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/;

/** The values of `target_session_attrs` that name the server which accepts writes. */
const WRITABLE_SERVER = ['read-write', 'primary'];

/**
 * Returns the hosts of a URL such as `postgres://USER@h1,h2:5433/map` (libpq, section "Specifying
 * Multiple Hosts").
 * @returns undefined for a URL that is malformed, that has wrong TLS parameters, or that asks for a
 * server without writes
 */
export function parseDatabaseHosts(databaseUrl: string): DatabaseHosts | undefined {
  const [, start, authority, rest] = URL_PARTS.exec(databaseUrl) ?? [];
  if (start === undefined || authority === undefined || rest === undefined) return undefined;
  const names = authority.split(',');
  const hosts = names.map(parseHost);
  const url = start + names[0]! + rest;
  if (!hosts.every((host) => host !== undefined) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const target = parsed.searchParams.get('target_session_attrs');
  const tls = parseDatabaseTls(parsed);
  if (!tls || (target !== null && !WRITABLE_SERVER.includes(target))) return undefined;
  for (const name of TLS_PARAMETERS) parsed.searchParams.delete(name);
  return { hosts, tls, url: parsed.href };
}

function parseHost(text: string): DatabaseHost | undefined {
  const [, name, port] = HOST_PARTS.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { host: name.replace(/^\[|\]$/g, ''), port: port === undefined ? DEFAULT_PORT : Number(port) };
}
/** How a connection to PostgreSQL uses TLS, as `sslmode` of libpq. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** The TLS parameters of a database URL. */
export interface DatabaseTls {
  mode: (typeof TLS_MODES)[number];
  /** Path of the certificates that verify the server; undefined for those of Node.js. */
  rootCertificates?: string | undefined;
  /** Paths of the client certificate and its key. */
  client?: { certificate: string; key: string } | undefined;
}

/** The value of `sslrootcert` that means the public certificate authorities. */
const SYSTEM_ROOTS = 'system';

/** The parameters of a database URL that concern TLS. */
export const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/**
 * Returns the TLS parameters of a URL. They mean the same as in libpq (section "SSL Support"), with
 * two differences: without `sslmode`, TLS is not used; and without `sslrootcert`, `verify-full`
 * trusts the certificate authorities of Node.js.
 * @returns undefined if a parameter is unknown or wrong
 */
export function parseDatabaseTls({ searchParams }: URL): DatabaseTls | undefined {
  const names = [...searchParams.keys()].filter((name) => name.startsWith('ssl'));
  if (!names.every((name) => TLS_PARAMETERS.includes(name)) || new Set(names).size < names.length) return undefined;
  const [mode = 'disable', roots, certificate, key] = TLS_PARAMETERS.map((name) => searchParams.get(name) || undefined);
  const knownMode = TLS_MODES.find((known) => known === mode);
  if (!knownMode || (certificate === undefined) !== (key === undefined)) return undefined;
  if (knownMode === 'verify-ca' && roots === undefined) return undefined;
  if (roots === SYSTEM_ROOTS && knownMode !== 'verify-full') return undefined;
  return {
    mode: knownMode,
    rootCertificates: roots === SYSTEM_ROOTS ? undefined : roots,
    client: certificate === undefined || key === undefined ? undefined : { certificate, key },
  };
}
