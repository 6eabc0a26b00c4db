import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { runCli } from '../support/run-command.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { CertificateAuthority } from '../support/tls-certificates.js';

/** The server accepts only TLS. The role `walker` needs a client certificate. */
const ACCESS_RULES = `
hostssl all walker all cert
hostssl all all all trust
`;

describe('TLS to PostgreSQL', () => {
  let cluster: PostgresCluster;
  let folders: TempFolder[];
  let authority: CertificateAuthority;
  let otherAuthority: CertificateAuthority;

  beforeAll(async () => {
    folders = await Promise.all([createTempFolder(), createTempFolder()]);
    cluster = await PostgresCluster.start();
    [authority, otherAuthority] = (await Promise.all(folders.map(({ path }) => CertificateAuthority.create(path)))) as [
      CertificateAuthority,
      CertificateAuthority,
    ];
    const server = await authority.issue('server', 'subjectAltName=DNS:localhost');
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    await client.query('CREATE ROLE walker LOGIN');
    for (const [name, value] of [
      ['ssl_cert_file', server.certificate],
      ['ssl_key_file', server.key],
      ['ssl_ca_file', authority.certificate],
      ['ssl', 'on'],
    ])
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    const { rows } = await client.query<{ hba_file: string }>('SHOW hba_file');
    await writeFile(rows[0]!.hba_file, ACCESS_RULES);
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  });
  afterAll(async () => {
    await cluster.drop();
    for (const { remove } of folders) await remove();
  });

  /** Returns the URL of the server by the name of its certificate, unless another host is given. */
  const buildUrl = (parameters: Record<string, string>, host = 'localhost', user = 'postgres'): string => {
    const { port } = new URL(cluster.url);
    return `postgres://${user}:hidden-value@${host}:${port}/postgres?${new URLSearchParams(parameters)}`;
  };

  /** Connects as the service does. @returns whether the connection uses TLS, and its certificate */
  const connect = async (url: string): Promise<unknown> => {
    const source = await new DataSource(createOrmConfig(url, 'write')).initialize();
    const sql = 'SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const [row] = await source.query<unknown[]>(sql).finally(() => source.destroy());
    return row;
  };

  const ENCRYPTED = { ssl: true, client_dn: null };

  it('encrypts with sslmode=require, for any name and certificate', async () => {
    expect(await connect(buildUrl({ sslmode: 'require' }, '127.0.0.1'))).toEqual(ENCRYPTED);
  });

  it('verifies the certificate with sslmode=require and sslrootcert, and with verify-ca', async () => {
    for (const sslmode of ['require', 'verify-ca']) {
      const { certificate } = authority;
      expect(await connect(buildUrl({ sslmode, sslrootcert: certificate }, '127.0.0.1'))).toEqual(ENCRYPTED);
      const other = buildUrl({ sslmode, sslrootcert: otherAuthority.certificate });
      await expect(connect(other)).rejects.toThrow(/DATABASE_URL at localhost:\d+: .*certificate/);
    }
  });

  it('verifies the certificate and the name with verify-full', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: authority.certificate };
    expect(await connect(buildUrl(parameters))).toEqual(ENCRYPTED);
  });

  it.each([
    ['an unknown authority', 'localhost', /certificate/],
    ['another name', '127.0.0.1', /IP: 127\.0\.0\.1 is not in the cert's list/],
  ])('rejects %s with verify-full, in one sentence without the password', async (_, host, reason) => {
    const roots = host === 'localhost' ? otherAuthority : authority;
    const { code, stderr } = await runCli(
      buildUrl({ sslmode: 'verify-full', sslrootcert: roots.certificate }, host),
      'migrate',
    );
    expect(code).toBe(3);
    const { error } = JSON.parse(stderr) as { error: string };
    expect(error).toMatch(/^No connection to the database of DATABASE_URL at [^\n]+$/);
    expect(error).toMatch(reason);
    expect(stderr).not.toContain('hidden-value');
  });

  it('verifies the name of each host of a list', async () => {
    const { port } = new URL(cluster.url);
    const parameters = { sslmode: 'verify-full', sslrootcert: authority.certificate };
    expect(await connect(buildUrl(parameters, `127.0.0.1:${port},localhost`))).toEqual(ENCRYPTED);
    await expect(connect(buildUrl(parameters, `127.0.0.1:${port},127.0.0.1`))).rejects.toThrow(
      /^No host of DATABASE_URL accepts writes: 127\.0\.0\.1:\d+: .*not in the cert's list.*; 127\.0\.0\.1:/,
    );
  });

  it('authenticates with a client certificate', async () => {
    const { certificate, key } = await authority.issue('walker');
    const parameters = { sslmode: 'verify-full', sslrootcert: authority.certificate };
    const url = buildUrl({ ...parameters, sslcert: certificate, sslkey: key }, 'localhost', 'walker');
    expect(await connect(url)).toEqual({ ssl: true, client_dn: '/CN=walker' });
    await expect(connect(buildUrl(parameters, 'localhost', 'walker'))).rejects.toThrow(
      /connection requires a valid client certificate/,
    );
  });

  it.each(['', 'disable'])('does not encrypt with sslmode=%s', async (sslmode) => {
    await expect(connect(buildUrl({ sslmode }))).rejects.toThrow(/no pg_hba\.conf entry .*no encryption/);
  });

  it('names the setting and the host when nothing or a frozen server responds', async () => {
    const away = await runCli('postgres://map:hidden-value@127.0.0.1:1/map', 'migrate');
    expect(away).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        '"No connection to the database of DATABASE_URL at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1"',
      ),
    });
    await cluster.suspend();
    const frozen = await runCli(buildUrl({}, '127.0.0.1'), 'migrate').finally(() => cluster.resume());
    expect(frozen.code).toBe(3);
    expect(frozen.stderr).toMatch(/^\{"error":"No connection to the database of DATABASE_URL at 127\.0\.0\.1:\d+: /);
  });
});
