import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NOBODY_UID, isRoot } from './postgres-cluster.js';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

/** A private certificate authority, with `openssl`, for one test. */
export class CertificateAuthority {
  private constructor(private readonly folder: string) {}

  /** @param folder an existing folder; it gets the files */
  static async create(folder: string): Promise<CertificateAuthority> {
    const authority = new CertificateAuthority(folder);
    await chmod(folder, 0o755);
    await runOpenssl([...NEW_KEY, ...authority.files('ca'), '-subj', '/CN=Test CA']);
    return authority;
  }

  /** The path of the certificate that verifies the others. */
  get certificate(): string {
    return join(this.folder, 'ca.crt');
  }

  /**
   * Issues a certificate that the test's servers can read.
   * @param subject its common name
   * @param extension for example `subjectAltName=DNS:localhost`
   */
  async issue(
    subject: string,
    extension = 'extendedKeyUsage=clientAuth',
  ): Promise<{ certificate: string; key: string }> {
    const issuer = ['-CA', this.certificate, '-CAkey', join(this.folder, 'ca.key')];
    await runOpenssl([...NEW_KEY, ...issuer, ...this.files(subject), '-subj', `/CN=${subject}`, '-addext', extension]);
    const [key, certificate] = ['key', 'crt'].map((ending) => join(this.folder, `${subject}.${ending}`)) as [
      string,
      string,
    ];
    if (isRoot()) await chown(key, NOBODY_UID, NOBODY_UID);
    return { certificate, key };
  }

  private files(name: string): string[] {
    return ['-keyout', join(this.folder, `${name}.key`), '-out', join(this.folder, `${name}.crt`)];
  }
}

async function runOpenssl(args: string[]): Promise<void> {
  await promisify(execFile)('openssl', ['req', '-x509', ...args]);
}
