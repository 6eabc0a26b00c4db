import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { TokenIssuanceService } from '../../src/identity/oauth/token-issuance.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { ALL_SCOPES, createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

/** The documented limits, in requests per minute. */
const [TOKEN_RESPONSES_PER_MINUTE, WRONG_SECRETS_PER_MINUTE, FAILED_REQUESTS_PER_MINUTE] = [3000, 60, 600];

describe('Token endpoint rate limits', () => {
  let server: TestServer;
  let client: TestApp;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  });
  beforeEach(async () => {
    advanceClock(0); // a slow test must not outlast a window
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
  const revoke = (token: string | undefined): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/revoke', { body: { token, ...client.credentials } });
  const issueRefreshToken = async (): Promise<string> =>
    (await issueTokens(server, { app: client.app, account: await createAccount(server) })).refresh_token;
  const issueRefreshTokens = async (count: number): Promise<string[]> => {
    const grant = { app: client.app, account: await createAccount(server), scopes: ALL_SCOPES, authTime: new Date() };
    return server.get(TransactionService).run(async (tx) => {
      const refreshTokens: string[] = [];
      while (refreshTokens.length < count) {
        refreshTokens.push((await server.get(TokenIssuanceService).createAuthorization(tx, grant)).refreshToken);
      }
      return refreshTokens;
    });
  };
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
    await statuses(TOKEN_RESPONSES_PER_MINUTE + 1, () => refresh('any', { grant_type: 'none' }));
    expectLimited(await refresh('any'));
    expect((await refresh(token)).status).toBe(200);
  });

  it.each<[string, () => Promise<TestResponse>]>([
    ['unknown tokens', () => refresh('any')],
    ['wrong grant types', () => refresh('any', { grant_type: 'none' })],
    ['missing fields', () => refresh('any', { refresh_token: undefined })],
    ['revocations without a token', () => revoke(undefined)],
  ])('reject %s after 600 per minute for one app and network', async (_, send) => {
    expect(await statuses(FAILED_REQUESTS_PER_MINUTE, send)).toEqual(new Set([400]));
    expectLimited(await send());
    expect((await refresh('any', {}, '203.0.113.9')).status).toBe(400);
    const { credentials } = await registerApp(server);
    expect((await refresh('any', credentials)).status).toBe(400);
  });

  it('never reject a revocation, and count those of unknown tokens as failures', async () => {
    const token = await issueRefreshToken();
    expect(await statuses(TOKEN_RESPONSES_PER_MINUTE + 1, () => revoke('any'))).toEqual(new Set([200]));
    expectLimited(await refresh('any'));
    expect((await revoke(token)).status).toBe(200);
    expect((await refresh(token, {}, '203.0.113.9')).body.error_description).toContain('revoked');
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

  it('reject an app after 3000 token responses per minute to one network, and keep the token valid', async () => {
    const tokens = await issueRefreshTokens(TOKEN_RESPONSES_PER_MINUTE + 2);
    const [token, otherToken] = tokens.splice(0, 2) as [string, string];
    expect(await statuses(tokens.length, () => refresh(tokens.pop()!))).toEqual(new Set([200]));
    const limited = await refresh(token);
    expectLimited(limited);
    expect((await refresh(otherToken, {}, '203.0.113.9')).status).toBe(200);
    advanceClock(Number(limited.headers.get('retry-after')) * SECOND_MS);
    expect((await refresh(token)).status).toBe(200);
  });
});
