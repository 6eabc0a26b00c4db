import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

/** Calls a minute, as the docs say. */
const [READS_PER_MINUTE, WRITES_PER_MINUTE, ANONYMOUS_CALLS_PER_MINUTE] = [120, 30, 60];

describe('The limits of the API', () => {
  let server: TestServer;
  let client: TestApp;
  let account: Account;
  let token: string;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
    client = await registerApp(server);
  });
  beforeEach(async () => {
    account = await createAccount(server);
    token = (await issueTokens(server, { app: client.app, account })).access_token;
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const read = (headers: Record<string, string> = {}, by = token): Promise<TestResponse> =>
    server.request('GET', '/api/edits/mine', { token: by, headers });
  const write = (by = token): Promise<TestResponse> =>
    server.request('POST', '/api/edits/evaluate-permissions', { token: by, body: { items: [] } });
  const lookIn = (from: string): Promise<TestResponse> =>
    server.request('GET', '/api/collections/col_00000000000000000000000000', { headers: { 'X-Forwarded-For': from } });

  const times = async (count: number, act: () => Promise<TestResponse>): Promise<number[]> =>
    (await Promise.all(Array.from({ length: count }, () => act()))).map(({ status }) => status);
  const usedUp = async (): Promise<void> => {
    expect(new Set(await times(READS_PER_MINUTE, read))).toEqual(new Set([200]));
    expect((await read()).status).toBe(429);
  };

  it('let an app read 120 times a minute for a person, and say when it can go on', async () => {
    await usedUp();
    const { headers } = await read();
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    advanceClock(seconds * SECOND_MS);
    await usedUp();
  });

  it('answer 429 in the shape of every error of the API, where scripts of other origins can read it', async () => {
    await usedUp();
    const { body, headers } = await read({ Origin: 'https://app.example.org' });
    expect(body).toEqual({
      error: expect.stringMatching(/^This app makes too many calls\..* seconds\.$/),
      code: 'rate_limited',
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const exposed = headers.get('access-control-expose-headers')!.split(',');
    for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-RateLimit-Remaining'])
      expect(exposed).toContain(name);
  });

  it('are said in each answer, as draft-ietf-httpapi-ratelimit-headers-10 has it, and as older clients do', async () => {
    await read();
    const { headers } = await read();
    expect(headers.get('ratelimit-policy')).toBe('"reads";q=120;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"reads";r=118;t=(60|59)$/);
    expect(headers.get('x-ratelimit-limit')).toBe('120');
    expect(headers.get('x-ratelimit-remaining')).toBe('118');
    expect(headers.get('x-ratelimit-reset')).toMatch(/^(60|59)$/);
    expect(headers.get('retry-after')).toBeNull();
  });

  it('count writes apart: 30 a minute', async () => {
    await usedUp();
    expect(await times(WRITES_PER_MINUTE, write)).not.toContain(429);
    expect((await write()).status).toBe(429);
  });

  it('count each person and each app apart, and not each token', async () => {
    await usedUp();
    const other = (await issueTokens(server, { app: client.app, account })).access_token;
    expect((await read({}, other)).status).toBe(429);
    const somebody = (await issueTokens(server, { app: client.app, account: await createAccount(server) }))
      .access_token;
    expect((await read({}, somebody)).status).toBe(200);
    const elsewhere = (await issueTokens(server, { app: (await registerApp(server)).app, account })).access_token;
    expect((await read({}, elsewhere)).status).toBe(200);
  });

  it('do not count what the gate refuses, nor an answer that nothing has changed', async () => {
    const narrow = (await issueTokens(server, { app: client.app, account, scopes: ['markers:read'] })).access_token;
    expect(new Set(await times(READS_PER_MINUTE, () => read({}, narrow)))).toEqual(new Set([403]));
    const tag = (await read()).headers.get('etag')!;
    for (let count = 0; count < READS_PER_MINUTE; count++)
      expect((await read({ 'If-None-Match': tag })).status).toBe(304);
    expect((await read()).headers.get('x-ratelimit-remaining')).toBe('118');
    expect((await read({ 'If-None-Match': '*' })).status).toBe(304);
    expect((await read()).headers.get('x-ratelimit-remaining')).toBe('116');
  });

  it('count calls without a token by network: 60 a minute', async () => {
    expect(new Set(await times(ANONYMOUS_CALLS_PER_MINUTE, () => lookIn('203.0.113.7')))).toEqual(new Set([404]));
    expect((await lookIn('203.0.113.7')).status).toBe(429);
    expect((await lookIn('203.0.113.8')).status).toBe(404);
  });

  it('take all addresses of an IPv6 network for one', async () => {
    await times(ANONYMOUS_CALLS_PER_MINUTE, () => lookIn('2001:db8:1:2::1'));
    expect((await lookIn('2001:db8:1:2:3:4:5:6')).status).toBe(429);
    expect((await lookIn('2001:db8:1:3::1')).status).toBe(404);
  });

  it('leave alone who asks with a token from a network that used up its calls without one', async () => {
    await times(ANONYMOUS_CALLS_PER_MINUTE + 1, () => lookIn('127.0.0.1'));
    const path = '/api/collections/col_00000000000000000000000000';
    expect((await server.request('GET', path, { token })).status).toBe(404);
  });

  it('are off where the operator says so, and then not spoken of', async () => {
    const free = await TestServer.start({ RATE_LIMITS: 'off' });
    const { access_token } = await issueTokens(free, {
      app: (await registerApp(free)).app,
      account: await createAccount(free),
    });
    const answers = await Promise.all(
      Array.from({ length: READS_PER_MINUTE + 1 }, () =>
        free.request('GET', '/api/edits/mine', { token: access_token }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]!.headers.get('ratelimit')).toBeNull();
    await free.stop();
  });
});
