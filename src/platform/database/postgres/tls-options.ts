import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { DatabaseTls } from '../../config/database-url.js';
import { SettingsError } from '../../config/secret-files.js';

/**
 * Reads the certificates of a database URL.
 * @returns the TLS options of `pg`; false for connections without TLS. `pg` adds the host, whose
 * name the certificate must contain with `verify-full`.
 * @throws SettingsError if a file cannot be read
 */
export function readTlsOptions({ mode, rootCertificates, client }: DatabaseTls): ConnectionOptions | false {
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
