import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { RateLimitWindow } from '../../src/platform/rate-limiting/rate-limit-window.entity.js';
import { PASSWORD_QUEUE } from '../../src/identity/accounts/password-hashing.js';
import { SignInAttemptCounter } from '../../src/identity/accounts/sign-in/sign-in-attempt-counter.entity.js';
import { MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { toLargestNetwork } from '../../src/platform/http/client-address.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const BUSY_NETWORK = '192.0.2.1';
const OTHER_NETWORK = '198.51.100.2';

/** No other test uses it. The tests of a process share the queue, which counts for 10 minutes. */
const NEW_NETWORK = '198.19.0.3';

/** Tasks of one network that run or wait, at most. */
const NETWORK_SHARE = 2 + 24;

describe('The queue of password hashes', () => {
  let server: TestServer;
  let account: Account;
  let release: () => void;
  let blockers: Promise<unknown>[];

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    account = await createAccount(server);
  });
  afterAll(() => server.stop());
  beforeEach(() => blockNetwork());
  afterEach(async () => {
    release();
    await Promise.all(blockers);
  });

  /** Takes every place of a network: two tasks run, and the others wait. */
  function blockNetwork(tasks = NETWORK_SHARE): void {
    const released = new Promise<void>((resolve) => (release = resolve));
    const key = toLargestNetwork(BUSY_NETWORK);
    blockers = Array.from({ length: tasks }, () => PASSWORD_QUEUE.run(key, () => released));
  }
  const openBrowser = (from: string): BrowserClient => new BrowserClient(server, { 'X-Forwarded-For': from });
  const countAttempts = async (): Promise<number> =>
    (await server.entityManager.count(RateLimitWindow)) + (await server.entityManager.count(SignInAttemptCounter));
  /** Resolves when so many hashes wait. */
  const waitForWaiting = async (count: number): Promise<void> => {
    while (PASSWORD_QUEUE.waitingCount !== count) await new Promise(setImmediate);
  };

  it.each(['de', 'en', 'es', 'fr', 'pt'] as const)(
    'rejects a sign-in from a network with half of the places with 503 in %s, and does not count it',
    async (language) => {
      const before = await countAttempts();
      const form = { username: account.username, password: 'wrong' };
      const browser = openBrowser(BUSY_NETWORK);
      const { status, headers, html } = await browser.post('/sign-in', form, { 'Accept-Language': language });
      expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 503, wait: '5' });
      expect(html).toContain(`lang="${language}"`);
      expect(html).toContain(MESSAGES_BY_LANGUAGE[language].errors.tooBusy);
      expect(html).toContain(`name="username" value="${account.username}"`);
      expect(html).not.toContain('value="wrong"');
      expect(await countAttempts()).toBe(before);
    },
  );

  it('counts the neighbors of an address as one network', async () => {
    const form = { username: account.username, password: 'correct horse' };
    expect((await openBrowser('192.0.2.254').post('/sign-in', form)).status).toBe(503);
  });

  it('keeps a place for a known browser in a network with half of the places', async () => {
    const form = { username: account.username, password: 'correct horse' };
    const browser = openBrowser(BUSY_NETWORK);
    release();
    await Promise.all(blockers);
    expect((await browser.post('/sign-in', form)).status).toBe(303);
    blockNetwork();
    const response = browser.post('/sign-in', form);
    await waitForWaiting(25);
    const stranger = { username: 'no-such-name', password: 'wrong' };
    expect((await browser.post('/sign-in', stranger)).status).toBe(503);
    release();
    expect((await response).status).toBe(303);
  });

  it('rejects a sign-up from a network with half of the places with 503, and does not count it', async () => {
    const sumWindows = async (): Promise<number> => {
      const windows = await server.entityManager.find(RateLimitWindow);
      return windows.reduce((total, { count }) => total + count, 0);
    };
    const before = await sumWindows();
    const form = { username: 'busy', name: 'Busy', email: 'busy@example.org', password: 'a long password' };
    const { status, headers } = await openBrowser(BUSY_NETWORK).post('/sign-up', form);
    expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 503, wait: '5' });
    expect(await sumWindows()).toBe(before);
  });

  it('gives another network the next turn', async () => {
    const response = openBrowser(OTHER_NETWORK).post('/sign-in', {
      username: account.username,
      password: 'correct horse',
    });
    await waitForWaiting(25);
    release();
    expect((await response).status).toBe(303);
  });

  it('gives the next turn to a new network while 64 other networks take all places', async () => {
    release();
    await Promise.all(blockers);
    blockNetwork(2);
    let rejectedCount = 0;
    const attempts = Array.from({ length: 64 }, (_, index) =>
      PASSWORD_QUEUE.run(toLargestNetwork(`198.18.${index}.1`), () => Promise.resolve()).catch(() => rejectedCount++),
    );
    const form = { username: account.username, password: 'correct horse' };
    const response = openBrowser(NEW_NETWORK).post('/sign-in', form);
    const isQueued = async (): Promise<void> => {
      while (rejectedCount < 64 + 1 - 48) await new Promise(setImmediate);
    };
    await Promise.race([response, isQueued()]);
    release();
    expect((await response).status).toBe(303);
    await Promise.all(attempts);
  });

  it('skips the work of a closed connection, which costs nothing and does not count', async () => {
    const before = await countAttempts();
    const socket = await sendSignIn('never-hashed');
    await waitForWaiting(25);
    socket.destroy();
    await waitForWaiting(24);
    release();
    await Promise.all(blockers);
    expect(await countAttempts()).toBe(before);
  });

  /** Sends a sign-in on a connection of its own. */
  async function sendSignIn(username: string): Promise<Socket> {
    const body = new URLSearchParams({ username, password: 'wrong' }).toString();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const head = [
      'POST /sign-in HTTP/1.1',
      `Host: ${hostname}`,
      `X-Forwarded-For: ${OTHER_NETWORK}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    return socket;
  }
});
