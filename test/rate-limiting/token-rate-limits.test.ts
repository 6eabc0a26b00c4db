import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

/** Requests a minute, as the docs say. */
const [REQUESTS_PER_APP_PER_MINUTE, WRONG_SECRETS_PER_MINUTE, WRONG_GRANTS_PER_MINUTE] = [3000, 60, 600];

describe('The limits of the token endpoint', () => {
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

  const ask = (refresh_token: string, more: object = {}, from = '127.0.0.1'): Promise<TestResponse> => {
    const body = { grant_type: 'refresh_token', refresh_token, ...client.credentials, ...more };
    return server.request('POST', '/api/oauth/token', { body, headers: { 'X-Forwarded-For': from } });
  };
  const askWrongly = (from?: string): Promise<TestResponse> =>
    ask('any', { client_secret: generateSecret('sam_secret') }, from);
  const statuses = async (count: number, act: () => Promise<TestResponse>): Promise<Set<number>> => {
    const all = new Set<number>();
    for (let at = 0; at < count; at += 100) {
      const answers = await Promise.all(Array.from({ length: Math.min(100, count - at) }, () => act()));
      answers.forEach(({ status }) => all.add(status));
    }
    return all;
  };
  const newChain = async (): Promise<string> =>
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

  it('refuse wrong secrets after 60 a minute, as RFC 6749 §5.2 shapes it, with the time to wait', async () => {
    expect(await statuses(WRONG_SECRETS_PER_MINUTE, askWrongly)).toEqual(new Set([401]));
    const limited = await askWrongly();
    expectLimited(limited);
    advanceClock(Number(limited.headers.get('retry-after')) * SECOND_MS);
    expect((await askWrongly()).status).toBe(401);
  });

  it('never keep out who has the right secret and token, whatever others tried, from the same address too', async () => {
    const token = await newChain();
    await statuses(WRONG_SECRETS_PER_MINUTE + 1, askWrongly);
    await statuses(REQUESTS_PER_APP_PER_MINUTE + 1, () => ask('any'));
    expectLimited(await ask('any'));
    expect((await ask(token)).status).toBe(200);
  });

  it('refuse tokens that are none after 600 a minute, by app and network', async () => {
    expect(await statuses(WRONG_GRANTS_PER_MINUTE, () => ask('any'))).toEqual(new Set([400]));
    expectLimited(await ask('any'));
    expect((await ask('any', {}, '203.0.113.9')).status).toBe(400);
    const { credentials } = await registerApp(server);
    expect((await ask('any', credentials)).status).toBe(400);
  });

  it('count wrong secrets of each app apart, by HTTP Basic too', async () => {
    const askAs = ({ credentials }: TestApp): Promise<TestResponse> =>
      server.request('POST', '/api/oauth/token', {
        body: { grant_type: 'refresh_token' },
        headers: { Authorization: `Basic ${Buffer.from(`${credentials.client_id}:wrong`).toString('base64')}` },
      });
    expect(await statuses(WRONG_SECRETS_PER_MINUTE, () => askAs(client))).toEqual(new Set([401]));
    expectLimited(await askAs(client));
    expect((await askAs(await registerApp(server))).status).toBe(401);
  });

  it('refuse an app after 3000 requests a minute, wherever they come from, and no other app with it', async () => {
    const revoke = (by: TestApp, from: string): Promise<TestResponse> => {
      const body = { token: 'any', ...by.credentials };
      return server.request('POST', '/api/oauth/revoke', { body, headers: { 'X-Forwarded-For': from } });
    };
    let count = 0;
    expect(await statuses(REQUESTS_PER_APP_PER_MINUTE, () => revoke(client, `203.0.113.${count++ % 200}`))).toEqual(
      new Set([200]),
    );
    expectLimited(await revoke(client, '203.0.113.201'));
    expect((await ask(await newChain())).status).toBe(200);
    expect((await revoke(await registerApp(server), '127.0.0.1')).status).toBe(200);
  });

  it('spend nothing when they refuse', async () => {
    const token = await newChain();
    await statuses(REQUESTS_PER_APP_PER_MINUTE, () => ask(token, { grant_type: 'none' }));
    const limited = await ask(token);
    expectLimited(limited);
    advanceClock(Number(limited.headers.get('retry-after')) * SECOND_MS);
    expect((await ask(token)).status).toBe(200);
  });
});
