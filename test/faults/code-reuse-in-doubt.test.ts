import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import {
  createAuthorizationRequest,
  exchangeCode,
  grantConsent,
  openSignedInBrowser,
  parseRedirectParams,
} from '../support/authorization-flow.js';
import { createAccount, registerApp } from '../support/factories.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const POLL_INTERVAL_MS = 20;

/** The session whose commit of a code exchange waits for the standby. */
const WAITING_COMMIT = `
  SELECT pid FROM pg_stat_activity JOIN pg_locks USING (pid)
  WHERE wait_event = 'SyncRep' AND relation = 'authorization_codes'::regclass AND mode = 'RowExclusiveLock'`;

/** The session that waits for a row that the commit has locked. */
const WAITING_EXCHANGE = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

describe('A code that is used again while its first exchange is in doubt', () => {
  let database: PostgresCluster;
  let server: TestServer;

  beforeEach(async () => {
    database = await PostgresCluster.start();
    server = await TestServer.start({ DATABASE_URL: database.url });
  });
  afterEach(async () => {
    await server.stop();
    await database.drop();
  });

  const configure = (statement: string): Promise<unknown> =>
    database.execute(`ALTER SYSTEM ${statement}`, 'SELECT pg_reload_conf()');
  const waitForRow = async (statement: string): Promise<void> => {
    while ((await database.execute(statement)).length === 0) await sleep(POLL_INTERVAL_MS);
  };

  it('stays used, and its chain ends', async () => {
    const app = await registerApp(server);
    const browser = await openSignedInBrowser(server, await createAccount(server));
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const { code } = parseRedirectParams(await grantConsent(browser, path));
    const exchange = (): Promise<TestResponse> => exchangeCode(server, app, code, codeVerifier);

    await configure("SET synchronous_standby_names = 'missing'");
    const first = exchange();
    await waitForRow(WAITING_COMMIT);
    const second = exchange();
    await waitForRow(WAITING_EXCHANGE);
    await database.execute(`SELECT pg_terminate_backend(pid) FROM (${WAITING_COMMIT}) AS waiting`);
    await configure('RESET synchronous_standby_names');

    const rejected = {
      status: 400,
      body: { error: 'invalid_grant', error_description: expect.stringMatching(/used/) },
    };
    expect([await first, await second]).toMatchObject([rejected, rejected]);
    await server.stop(); // undoes each commit that it must undo
    server = await TestServer.start({ DATABASE_URL: database.url });
    expect(await exchange()).toMatchObject(rejected);
    const [{ revokedAt } = {}, ...others] = await server.entityManager.find(Authorization);
    expect({ revokedAt, others }).toEqual({ revokedAt: expect.any(Date), others: [] });
  });
});
