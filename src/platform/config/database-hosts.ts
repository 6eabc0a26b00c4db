import { type DatabaseTls, parseDatabaseTls, TLS_PARAMETERS } from './database-tls.js';

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
