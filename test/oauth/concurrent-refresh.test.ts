import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenResponse } from '../../src/identity/oauth/token-response.dto.js';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { runCli, createTempFolder, ServerProcess } from '../support/server-process.js';
import { TestServer } from '../support/test-server.js';

const ROUND_COUNT = 50;
const CONCURRENT_REQUEST_COUNT = 20;

interface RefreshResponse {
  status: number;
  body: { error?: string; refresh_token?: string };
}

async function refreshToken(
  url: string,
  credentials: TestApp['credentials'],
  refresh_token: string,
): Promise<RefreshResponse> {
  const response = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'refresh_token', refresh_token, ...credentials }),
  });
  return { status: response.status, body: (await response.json()) as RefreshResponse['body'] };
}

/** Refreshes one token many times at once at these addresses, and then what the winner got. @returns the last token */
async function refreshConcurrently(
  urls: string[],
  credentials: TestApp['credentials'],
  token: string,
): Promise<string> {
  const racing = Array.from({ length: CONCURRENT_REQUEST_COUNT }, (_, at) =>
    refreshToken(urls[at % urls.length]!, credentials, token),
  );
  const answers = await Promise.all(racing);
  const winners = answers.filter(({ status }) => status === 200);
  const losers = answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant');
  expect({ winners: winners.length, losers: losers.length }).toEqual({
    winners: 1,
    losers: CONCURRENT_REQUEST_COUNT - 1,
  });
  const next = await refreshToken(urls.at(-1)!, credentials, winners[0]!.body.refresh_token!);
  expect(next.status).toBe(200);
  return next.body.refresh_token!;
}

describe(`${CONCURRENT_REQUEST_COUNT} simultaneous refreshes of one token (spec §8): only one succeeds`, () => {
  describe('in one process', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await TestServer.start();
    });
    afterAll(() => server.stop());

    it(`in each of ${ROUND_COUNT} rounds, and the winner's new token works`, async () => {
      const { app, credentials } = await registerApp(server);
      let token = (await issueTokens(server, { app, account: await createAccount(server) })).refresh_token;
      for (let round = 0; round < ROUND_COUNT; round++)
        token = await refreshConcurrently([server.url], credentials, token);
    });

    it('and many chains at once do not disturb each other', async () => {
      const { app, credentials } = await registerApp(server);
      const chains = await Promise.all(
        Array.from({ length: 8 }, async () => issueTokens(server, { app, account: await createAccount(server) })),
      );
      await Promise.all(
        chains.map(({ refresh_token }) => refreshConcurrently([server.url], credentials, refresh_token)),
      );
    });
  });

  describe.each(isPostgres ? [2, 4] : [2])('in %i processes on one database', (count) => {
    let database: TestDatabase;
    let folder: Awaited<ReturnType<typeof createTempFolder>>;
    let processes: ServerProcess[];
    let credentials: TestApp['credentials'];
    let token: string;

    beforeAll(async () => {
      [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
      const environment = {
        DATABASE_URL: database.url,
        BASE_URL: 'https://map.example.org',
        DEMO_DATA: 'off',
        MASTER_SECRET: 'a secret of the tests, and of them alone',
      };
      processes = await Promise.all(Array.from({ length: count }, () => ServerProcess.start(folder.path, environment)));
      const person = [
        '--username',
        'racer',
        '--email',
        'racer@example.org',
        '--name',
        'Racer',
        '--password',
        'correct horse',
      ];
      await runCli(database.url, 'accounts', 'create', ...person);
      const app = ['--name', 'Racing', '--redirect-uri', 'https://app.example.org/', '--scope', 'markers:read'];
      credentials = (await runCli(database.url, 'apps', 'create', ...app)).json as TestApp['credentials'];
      const issue = ['--app', credentials.client_id, '--account', 'racer', '--scope', 'markers:read'];
      token = ((await runCli(database.url, 'tokens', 'issue', ...issue)).json as TokenResponse).refresh_token;
    });
    afterAll(async () => {
      await Promise.all(processes.map((one) => one.stop()));
      await database.drop();
      await folder.remove();
    });

    it(`in each of ${ROUND_COUNT} rounds, and the winner's new token works in another process`, async () => {
      const urls = processes.map(({ url }) => url);
      for (let round = 0; round < ROUND_COUNT; round++) token = await refreshConcurrently(urls, credentials, token);
    });

    it('and many chains at once, each in all processes, neither disturb nor wait for each other', async () => {
      const urls = processes.map(({ url }) => url);
      const issue = ['--app', credentials.client_id, '--account', 'racer', '--scope', 'markers:read'];
      const chains: string[] = [];
      for (let chain = 0; chain < 6; chain++) {
        chains.push(((await runCli(database.url, 'tokens', 'issue', ...issue)).json as TokenResponse).refresh_token);
      }
      for (let round = 0; round < 5; round++) {
        const next = await Promise.all(chains.map((one) => refreshConcurrently(urls, credentials, one)));
        chains.splice(0, chains.length, ...next);
      }
    });

    it('and all processes know the keys that any signs with', async () => {
      const urls = processes.map(({ url }) => url);
      const body = (await refreshToken(urls[0]!, credentials, token)).body as Partial<TokenResponse>;
      const headers = { Authorization: `Bearer ${body.access_token}` };
      const seen = await Promise.all(urls.map((url) => fetch(`${url}/api/markers`, { headers })));
      expect(seen.map(({ status }) => status)).toEqual(urls.map(() => 200));
    });
  });
});
