import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { isPostgres } from '../support/database.js';
import { createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { ServerCluster } from '../support/server-cluster.js';
import { sendRequest, TestServer } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';

const ROUND_COUNT = 50;
const CONCURRENT_REQUEST_COUNT = 20;

/**
 * Sends one refresh token concurrently, then refreshes the winner's new token.
 * @returns the last token
 */
async function refreshConcurrently(
  servers: { url: string }[],
  app: Pick<TestApp, 'credentials'>,
  token: string,
): Promise<string> {
  const requests = Array.from({ length: CONCURRENT_REQUEST_COUNT }, (_, index) =>
    refreshTokens(servers[index % servers.length]!, app, token),
  );
  const responses = await Promise.all(requests);
  const winners = responses.filter(({ status }) => status === 200);
  const losers = responses.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant');
  expect({ winners: winners.length, losers: losers.length }).toEqual({
    winners: 1,
    losers: CONCURRENT_REQUEST_COUNT - 1,
  });
  const next = await refreshTokens(servers.at(-1)!, app, winners[0]!.body.refresh_token as string);
  expect(next.status).toBe(200);
  return next.body.refresh_token as string;
}

describe(`${CONCURRENT_REQUEST_COUNT} concurrent refreshes of one token (spec §8)`, () => {
  describe('in one process', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await TestServer.start();
    });
    afterAll(() => server.stop());

    it(`accepts one request in each of ${ROUND_COUNT} rounds, and accepts the winner's new token`, async () => {
      const app = await registerApp(server);
      let token = (await issueTokens(server, { ...app, account: await createAccount(server) })).refresh_token;
      for (let round = 0; round < ROUND_COUNT; round++) token = await refreshConcurrently([server], app, token);
    });

    it('accepts one request per chain when many chains refresh concurrently', async () => {
      const app = await registerApp(server);
      const chains = await Promise.all(
        Array.from({ length: 8 }, async () => issueTokens(server, { ...app, account: await createAccount(server) })),
      );
      await Promise.all(chains.map(({ refresh_token }) => refreshConcurrently([server], app, refresh_token)));
    });
  });

  describe.each(isPostgres ? [2, 4] : [2])('in %i processes on one database', (count) => {
    let cluster: ServerCluster;
    let app: TestApp;
    let account: Account;
    let token: string;

    beforeAll(async () => {
      cluster = await ServerCluster.start({ processes: count });
      app = await registerApp(cluster.testServer);
      account = await createAccount(cluster.testServer);
      token = await issueRefreshToken();
    });
    afterAll(() => cluster.stop());

    const issueRefreshToken = async (): Promise<string> =>
      (await issueTokens(cluster.testServer, { ...app, account })).refresh_token;

    it(`accepts one request in each of ${ROUND_COUNT} rounds, and accepts the winner's new token in another process`, async () => {
      for (let round = 0; round < ROUND_COUNT; round++)
        token = await refreshConcurrently(cluster.processes, app, token);
    });

    it('accepts one request per chain when many chains refresh concurrently in all processes', async () => {
      const chains: string[] = [];
      for (let chain = 0; chain < 6; chain++) chains.push(await issueRefreshToken());
      for (let round = 0; round < 5; round++) {
        const next = await Promise.all(chains.map((one) => refreshConcurrently(cluster.processes, app, one)));
        chains.splice(0, chains.length, ...next);
      }
    });

    it('ends the chain of a public client when a used token is presented concurrently', async () => {
      const publicApp = await registerApp(cluster.testServer, { clientType: 'public' });
      const first = (await issueTokens(cluster.testServer, { ...publicApp, account })).refresh_token;
      const last = await refreshConcurrently(cluster.processes, publicApp, first);
      const reuses = await Promise.all(
        Array.from({ length: CONCURRENT_REQUEST_COUNT }, (_, index) =>
          refreshTokens(cluster.processes[index % count]!, publicApp, first),
        ),
      );
      expect(reuses.map(({ body }) => body.error)).toEqual(reuses.map(() => 'invalid_grant'));
      const { body } = await refreshTokens(cluster.processes[0]!, publicApp, last);
      expect(body).toMatchObject({ error: 'invalid_grant', error_description: expect.stringMatching(/revoked/) });
    });

    it('leaves a public client no valid token when it reuses an old one while it refreshes the last', async () => {
      const publicApp = await registerApp(cluster.testServer, { clientType: 'public' });
      for (let round = 0; round < 10; round++) {
        const first = (await issueTokens(cluster.testServer, { ...publicApp, account })).refresh_token;
        const last = await refreshConcurrently(cluster.processes, publicApp, first);
        const responses = await Promise.all(
          Array.from({ length: CONCURRENT_REQUEST_COUNT }, (_, index) =>
            refreshTokens(cluster.processes[index % count]!, publicApp, (index >> 1) % 2 ? first : last),
          ),
        );
        const issued = responses.flatMap(({ status, body }) => (status === 200 ? [body.refresh_token as string] : []));
        expect(issued.length).toBeLessThanOrEqual(1);
        for (const refreshToken of [last, ...issued]) {
          const { status, body } = await refreshTokens(cluster.processes[0]!, publicApp, refreshToken);
          expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
        }
      }
    });

    it('verifies an access token of one process in all processes', async () => {
      const { access_token } = (await refreshTokens(cluster.serverProcess, app, token)).body;
      const responses = await Promise.all(
        cluster.urls.map((url) => sendRequest(url, 'GET', '/api/markers', { token: access_token as string })),
      );
      expect(responses.map(({ status }) => status)).toEqual(cluster.urls.map(() => 200));
    });
  });
});
