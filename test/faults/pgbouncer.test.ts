import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { runInTransaction } from '../../src/platform/database/run-in-transaction.js';
import { authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, createMarker, issueAccessToken, registerApp } from '../support/factories.js';
import { PgBouncer } from '../support/pgbouncer.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { issueChains } from '../support/refresh-token-chain.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-folder.js';
import { CertificateAuthority } from '../support/tls-certificates.js';
import { TestServer } from '../support/test-server.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { verifyChains } from '../support/verify-chains.js';

/** A statement is cut off after 10 seconds, and its connection is destroyed one second later. */
const MAX_STATEMENT_MS = 12_000;

describe('The service behind PgBouncer in transaction mode', () => {
  let cluster: PostgresCluster;
  let bouncer: PgBouncer;
  /** A direct connection to the server. */
  let client: pg.Client;

  beforeAll(async () => {
    cluster = await PostgresCluster.start();
    bouncer = await PgBouncer.start(cluster.url);
    client = new pg.Client({ connectionString: cluster.url, application_name: 'test' });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await bouncer.stop();
    await cluster.drop();
  });

  const openSource = (url = bouncer.url): Promise<DataSource> =>
    new DataSource(createOrmConfig(url, 'write')).initialize();

  /** Waits until no session sleeps. A canceled one reports its error before it is idle. */
  const waitUntilNoneSleeps = async (): Promise<void> => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`;
    while ((await client.query(sql)).rowCount! > 0);
  };

  it('migrates, authorizes an app, and serves the map', async () => {
    const server = await TestServer.start({ DATABASE_URL: bouncer.url });
    const app = await registerApp(server);
    const browser = await openSignedInBrowser(server, await createAccount(server));
    const { body: tokens } = await authorizeApp(server, app, browser);
    expect((await refreshTokens(server, app, tokens.refresh_token)).status).toBe(200);

    const [member, moderator] = await Promise.all([
      issueAccessToken(server),
      createAccount(server, { role: 'moderator' }).then((account) => issueAccessToken(server, undefined, account)),
    ]);
    const { id, version } = await createMarker(server, { title: 'Echo Wall' });
    const edit = { type: 'update', targetType: 'artwork', targetId: id, baseVersion: version, changes: { year: 2020 } };
    const suggested = await server.request('POST', '/api/edits', { token: member, body: edit });
    expect(suggested.status).toBe(201);
    const accept = `/api/edits/${suggested.body.id}/accept`;
    const accepted = await server.request('POST', accept, { token: moderator, body: {} });
    expect(accepted.status).toBe(200);
    const paths = [
      `/api/markers/${id}`,
      '/api/markers?q=echo',
      '/api/markers/clusters?bbox=4,51,6,53&zoom=8',
      '/api/markers/changes',
    ];
    const reads = await Promise.all(paths.map((path) => server.request('GET', path, { token: member })));
    expect(reads.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(reads[0]!.body).toMatchObject({ title: 'Echo Wall', year: 2020 });
    expect(reads[1]!.body.data).toHaveLength(1);
    await server.stop();
  });

  it('cuts off a statement after 10 seconds, in and outside of a transaction', async () => {
    const source = await openSource();
    const started = performance.now();
    const results = await Promise.allSettled([
      source.query('SELECT pg_sleep(3600)'),
      runInTransaction(source, (runner) => runner.query('SELECT pg_sleep(3600)')),
    ]);
    expect(performance.now() - started).toBeLessThan(MAX_STATEMENT_MS);
    expect(results).toEqual(
      results.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: '57014' }) })),
    );
    await waitUntilNoneSleeps();
    await source.destroy();
  });

  it('sends cancel requests with TLS where PgBouncer requires TLS', async () => {
    const folder = await createTempFolder();
    const authority = await CertificateAuthority.create(folder.path);
    const { certificate, key } = await authority.issue('bouncer', 'subjectAltName=IP:127.0.0.1');
    const settings = { client_tls_sslmode: 'require', client_tls_cert_file: certificate, client_tls_key_file: key };
    const encrypted = await PgBouncer.start(cluster.url, settings);
    await expect(openSource(encrypted.url)).rejects.toThrow(/^No connection to the database of DATABASE_URL at /);
    const source = await openSource(encrypted.buildUrl({ sslmode: 'verify-full', sslrootcert: authority.certificate }));
    await expect(source.query('SELECT pg_sleep(3600)')).rejects.toMatchObject({ code: '57014' });
    await waitUntilNoneSleeps();
    await source.destroy();
    await encrypted.stop();
    await folder.remove();
  });

  it('leaves no timeout in a session that other clients use', async () => {
    const source = await openSource();
    await runInTransaction(source, (runner) => runner.query('SELECT 1'));
    const other = new pg.Client({ connectionString: bouncer.url });
    await other.connect();
    const { rows } = await other.query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '0' }]);
    await other.end();
    await source.destroy();
  });

  it('loses no token when several processes refresh', async () => {
    const chains = await issueChains({ url: bouncer.url, drop: () => Promise.resolve() }, 8);
    const servers = await Promise.all([1, 2].map(() => startWorkers(bouncer.url)));
    const urls = servers.map(({ url }) => url);
    const load = new RefreshLoad(chains, urls);
    await load.waitForTokens(200);
    expect((await load.stop()).map((outcome) => (typeof outcome === 'string' ? outcome : outcome.status))).toEqual(
      chains.map(() => 200),
    );
    expect(await verifyChains(chains, urls[0]!, cluster.url)).toBe(true);
    await Promise.all(servers.map((server) => server.stop()));
    for (const chain of chains) chain.close();
  });

  it('opens at most DATABASE_POOL connections, from its start and under load', async () => {
    const fresh = await PostgresCluster.start();
    const counter = await ConnectionCounter.start(fresh.url);
    const folder = await createTempFolder();
    const server = await ServerProcess.start(folder.path, {
      ...TEST_SETTINGS,
      DATABASE_URL: fresh.url,
      DATABASE_POOL: '3',
      DEMO_DATA: 'off',
      PGAPPNAME: 'limited',
    });
    const chains = await issueChains(fresh, 8);
    const load = new RefreshLoad(chains, [server.url]);
    await load.waitForTokens(20);
    await Promise.all(Array.from({ length: 40 }, () => fetch(`${server.url}/health/ready`)));
    await load.waitForMoreTokens(100);
    await load.stop();
    expect(await counter.stop()).toBe(3);
    await server.stop();
    for (const chain of chains) chain.close();
    await fresh.drop();
    await folder.remove();
  });
});

/** Starts the service with two workers. */
function startWorkers(databaseUrl: string): Promise<ServerProcess> {
  const environment = {
    ...TEST_SETTINGS,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '5',
    DEMO_DATA: 'off',
    WORKERS: '2',
  };
  return ServerProcess.start('/', environment);
}

/** Counts the sessions of the application `limited` all the time. */
class ConnectionCounter {
  private isStopped = false;
  private readonly highest: Promise<number>;

  private constructor(private readonly client: pg.Client) {
    this.highest = this.run();
  }

  static async start(url: string): Promise<ConnectionCounter> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new ConnectionCounter(client);
  }

  /** @returns the highest number of sessions at the same time */
  async stop(): Promise<number> {
    this.isStopped = true;
    return this.highest.finally(() => this.client.end());
  }

  private async run(): Promise<number> {
    const sql = `SELECT count(*)::integer AS sessions FROM pg_stat_activity WHERE application_name = 'limited'`;
    let highest = 0;
    while (!this.isStopped) {
      const { rows } = await this.client.query<{ sessions: number }>(sql);
      highest = Math.max(highest, rows[0]!.sessions);
    }
    return highest;
  }
}
