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

/** The rule that `parseDatabaseTls` checks, as a part of an error message. */
export const DATABASE_TLS_RULE =
  'sslmode can be disable, require, verify-ca (with sslrootcert) or verify-full, and sslcert needs sslkey';

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
