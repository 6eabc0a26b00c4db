import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenResponse } from '../../src/oauth/token-response.js';
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { cli, newFolder, StartedService } from '../support/processes.js';
import { Service } from '../support/service.js';

const ROUNDS = 50;
const AT_ONCE = 20;

interface Refreshed {
  status: number;
  body: { error?: string; refresh_token?: string };
}

async function refresh(url: string, credentials: TestApp['credentials'], refresh_token: string): Promise<Refreshed> {
  const response = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'refresh_token', refresh_token, ...credentials }),
  });
  return { status: response.status, body: (await response.json()) as Refreshed['body'] };
}

/** Refreshes one token many times at once at these addresses, and then what the winner got. @returns the last token */
async function race(urls: string[], credentials: TestApp['credentials'], token: string): Promise<string> {
  const racing = Array.from({ length: AT_ONCE }, (_, at) => refresh(urls[at % urls.length]!, credentials, token));
  const answers = await Promise.all(racing);
  const winners = answers.filter(({ status }) => status === 200);
  const losers = answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant');
  expect({ winners: winners.length, losers: losers.length }).toEqual({ winners: 1, losers: AT_ONCE - 1 });
  const next = await refresh(urls.at(-1)!, credentials, winners[0]!.body.refresh_token!);
  expect(next.status).toBe(200);
  return next.body.refresh_token!;
}

describe(`${AT_ONCE} simultaneous refreshes of one token (spec §8): only one succeeds`, () => {
  describe('in one process', () => {
    let service: Service;

    beforeAll(async () => {
      service = await Service.start();
    });
    afterAll(() => service.stop());

    it(`in each of ${ROUNDS} rounds, and the winner's new token works`, async () => {
      const { app, credentials } = await newApp(service);
      let token = (await newTokens(service, { app, account: await newAccount(service) })).refresh_token;
      for (let round = 0; round < ROUNDS; round++) token = await race([service.url], credentials, token);
    });

    it('and many chains at once do not disturb each other', async () => {
      const { app, credentials } = await newApp(service);
      const chains = await Promise.all(
        Array.from({ length: 8 }, async () => newTokens(service, { app, account: await newAccount(service) })),
      );
      await Promise.all(chains.map(({ refresh_token }) => race([service.url], credentials, refresh_token)));
    });
  });

  describe.each(onPostgres ? [2, 4] : [2])('in %i processes on one database', (count) => {
    let database: TestDatabase;
    let folder: Awaited<ReturnType<typeof newFolder>>;
    let processes: StartedService[];
    let credentials: TestApp['credentials'];
    let token: string;

    beforeAll(async () => {
      [database, folder] = await Promise.all([newDatabase(), newFolder()]);
      const environment = {
        DATABASE_URL: database.url,
        BASE_URL: 'https://map.example.org',
        DEMO_DATA: 'off',
        MASTER_SECRET: 'a secret of the tests, and of them alone',
      };
      processes = await Promise.all(Array.from({ length: count }, () => StartedService.in(folder.path, environment)));
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
      await cli(database.url, 'accounts', 'create', ...person);
      const app = ['--name', 'Racing', '--redirect-uri', 'https://app.example.org/', '--scope', 'markers:read'];
      credentials = (await cli(database.url, 'apps', 'create', ...app)).json as TestApp['credentials'];
      const issue = ['--app', credentials.client_id, '--account', 'racer', '--scope', 'markers:read'];
      token = ((await cli(database.url, 'tokens', 'issue', ...issue)).json as TokenResponse).refresh_token;
    });
    afterAll(async () => {
      await Promise.all(processes.map((one) => one.stop()));
      await database.drop();
      await folder.remove();
    });

    it(`in each of ${ROUNDS} rounds, and the winner's new token works in another process`, async () => {
      const urls = processes.map(({ url }) => url);
      for (let round = 0; round < ROUNDS; round++) token = await race(urls, credentials, token);
    });

    it('and many chains at once, each in all processes, neither disturb nor wait for each other', async () => {
      const urls = processes.map(({ url }) => url);
      const issue = ['--app', credentials.client_id, '--account', 'racer', '--scope', 'markers:read'];
      const chains: string[] = [];
      for (let chain = 0; chain < 6; chain++) {
        chains.push(((await cli(database.url, 'tokens', 'issue', ...issue)).json as TokenResponse).refresh_token);
      }
      for (let round = 0; round < 5; round++) {
        const next = await Promise.all(chains.map((one) => race(urls, credentials, one)));
        chains.splice(0, chains.length, ...next);
      }
    });

    it('and all processes know the keys that any signs with', async () => {
      const urls = processes.map(({ url }) => url);
      const body = (await refresh(urls[0]!, credentials, token)).body as Partial<TokenResponse>;
      const headers = { Authorization: `Bearer ${body.access_token}` };
      const seen = await Promise.all(urls.map((url) => fetch(`${url}/api/markers`, { headers })));
      expect(seen.map(({ status }) => status)).toEqual(urls.map(() => 200));
    });
  });
});
