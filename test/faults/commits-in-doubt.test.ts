import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  authorizeApp,
  createAuthorizationRequest,
  exchangeCode,
  grantConsent,
  openSignedInBrowser,
  parseRedirectParams,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { PostgresPair } from '../support/postgres-pair.js';
import { ServerProcess } from '../support/server-process.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { refreshTokens, revokeToken } from '../support/token-endpoint.js';

const POLL_INTERVAL_MS = 20;

/** Enough connections for the requests beside the commits of scheduled tasks, which wait too. */
const DATABASE_POOL = '30';

/**
 * Selects a row when the commits of a refresh, a code exchange and a revocation wait for the
 * standby. The code exchange writes to all three tables.
 */
const SELECT_WAITING_COMMITS = `
  SELECT 1 FROM pg_stat_activity JOIN pg_locks USING (pid)
  WHERE wait_event = 'SyncRep' AND mode = 'RowExclusiveLock'
  HAVING count(DISTINCT pid) FILTER (WHERE relation = 'authorization_codes'::regclass) > 0
    AND count(DISTINCT pid) FILTER (WHERE relation = 'refresh_tokens'::regclass) > 1
    AND count(DISTINCT pid) FILTER (WHERE relation = 'authorizations'::regclass) > 1`;

/** Makes commits wait, and decides whether the standby has them when the primary is killed. */
const OUTCOMES: [outcome: string, holdCommits: (pair: PostgresPair) => Promise<unknown>][] = [
  [
    'kept',
    async ({ primary, standby }): Promise<void> => {
      await standby.execute('SELECT pg_wal_replay_pause()');
      await primary.execute("ALTER SYSTEM SET synchronous_commit = 'remote_apply'", 'SELECT pg_reload_conf()');
    },
  ],
  ['lost', ({ standby }): Promise<void> => standby.kill()],
];

describe('Commits in doubt', () => {
  let pair: PostgresPair;
  let server: ServerProcess;
  let app: TestApp;
  let refreshToken: string;
  let revocableToken: string;
  let code: { value: string; codeVerifier: string };

  beforeEach(async () => {
    pair = await PostgresPair.start();
    const testServer = await TestServer.start({ DATABASE_URL: pair.url });
    app = await registerApp(testServer);
    const browser = await openSignedInBrowser(testServer, await createAccount(testServer));
    const authorize = async (): Promise<string> =>
      (await authorizeApp(testServer, app, browser, { prompt: 'consent' })).body.refresh_token;
    [refreshToken, revocableToken] = [await authorize(), await authorize()];
    const { path, codeVerifier } = createAuthorizationRequest(app, { prompt: 'consent' });
    code = { value: parseRedirectParams(await grantConsent(browser, path)).code!, codeVerifier };
    await testServer.stop();
    server = await ServerProcess.startOn(pair.url, [], { DATABASE_POOL });
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    await pair.drop();
  });

  const sendAll = (): Promise<TestResponse[]> =>
    Promise.all([
      refreshTokens(server, app, refreshToken),
      exchangeCode(server, app, code.value, code.codeVerifier),
      revokeToken(server, app, revocableToken),
    ]);

  /**
   * Sends all requests, and kills the primary while their commits wait for the standby.
   * @returns the responses, which arrive later
   */
  const sendAndKillPrimary = async (
    holdCommits: (pair: PostgresPair) => Promise<unknown>,
  ): Promise<{ responses: Promise<TestResponse[]> }> => {
    await holdCommits(pair);
    const responses = sendAll();
    while ((await pair.primary.execute(SELECT_WAITING_COMMITS)).length === 0) await sleep(POLL_INTERVAL_MS);
    await pair.primary.kill();
    return { responses };
  };

  const promote = async (): Promise<void> => {
    if (!pair.standby.isRunning) await pair.standby.restart();
    await pair.promote();
  };

  /** Sends all requests until the service has found the new primary. */
  const sendUntilAvailable = async (): Promise<TestResponse[]> => {
    for (;;) {
      const responses = await sendAll();
      if (!responses.some(({ status }) => status === 503)) return responses;
    }
  };

  /** Expects two chains that continue, of which one ends with its code, and one that ended. */
  const expectCompleted = async ([refreshed, exchanged, revoked]: TestResponse[]): Promise<void> => {
    expect([refreshed!.status, exchanged!.status, revoked!.status]).toEqual([200, 200, 200]);
    const next = await Promise.all(
      [refreshed!, exchanged!].map(({ body }) => refreshTokens(server, app, body.refresh_token as string)),
    );
    expect(next.map(({ status }) => status)).toEqual([200, 200]);
    const reused = await exchangeCode(server, app, code.value, code.codeVerifier);
    const ended = [refreshToken, revocableToken, next[1]!.body.refresh_token as string];
    const rejected = [reused, ...(await Promise.all(ended.map((token) => refreshTokens(server, app, token))))];
    expect(rejected.map(({ body }) => body.error)).toEqual(rejected.map(() => 'invalid_grant'));
  };

  describe.each(OUTCOMES)('that the failover has %s', (_, holdCommits) => {
    it('end with success when the standby is promoted soon', async () => {
      const { responses } = await sendAndKillPrimary(holdCommits);
      await promote();
      await expectCompleted(await responses);
    });

    it('end with 503 when it is promoted late, and a retry with the same values succeeds', async () => {
      const { responses } = await sendAndKillPrimary(holdCommits);
      expect((await responses).map(({ status }) => status)).toEqual([503, 503, 503]);
      await promote();
      await expectCompleted(await sendUntilAvailable());
    });
  });
});
