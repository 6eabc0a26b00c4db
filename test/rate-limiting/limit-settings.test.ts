import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_SCOPES, createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { advanceClock, restoreClock } from '../support/fake-clock.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

describe('Rate limits of the settings', () => {
  let server: TestServer;
  let client: TestApp;

  beforeAll(async () => {
    const limits = { TOKEN_RATE_LIMIT: '2', API_READ_LIMIT: '1', API_WRITE_LIMIT: '2' };
    server = await TestServer.start({ RATE_LIMITS: 'on', ...limits });
  });
  beforeEach(async () => {
    advanceClock(0); // a slow test must not outlast a window
    client = await registerApp(server);
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const listLimits = (responses: TestResponse[]): unknown[] =>
    responses.map(({ status, headers }) => [status, headers.get('ratelimit-policy')]);

  it('apply to token responses', async () => {
    let { refresh_token } = await issueTokens(server, { app: client.app, account: await createAccount(server) });
    const responses: TestResponse[] = [];
    for (let count = 0; count < 3; count++) {
      const response = await refreshTokens(server, client, refresh_token);
      responses.push(response);
      refresh_token = response.body.refresh_token ?? refresh_token;
    }
    // only a rejected request has the headers
    expect(listLimits(responses)).toEqual([
      [200, null],
      [200, null],
      [429, '"tokens";q=2;w=60'],
    ]);
  });

  it('apply to reads and writes, and three times as many to all apps together', async () => {
    const account = await createAccount(server);
    const tokens: string[] = [];
    for (let count = 0; count < 4; count++) {
      const { app } = await registerApp(server);
      tokens.push((await issueTokens(server, { app, account, scopes: ALL_SCOPES })).access_token);
    }
    const send = (method: string, path: string, token: string): Promise<TestResponse> =>
      server.request(method, path, { token, ...(method === 'POST' && { body: {} }) });
    const reads = [tokens[0]!, ...tokens].map((token) => () => send('GET', '/api/markers', token));
    const responses: TestResponse[] = [];
    for (const read of reads) responses.push(await read());
    const policy = '"reads";q=1;w=60';
    expect(listLimits(responses)).toEqual([
      [200, policy],
      [429, policy],
      [200, policy],
      [200, policy],
      [429, '"reads-of-all-apps";q=3;w=60'],
    ]);
    const write = await send('POST', '/api/edits', tokens[0]!);
    expect(write.headers.get('ratelimit-policy')).toBe('"writes";q=2;w=60');
  });
});
