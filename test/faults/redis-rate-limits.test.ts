import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { RateLimitWindow } from '../../src/platform/rate-limiting/rate-limit-window.entity.js';
import { DpopKey } from '../support/dpop-key.js';
import { createAccount, issueTokens, registerApp, type TestApp } from '../support/factories.js';
import { findFreePort } from '../support/free-port.js';
import { RedisServer } from '../support/redis-server.js';
import { runCli } from '../support/run-command.js';
import { ServerCluster } from '../support/server-cluster.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { type TestResponse, sendRequest } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';

/** The documented limits, in requests per minute. */
const [READS_PER_MINUTE, WRONG_SECRETS_PER_MINUTE, TOKEN_RESPONSES_PER_MINUTE] = [120, 60, 3000];

/** The documented time after which Redis is used again. */
const RECOVERY_TIMEOUT_MS = 15_000;

/** Milliseconds for a request that waits 250 ms for Redis, on a busy machine. */
const SLOWEST_RESPONSE_MS = 2000;

const LOST = /"event":"redis_unavailable"/g;
const FOUND = /"event":"redis_available"/g;

describe('Rate limits in Redis', () => {
  let redis: RedisServer;
  let cluster: ServerCluster;
  let app: TestApp;
  let account: Account;
  let tokens: { access_token: string; refresh_token: string };

  beforeAll(async () => {
    redis = await RedisServer.start();
    cluster = await ServerCluster.start({
      processes: 2,
      environment: { RATE_LIMITS: 'on', REDIS_URL: redis.url(), LOG_FORMAT: 'json' },
    });
  });
  beforeEach(async () => {
    const { testServer } = cluster;
    [app, account] = [await registerApp(testServer), await createAccount(testServer)];
    tokens = await issueTokens(testServer, { app: app.app, account });
  });
  afterAll(async () => {
    await cluster.stop();
    await redis.kill();
  });

  /** Sends a request to the two processes in turn. */
  const sendInTurn = async (
    count: number,
    send: (process: { url: string }) => Promise<TestResponse>,
  ): Promise<TestResponse[]> => {
    const responses: TestResponse[] = [];
    while (responses.length < count) responses.push(await send(cluster.processes[responses.length % 2]!));
    return responses;
  };
  const read = ({ url }: { url: string }, headers: Record<string, string> = {}): Promise<TestResponse> =>
    sendRequest(url, 'GET', '/api/edits/mine', { token: tokens.access_token, headers });
  const refreshWithWrongSecret = (process: { url: string }): Promise<TestResponse> =>
    refreshTokens(process, app, 'any', { client_secret: 'wrong' });
  const refresh = async (process: { url: string }): Promise<number> => {
    const { status, body } = await refreshTokens(process, app, tokens.refresh_token);
    if (status === 200) tokens = body;
    return status;
  };
  const getRemaining = ({ headers }: TestResponse): number => Number(headers.get('x-ratelimit-remaining'));
  const getStatus = ({ status }: TestResponse): number => status;
  /** Waits until both processes logged an event this many times. @returns the milliseconds */
  const waitForEvent = async (event: RegExp, times: number): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(cluster.processes.map((process) => process.waitForOutput(event, times)));
    return performance.now() - startedAt;
  };
  /** Waits until a counter has a value. Refunds and token responses count in the background. */
  const waitForValue = async (key: string, value: string): Promise<void> => {
    while ((await redis.send('GET', `street-art-map:${key}`)) !== value);
  };
  const countEvents = (event: RegExp): number[] =>
    cluster.processes.map((process) => [...process.output().matchAll(event)].length);

  it('are shared by two processes, with exact headers', async () => {
    const responses = await sendInTurn(READS_PER_MINUTE + 2, read);
    const statuses = responses.map(getStatus);
    expect(statuses).toEqual([...Array<number>(READS_PER_MINUTE).fill(200), 429, 429]);
    expect(responses.slice(0, 3).map(getRemaining)).toEqual([119, 118, 117]);
    for (const { headers } of responses.slice(-2)) {
      const seconds = headers.get('retry-after');
      expect(Number(seconds)).toBeGreaterThan(0);
      expect(Number(seconds)).toBeLessThanOrEqual(60);
      expect(headers.get('ratelimit')).toBe(`"reads";r=0;t=${seconds}`);
      expect(headers.get('x-ratelimit-reset')).toBe(seconds);
    }
  });

  it('do not count a response with status 304', async () => {
    const tag = (await read(cluster.processes[0]!)).headers.get('etag')!;
    const unchanged = await sendInTurn(10, (process) => read(process, { 'If-None-Match': tag }));
    expect(new Set(unchanged.map(getStatus))).toEqual(new Set([304]));
    await waitForValue(`reads:${app.app.id} ${account.id}`, '1');
    expect(getRemaining(await read(cluster.processes[1]!))).toBe(118);
  });

  it('count failed token requests in Redis and not in the database', async () => {
    const responses = await sendInTurn(WRONG_SECRETS_PER_MINUTE + 2, refreshWithWrongSecret);
    expect(responses.map(getStatus)).toEqual([...Array<number>(WRONG_SECRETS_PER_MINUTE).fill(401), 429, 429]);
    expect(await cluster.testServer.entityManager.count(RateLimitWindow)).toBe(0);
    expect(await refresh(cluster.processes[0]!)).toBe(200);
  });

  it('reject token responses above the shared limit in each process, after its next one', async () => {
    const count = String(TOKEN_RESPONSES_PER_MINUTE - 1);
    const key = `tokens:${app.app.id} 127.0.0.1`;
    await redis.send('SET', `street-art-map:${key}`, count, 'PX', '60000');
    const [one, other] = cluster.processes as [ServerProcess, ServerProcess];
    expect(await refresh(one)).toBe(200);
    await waitForValue(key, String(TOKEN_RESPONSES_PER_MINUTE));
    expect(await refresh(other)).toBe(200);
    while ((await refresh(one)) !== 429);
    while ((await refresh(other)) !== 429);
  });

  it('remember DPoP proofs for all processes, and not in the database', async () => {
    const key = await DpopKey.create();
    const url = `${cluster.testServer.settings.BASE_URL}/api/oauth/token`;
    const DPoP = await key.sign('POST', url, undefined, { claims: { jti: 'one' } });
    const send = async (process: { url: string }): Promise<unknown> =>
      (await refreshTokens(process, app, 'any', {}, { DPoP })).body.error;
    const [one, other] = cluster.processes as [ServerProcess, ServerProcess];
    expect([await send(one), await send(other), await send(one)]).toEqual([
      'invalid_grant',
      'invalid_dpop_proof',
      'invalid_dpop_proof',
    ]);
    expect(await cluster.testServer.entityManager.count(RateLimitWindow)).toBe(0);
  });

  it('count token responses of an app against its own limit in each process', async () => {
    const key = `tokens:${app.app.id} 127.0.0.1`;
    await redis.send('SET', `street-art-map:${key}`, String(TOKEN_RESPONSES_PER_MINUTE), 'PX', '600000');
    const [[one, other], limit] = [cluster.processes as [ServerProcess, ServerProcess], TOKEN_RESPONSES_PER_MINUTE + 2];
    while ((await refresh(one)) !== 429);
    await runCli(cluster.database.url, 'apps', 'limit', app.app.id, '--token-rate', String(limit));
    for (const [process, count] of [
      [one, limit - 1],
      [other, limit],
    ] as const) {
      expect(await refresh(process)).toBe(200);
      await waitForValue(key, String(count));
    }
    while ((await refresh(one)) !== 429);
    while ((await refresh(other)) !== 429);
    expect(await redis.send('GET', `street-art-map:${key}`)).toBe(String(limit));
  });

  it('have keys that expire and that contain no secret', async () => {
    await read(cluster.processes[0]!);
    await refreshWithWrongSecret(cluster.processes[0]!);
    const keys = (await redis.send('KEYS', '*')) as string[];
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) {
      expect(key).toMatch(
        /^street-art-map:(probe|[a-z-]+:((app|usr)_[\dA-Z]+ ?)*(127\.0\.0\.1)?|dpop-proof:[\w-]{43})$/,
      );
      expect(await redis.send('PTTL', key)).toBeGreaterThan(0);
    }
  });

  it('are counted without Redis while it is down, and in Redis again 15 s after it is back', async () => {
    await redis.kill();
    await waitForEvent(LOST, 1);
    const [one, other] = cluster.processes as [ServerProcess, ServerProcess];
    expect([await read(one), await read(one), await read(other)].map(getRemaining)).toEqual([119, 118, 119]);
    const failures = await sendInTurn(WRONG_SECRETS_PER_MINUTE + 2, refreshWithWrongSecret);
    expect(failures.map(getStatus)).toEqual([...Array<number>(WRONG_SECRETS_PER_MINUTE).fill(401), 429, 429]);
    expect(await refresh(one)).toBe(200);

    await redis.restart();
    expect(await waitForEvent(FOUND, 1)).toBeLessThan(RECOVERY_TIMEOUT_MS);
    expect((await sendInTurn(3, read)).map(getRemaining)).toEqual([119, 118, 117]);
    expect([countEvents(LOST), countEvents(FOUND)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('do not wait for a Redis that hangs, and use it again 15 s after it continues', async () => {
    redis.suspend();
    const startedAt = performance.now();
    const first = await Promise.all(Array.from({ length: 20 }, () => sendInTurn(2, read)));
    expect(performance.now() - startedAt).toBeLessThan(2 * SLOWEST_RESPONSE_MS);
    expect(new Set(first.flat().map(getStatus))).toEqual(new Set([200]));
    await waitForEvent(LOST, 2);

    const laterStartedAt = performance.now();
    await sendInTurn(20, read);
    expect(performance.now() - laterStartedAt).toBeLessThan((20 * 250) / 2);

    redis.resume();
    expect(await waitForEvent(FOUND, 2)).toBeLessThan(RECOVERY_TIMEOUT_MS);
    expect(countEvents(LOST)).toEqual([2, 2]);
  });

  it('are counted without a Redis that rejects writes', async () => {
    await redis.send('CONFIG', 'SET', 'maxmemory', '1');
    expect((await sendInTurn(2, read)).map(getStatus)).toEqual([200, 200]);
    await waitForEvent(LOST, 3);
    await redis.send('CONFIG', 'SET', 'maxmemory', '0');
    expect(await waitForEvent(FOUND, 3)).toBeLessThan(RECOVERY_TIMEOUT_MS);
  });
});

describe('A service with REDIS_URL', () => {
  let redis: RedisServer;
  let folder: TempFolder;
  let service: ServerProcess;

  beforeEach(async () => {
    folder = await createTempFolder();
    redis = await RedisServer.start({ password: 'the-right-password' });
  });
  afterEach(async () => {
    await service.stop();
    await redis.kill();
    await folder.remove();
  });

  const start = async (environment: Record<string, string>): Promise<void> => {
    const settings = { DATABASE_URL: 'sqlite::memory:', DEMO_DATA: 'off', RATE_LIMITS: 'on', LOG_FORMAT: 'json' };
    service = await ServerProcess.start(folder.path, { ...settings, ...environment });
  };
  const countAnonymousCall = async (): Promise<string | null> => {
    const { headers } = await sendRequest(service.url, 'GET', '/api/collections/col_00000000000000000000000000');
    return headers.get('x-ratelimit-remaining');
  };

  it('starts with a wrong password, and logs the failure without the password', async () => {
    await start({ REDIS_URL: redis.url('the-wrong-password') });
    await service.waitForOutput(/"event":"redis_unavailable".*WRONGPASS/g);
    expect(await countAnonymousCall()).toBe('59');
    expect(await redis.send('DBSIZE')).toBe(0);
    expect(service.output()).not.toContain('password@');
    expect(service.output()).not.toContain('the-wrong-password');
  });

  it('reads the URL from REDIS_URL_FILE, and shows in its metrics whether Redis is in use', async () => {
    const [file, port] = [join(folder.path, 'redis-url'), String(await findFreePort())];
    await writeFile(file, `${redis.url()}\n`);
    await start({ REDIS_URL_FILE: file, METRICS_PORT: port });
    const readGauge = async (): Promise<string | undefined> => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return /^street_art_redis_up\{worker="1"\} (\d)$/m.exec(text)?.[1];
    };
    expect(await countAnonymousCall()).toBe('59');
    expect(await redis.send('EXISTS', 'street-art-map:anonymous:127.0.0.1')).toBe(1);
    expect(await readGauge()).toBe('1');

    await redis.kill();
    await service.waitForOutput(/"event":"redis_unavailable"/g);
    expect(await readGauge()).toBe('0');
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(service.output()).not.toContain('the-right-password');
  });
});
