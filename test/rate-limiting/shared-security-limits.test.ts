import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { RateLimitWindow } from '../../src/platform/rate-limiting/rate-limit-window.entity.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, issueTokens, registerApp, TEST_PASSWORD, type TestApp } from '../support/factories.js';
import { ServerCluster } from '../support/server-cluster.js';
import { sendRequest } from '../support/test-server.js';
import { refreshTokens, revokeToken } from '../support/token-endpoint.js';

/** The documented limits. */
const [WRONG_SECRETS, FAILED_REQUESTS, PASSKEY_SIGN_INS, RESET_LINKS, EMAIL_CHANGES] = [60, 600, 60, 20, 10];

interface Process {
  url: string;
}

describe('Security limits of two processes without Redis', () => {
  let cluster: ServerCluster;
  let account: Account;
  let app: TestApp;

  beforeAll(async () => {
    const environment = { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' };
    cluster = await ServerCluster.start({ processes: 2, environment });
  });
  beforeEach(async () => {
    account = await createAccount(cluster.testServer);
    app = await registerApp(cluster.testServer);
  });
  afterAll(() => cluster.stop());

  /** Sends concurrent requests to the two processes in turn. @returns the number of each status */
  const countStatuses = async (
    count: number,
    send: (process: Process) => Promise<{ status: number }>,
  ): Promise<Record<number, number>> => {
    const responses: { status: number }[] = [];
    while (responses.length < count) {
      const batch = Math.min(100, count - responses.length);
      const sent = Array.from({ length: batch }, (_, index) => send(cluster.processes[index % 2]!));
      responses.push(...(await Promise.all(sent)));
    }
    const counts: Record<number, number> = {};
    for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const openBrowser = (process: Process, from: string): BrowserClient =>
    new BrowserClient(process, { 'X-Forwarded-For': from });

  it('count wrong secrets', async () => {
    const send = (process: Process) => refreshTokens(process, app, 'any', { client_secret: 'wrong' });
    expect(await countStatuses(WRONG_SECRETS + 10, send)).toEqual({ 401: WRONG_SECRETS, 429: 10 });
  });

  it('count unknown refresh tokens and revocations', async () => {
    for (const process of cluster.processes) expect((await revokeToken(process, app, 'any')).status).toBe(200);
    const send = (process: Process) => refreshTokens(process, app, 'any');
    expect(await countStatuses(FAILED_REQUESTS, send)).toEqual({ 400: FAILED_REQUESTS - 2, 429: 2 });
  });

  it('never delay a valid refresh, which writes no counter', async () => {
    const process = cluster.serverProcess;
    const { refresh_token } = await issueTokens(cluster.testServer, { app: app.app, account });
    await countStatuses(WRONG_SECRETS + 1, (one) => refreshTokens(one, app, 'any', { client_secret: 'wrong' }));
    const sumCounts = async (): Promise<number> => {
      const windows = await cluster.testServer.entityManager.find(RateLimitWindow);
      return windows.reduce((total, { count }) => total + count, 0);
    };
    const before = await sumCounts();
    expect((await refreshTokens(process, app, refresh_token)).status).toBe(200);
    expect(await sumCounts()).toBe(before);
  });

  it('count rejected sign-ins with a passkey', async () => {
    const send = (process: Process) =>
      openBrowser(process, '203.0.113.1').post('/sign-in/passkey', { credential: '{}' });
    expect(await countStatuses(PASSKEY_SIGN_INS + 2, send)).toMatchObject({ 429: 2 });
  });

  it('count requested links at /forgot-password', async () => {
    const send = (process: Process) =>
      openBrowser(process, '203.0.113.2').post('/forgot-password', { login: 'unknown' });
    expect(await countStatuses(RESET_LINKS + 2, send)).toMatchObject({ 429: 2 });
  });

  it('count requested changes of the e-mail address', async () => {
    const browsers = new Map<string, BrowserClient>();
    for (const { url } of cluster.processes) {
      const browser = openBrowser({ url }, '203.0.113.3');
      await browser.signIn(account);
      browsers.set(url, browser);
    }
    const form = { email: 'new@example.org', password: TEST_PASSWORD };
    const send = ({ url }: Process) => browsers.get(url)!.post('/account/email', form);
    expect(await countStatuses(EMAIL_CHANGES + 2, send)).toMatchObject({ 429: 2 });
  });

  it('do not include the limits of API calls, which each process counts', async () => {
    const { access_token } = await issueTokens(cluster.testServer, { app: app.app, account });
    const read = ({ url }: Process) => sendRequest(url, 'GET', '/api/edits/mine', { token: access_token });
    for (const process of cluster.processes)
      expect((await read(process)).headers.get('x-ratelimit-remaining')).toBe('119');
  });
});
