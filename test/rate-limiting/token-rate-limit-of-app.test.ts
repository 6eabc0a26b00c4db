import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { Cli } from '../support/cli.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';

const [DEFAULT_LIMIT, OTHER_NETWORK] = [4, '203.0.113.9'];

describe('The token rate limit of one app', () => {
  let server: TestServer;
  let client: TestApp;
  let refreshToken: string;

  beforeAll(async () => {
    const environment = { RATE_LIMITS: 'on', TOKEN_RATE_LIMIT: String(DEFAULT_LIMIT), TRUST_PROXY: 'loopback' };
    server = await TestServer.start(environment);
  });
  beforeEach(async () => {
    advanceClock(0); // a command must not outlast a window
    [client, refreshToken] = await registerAppWithToken();
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const registerAppWithToken = async (): Promise<[app: TestApp, refreshToken: string]> => {
    const app = await registerApp(server);
    const { refresh_token } = await issueTokens(server, { app: app.app, account: await createAccount(server) });
    return [app, refresh_token];
  };
  const setLimit = (limit: string): Promise<unknown> =>
    new Cli(server.settings.DATABASE_URL).runJson('apps', 'limit', client.app.id, '--token-rate', limit);
  const refresh = async (network = '127.0.0.1'): Promise<TestResponse> => {
    const response = await refreshTokens(server, client, refreshToken, {}, { 'X-Forwarded-For': network });
    refreshToken = response.body.refresh_token ?? refreshToken;
    return response;
  };
  /** Refreshes, at most ten times, until a response has another status than 200. */
  const countResponses = async (network?: string): Promise<number> => {
    let count = 0;
    while (count < 10 && (await refresh(network)).status === 200) count++;
    return count;
  };

  it('replaces TOKEN_RATE_LIMIT for that app at once, in the window that is open', async () => {
    expect(await countResponses()).toBe(DEFAULT_LIMIT);
    await setLimit('7');
    expect(await countResponses()).toBe(3);
    expect(await countResponses(OTHER_NETWORK)).toBe(7);
    await setLimit('9');
    expect(await countResponses()).toBe(2);
  });

  it('is in the response with status 429, which leaves the refresh token valid', async () => {
    expect([await refresh(), await refresh()].map(({ status }) => status)).toEqual([200, 200]);
    await setLimit('1');
    const { status, headers, body } = await refresh();
    const seconds = headers.get('retry-after')!;
    expect(status).toBe(429);
    expect(body).toEqual({
      error: 'temporarily_unavailable',
      error_description: `Too many requests from this app: its limit is 1 per minute. Try again in ${seconds} seconds.`,
    });
    expect(headers.get('ratelimit-policy')).toBe('"tokens";q=1;w=60');
    expect(headers.get('ratelimit')).toBe(`"tokens";r=0;t=${seconds}`);
    expect(headers.get('x-ratelimit-limit')).toBe('1');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    advanceClock(Number(seconds) * SECOND_MS);
    expect(await countResponses()).toBe(1);
  });

  it('ends with default', async () => {
    await setLimit('1');
    expect(await countResponses()).toBe(1);
    await setLimit('default');
    expect(await countResponses()).toBe(DEFAULT_LIMIT - 1);
  });

  it('does not change the limit of another app', async () => {
    await setLimit('1');
    expect(await countResponses()).toBe(1);
    [client, refreshToken] = await registerAppWithToken();
    expect(await countResponses()).toBe(DEFAULT_LIMIT);
  });
});
