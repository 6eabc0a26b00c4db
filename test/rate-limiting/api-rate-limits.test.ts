import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

/** The documented limits, in requests per minute. */
const [READS_PER_MINUTE, WRITES_PER_MINUTE, ANONYMOUS_CALLS_PER_MINUTE] = [120, 30, 60];
const NOT_MODIFIED_PER_MINUTE = 600;
const [READS_OF_ALL_APPS_PER_MINUTE, WRITES_OF_ALL_APPS_PER_MINUTE] = [360, 90];

describe('API rate limits', () => {
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

  it('allow 120 reads per minute for an app and an account, and return the time to wait', async () => {
    await usedUp();
    const { headers } = await read();
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    advanceClock(seconds * SECOND_MS);
    await usedUp();
  });

  it('return 429 in the error shape of the API, readable for scripts of other origins', async () => {
    await usedUp();
    const { body, headers } = await read({ Origin: 'https://app.example.org' });
    expect(body).toEqual({
      error: expect.stringMatching(/^Too many requests from this app\..* seconds\.$/),
      code: 'rate_limited',
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const exposed = headers.get('access-control-expose-headers')!.split(',');
    for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-RateLimit-Remaining'])
      expect(exposed).toContain(name);
  });

  it('are in every response, in the headers of the IETF draft 10 and of older clients', async () => {
    await read();
    const { headers } = await read();
    expect(headers.get('ratelimit-policy')).toBe('"reads";q=120;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"reads";r=118;t=(60|59)$/);
    expect(headers.get('x-ratelimit-limit')).toBe('120');
    expect(headers.get('x-ratelimit-remaining')).toBe('118');
    expect(headers.get('x-ratelimit-reset')).toMatch(/^(60|59)$/);
    expect(headers.get('retry-after')).toBeNull();
  });

  it('allow 30 writes per minute, counted apart from reads', async () => {
    await usedUp();
    expect(await times(WRITES_PER_MINUTE, write)).not.toContain(429);
    expect((await write()).status).toBe(429);
  });

  it('count each account and each app apart, but not each token', async () => {
    await usedUp();
    const other = (await issueTokens(server, { app: client.app, account })).access_token;
    expect((await read({}, other)).status).toBe(429);
    const someAccount = (await issueTokens(server, { app: client.app, account: await createAccount(server) }))
      .access_token;
    expect((await read({}, someAccount)).status).toBe(200);
    const elsewhere = (await issueTokens(server, { app: (await registerApp(server)).app, account })).access_token;
    expect((await read({}, elsewhere)).status).toBe(200);
  });

  it.each([
    ['reads', READS_PER_MINUTE, READS_OF_ALL_APPS_PER_MINUTE, (by: string) => read({}, by)],
    ['writes', WRITES_PER_MINUTE, WRITES_OF_ALL_APPS_PER_MINUTE, (by: string) => write(by)],
  ])('limit the %s of all apps for one account', async (name, limitOfApp, limitOfAllApps, send) => {
    const issueToken = async (): Promise<string> =>
      (await issueTokens(server, { app: (await registerApp(server)).app, account })).access_token;
    for (let count = 0; count < limitOfAllApps; count += limitOfApp) {
      const by = await issueToken();
      expect(await times(limitOfApp, () => send(by))).not.toContain(429);
    }
    const { status, body, headers } = await send(await issueToken());
    expect({ status, body }).toEqual({
      status: 429,
      body: {
        error: expect.stringMatching(/^Too many requests from all apps of this person\..* seconds\.$/),
        code: 'rate_limited',
      },
    });
    expect(headers.get('ratelimit-policy')).toBe(`"${name}-of-all-apps";q=${limitOfAllApps};w=60`);
    advanceClock(Number(headers.get('retry-after')) * SECOND_MS);
    expect((await send(await issueToken())).status).not.toBe(429);
  });

  it('allow 600 responses with status 304 per minute for a person, and reject further ones', async () => {
    const other = (await issueTokens(server, { app: (await registerApp(server)).app, account })).access_token;
    const tag = (await read()).headers.get('etag')!;
    for (const by of [token, other, token, other, token]) {
      const statuses = await times(NOT_MODIFIED_PER_MINUTE / 6, () => read({ 'If-None-Match': tag }, by));
      expect(new Set(statuses)).toEqual(new Set([304]));
    }
    for (let count = 0; count < NOT_MODIFIED_PER_MINUTE / 6; count++) await read({ 'If-None-Match': tag });
    expect((await read()).headers.get('x-ratelimit-remaining')).toBe('118');
    const rejected = await read({ 'If-None-Match': tag });
    expect(rejected.status).toBe(429);
    expect(rejected.body.error).toMatch(/^Too many responses with status 304\. Try again in \d+ seconds\.$/);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rejected.headers.get('etag')).toBeNull();
    expect((await read({ 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  it('do not count rejected requests, nor 304 responses as reads', async () => {
    const narrow = (await issueTokens(server, { app: client.app, account, scopes: ['markers:read'] })).access_token;
    expect(new Set(await times(READS_PER_MINUTE, () => read({}, narrow)))).toEqual(new Set([403]));
    const tag = (await read()).headers.get('etag')!;
    for (let count = 0; count < READS_PER_MINUTE; count++)
      expect((await read({ 'If-None-Match': tag })).status).toBe(304);
    expect((await read()).headers.get('x-ratelimit-remaining')).toBe('118');
    expect((await read({ 'If-None-Match': '*' })).status).toBe(304);
    expect((await read()).headers.get('x-ratelimit-remaining')).toBe('116');
  });

  it('allow 60 requests per minute without a token from one network', async () => {
    expect(new Set(await times(ANONYMOUS_CALLS_PER_MINUTE, () => lookIn('203.0.113.7')))).toEqual(new Set([404]));
    expect((await lookIn('203.0.113.7')).status).toBe(429);
    expect((await lookIn('203.0.113.8')).status).toBe(404);
  });

  it('are shared with the page of a collection that a browser without a session opens', async () => {
    const open = (): Promise<Response> =>
      fetch(`${server.url}/collections/col_00000000000000000000000000`, {
        headers: { 'X-Forwarded-For': '203.0.113.9' },
      });
    await times(ANONYMOUS_CALLS_PER_MINUTE - 1, () => lookIn('203.0.113.9'));
    expect((await open()).status).toBe(404);
    const refused = await open();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refused.text()).toContain('Too many requests from your network.');
  });

  it('count all addresses of an IPv6 network as one', async () => {
    await times(ANONYMOUS_CALLS_PER_MINUTE, () => lookIn('2001:db8:1:2::1'));
    expect((await lookIn('2001:db8:1:2:3:4:5:6')).status).toBe(429);
    expect((await lookIn('2001:db8:1:3::1')).status).toBe(404);
  });

  it('accept a token from a network that exhausted its requests without a token', async () => {
    await times(ANONYMOUS_CALLS_PER_MINUTE + 1, () => lookIn('127.0.0.1'));
    const path = '/api/collections/col_00000000000000000000000000';
    expect((await server.request('GET', path, { token })).status).toBe(404);
  });

  it('are disabled with RATE_LIMITS=off, and then absent from the headers', async () => {
    const free = await TestServer.start({ RATE_LIMITS: 'off' });
    const { access_token } = await issueTokens(free, {
      app: (await registerApp(free)).app,
      account: await createAccount(free),
    });
    const responses = await Promise.all(
      Array.from({ length: READS_PER_MINUTE + 1 }, () =>
        free.request('GET', '/api/edits/mine', { token: access_token }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(responses[0]!.headers.get('ratelimit')).toBeNull();
    await free.stop();
  });
});
