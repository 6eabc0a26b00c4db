import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

/** The documented limits, in requests per minute. */
const [REQUESTS_PER_APP_PER_MINUTE, WRONG_SECRETS_PER_MINUTE, WRONG_GRANTS_PER_MINUTE] = [3000, 60, 600];

describe('Token endpoint rate limits', () => {
  let server: TestServer;
  let client: TestApp;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  });
  beforeEach(async () => {
    client = await registerApp(server);
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const refresh = (
    refreshToken: string,
    fields: Record<string, unknown> = {},
    ipAddress = '127.0.0.1',
  ): Promise<TestResponse> => refreshTokens(server, client, refreshToken, fields, { 'X-Forwarded-For': ipAddress });
  const refreshWithWrongSecret = (from?: string): Promise<TestResponse> =>
    refresh('any', { client_secret: generateSecret('sam_secret') }, from);
  const statuses = async (count: number, act: () => Promise<TestResponse>): Promise<Set<number>> => {
    const all = new Set<number>();
    for (let index = 0; index < count; index += 100) {
      const responses = await Promise.all(Array.from({ length: Math.min(100, count - index) }, () => act()));
      responses.forEach(({ status }) => all.add(status));
    }
    return all;
  };
  const issueRefreshToken = async (): Promise<string> =>
    (await issueTokens(server, { app: client.app, account: await createAccount(server) })).refresh_token;
  const expectLimited = ({ status, body, headers }: TestResponse): void => {
    expect({ status, body }).toEqual({
      status: 429,
      body: {
        error: 'temporarily_unavailable',
        error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  };

  it('reject wrong secrets after 60 per minute, with the error of RFC 6749 §5.2 and the time to wait', async () => {
    expect(await statuses(WRONG_SECRETS_PER_MINUTE, refreshWithWrongSecret)).toEqual(new Set([401]));
    const limited = await refreshWithWrongSecret();
    expectLimited(limited);
    advanceClock(Number(limited.headers.get('retry-after')) * SECOND_MS);
    expect((await refreshWithWrongSecret()).status).toBe(401);
  });

  it('accept a correct secret and token after failures of others from the same address', async () => {
    const token = await issueRefreshToken();
    await statuses(WRONG_SECRETS_PER_MINUTE + 1, refreshWithWrongSecret);
    await statuses(REQUESTS_PER_APP_PER_MINUTE + 1, () => refresh('any'));
    expectLimited(await refresh('any'));
    expect((await refresh(token)).status).toBe(200);
  });

  it('reject unknown tokens after 600 per minute for one app and network', async () => {
    expect(await statuses(WRONG_GRANTS_PER_MINUTE, () => refresh('any'))).toEqual(new Set([400]));
    expectLimited(await refresh('any'));
    expect((await refresh('any', {}, '203.0.113.9')).status).toBe(400);
    const { credentials } = await registerApp(server);
    expect((await refresh('any', credentials)).status).toBe(400);
  });

  it('count wrong secrets of each app apart, also in HTTP Basic', async () => {
    const sendAs = ({ credentials }: TestApp): Promise<TestResponse> =>
      server.request('POST', '/api/oauth/token', {
        body: { grant_type: 'refresh_token' },
        headers: { Authorization: `Basic ${Buffer.from(`${credentials.client_id}:wrong`).toString('base64')}` },
      });
    expect(await statuses(WRONG_SECRETS_PER_MINUTE, () => sendAs(client))).toEqual(new Set([401]));
    expectLimited(await sendAs(client));
    expect((await sendAs(await registerApp(server))).status).toBe(401);
  });

  it('reject an app after 3000 requests per minute from any address, and accept other apps', async () => {
    const revoke = (by: TestApp, from: string): Promise<TestResponse> => {
      const body = { token: 'any', ...by.credentials };
      return server.request('POST', '/api/oauth/revoke', { body, headers: { 'X-Forwarded-For': from } });
    };
    let count = 0;
    expect(await statuses(REQUESTS_PER_APP_PER_MINUTE, () => revoke(client, `203.0.113.${count++ % 200}`))).toEqual(
      new Set([200]),
    );
    expectLimited(await revoke(client, '203.0.113.201'));
    expect((await refresh(await issueRefreshToken())).status).toBe(200);
    expect((await revoke(await registerApp(server), '127.0.0.1')).status).toBe(200);
  });

  it('keep the token valid when they reject a request', async () => {
    const token = await issueRefreshToken();
    await statuses(REQUESTS_PER_APP_PER_MINUTE, () => refresh(token, { grant_type: 'none' }));
    const limited = await refresh(token);
    expectLimited(limited);
    advanceClock(Number(limited.headers.get('retry-after')) * SECOND_MS);
    expect((await refresh(token)).status).toBe(200);
  });
});
