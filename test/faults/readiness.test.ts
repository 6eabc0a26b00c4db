import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { FaultScenario } from '../support/fault-scenario.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { TestServer } from '../support/test-server.js';

/** Milliseconds within which the service is unready after the first commit that waits. */
const UNREADY_TIMEOUT_MS = 15_000;

/** Milliseconds within which a health check must get a response. */
const RESPONSE_TIMEOUT_MS = 5_000;

/** Milliseconds after which the service closes the connection of a commit that waits. */
const COMMIT_TIMEOUT_MS = 11_000;

const POLL_INTERVAL_MS = 200;

const UNREADY = {
  status: 503,
  body: expect.objectContaining({
    status: 'error',
    info: {
      disk: { status: 'up', responseTime: expect.any(Number) },
      clock: { status: 'up', responseTime: expect.any(Number) },
    },
    error: { database: { status: 'down', message: expect.any(String), responseTime: expect.any(Number) } },
  }),
};

describe('/health/ready on PostgreSQL', () => {
  let scenario: FaultScenario<PostgresCluster>;

  beforeEach(async () => {
    scenario = await FaultScenario.start(() => PostgresCluster.start(), 1);
    await waitForStatus(200);
  });
  afterEach(() => scenario.stop());

  const readReadiness = async (): Promise<{ status: number; body: unknown }> => {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(`${scenario.server.url}/health/ready`, { signal });
    return { status: response.status, body: await response.json() };
  };
  /** Asks like a load balancer, without other requests, until the status is as expected. */
  const waitForStatus = async (expected: number): Promise<void> => {
    while ((await readReadiness()).status !== expected) await sleep(POLL_INTERVAL_MS);
  };
  const configure = async (statement: string): Promise<void> => {
    await scenario.database.execute(`ALTER SYSTEM ${statement}`, 'SELECT pg_reload_conf()');
  };
  const countBackends = async (condition: string): Promise<number> => {
    const rows = await scenario.database.execute(`SELECT FROM pg_stat_activity WHERE ${condition}`);
    return rows.length;
  };

  it('is 503 while the server is in recovery, and 200 after the promotion', async () => {
    await scenario.database.kill();
    await scenario.database.restartInRecovery();
    await waitForStatus(503);
    expect(await readReadiness()).toEqual(UNREADY);
    await scenario.database.execute('SELECT pg_promote()');
    await waitForStatus(200);
  });

  it('is 503 while the server is read-only', async () => {
    await configure('SET default_transaction_read_only = on');
    await waitForStatus(503);
    expect(await readReadiness()).toEqual(UNREADY);
    await configure('RESET default_transaction_read_only');
    await waitForStatus(200);
  });

  it(`is 503 within ${UNREADY_TIMEOUT_MS / 1000} s of the first commit that waits, and 200 when commits succeed`, async () => {
    await configure("SET synchronous_standby_names = 'missing'");
    const refresh = scenario.chains[0]!.refresh(scenario.server.url);
    while ((await countBackends("wait_event = 'SyncRep'")) === 0) await sleep(POLL_INTERVAL_MS);
    const waitsSince = performance.now();
    await waitForStatus(503);
    expect(performance.now() - waitsSince).toBeLessThan(UNREADY_TIMEOUT_MS);
    expect(await readReadiness()).toEqual(UNREADY);
    await configure('RESET synchronous_standby_names');
    await waitForStatus(200);
    await refresh;
  });
});

describe('The write of /health/ready', () => {
  let postgres: PostgresCluster;
  let server: TestServer;

  beforeEach(async () => {
    postgres = await PostgresCluster.start();
    server = await TestServer.start({ DATABASE_URL: postgres.url }); // it runs no tasks that commit
  });
  afterEach(async () => {
    await server.stop();
    await postgres.drop();
  });

  const readStatus = async (): Promise<number> => (await server.request('GET', '/health/ready')).status;
  const countBackends = async (condition: string): Promise<number> =>
    (await postgres.execute(`SELECT FROM pg_stat_activity WHERE ${condition}`)).length;

  it('is one that waits while commits wait, and none after the service closed its connection', async () => {
    await postgres.execute("ALTER SYSTEM SET synchronous_standby_names = 'missing'", 'SELECT pg_reload_conf()');
    while ((await readStatus()) !== 503);
    const waitsSince = performance.now();
    while (performance.now() - waitsSince < 2 * COMMIT_TIMEOUT_MS) {
      expect(await readStatus()).toBe(503);
      expect(await countBackends("wait_event = 'SyncRep'")).toBe(1);
      await sleep(POLL_INTERVAL_MS);
    }
    await postgres.execute('ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()');
    while ((await readStatus()) !== 200) await sleep(POLL_INTERVAL_MS);
  });

  it('does not wait for a transaction that waits for a lock', async () => {
    const lockSql = 'LOCK TABLE accounts IN EXCLUSIVE MODE';
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(lockSql);
    const waiting = server.get(TransactionService).run((tx) => tx.query(lockSql));
    const waitsLong = "wait_event_type = 'Lock' AND query_start < clock_timestamp() - interval '3 seconds'";
    while ((await countBackends(waitsLong)) === 0) expect(await readStatus()).toBe(200);
    expect(await readStatus()).toBe(200);
    await holder.query('COMMIT');
    await waiting;
    await holder.end();
  });
});
