import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD_QUEUE } from '../../src/identity/accounts/password-hashing.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

describe('Sign-ups', () => {
  let server: TestServer;
  let count = 0;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  });
  afterAll(() => server.stop());

  const signUp = async (from: string, overrides: Record<string, string> = {}): Promise<PageResponse> => {
    const username = `newcomer${++count}`;
    const fields = { username, name: 'A person', email: `${username}@example.org`, password: 'correct horse' };
    return new BrowserClient(server, { 'X-Forwarded-For': from }).post('/sign-up', { ...fields, ...overrides });
  };

  it('are limited to 30 accounts per hour from one network, with the time to wait', async () => {
    for (let mistakes = 0; mistakes < 31; mistakes++)
      expect((await signUp('203.0.113.7', { email: 'none' })).status).toBe(422);
    for (let created = 0; created < 30; created++) expect((await signUp('203.0.113.7')).status).toBe(303);
    const { status, html, headers } = await signUp('203.0.113.7');
    expect(status).toBe(429);
    expect(html).toContain('Too many accounts were created from your network.');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await signUp('203.0.113.8')).status).toBe(303);
  });

  it('are limited to 60 rejected forms per hour from one network, and count one by one in parallel', async () => {
    const { email } = await createAccount(server);
    for (let taken = 0; taken < 55; taken++) expect((await signUp('203.0.113.9', { email })).status).toBe(422);
    const responses = await Promise.all(Array.from({ length: 10 }, () => signUp('203.0.113.9', { email })));
    const throttled = responses.filter(({ status }) => status === 429);
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(throttled).toHaveLength(5);
    expect(throttled[0]!.html).toContain('Too many sign-ups from your network failed.');
    expect(Number(throttled[0]!.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await signUp('203.0.113.9')).status).toBe(429);
    expect((await signUp('203.0.113.10')).status).toBe(303);
  });

  it.each(['username', 'email'] as const)('with a %s that is taken hash no password', async (field) => {
    const account = await createAccount(server);
    const { promise: blocked, resolve: release } = createBlocker();
    const blockers = [1, 2].map(() => PASSWORD_QUEUE.run('other', () => blocked));
    const { status, html } = await signUp('203.0.113.11', { [field]: account[field] });
    expect({ status, waiting: PASSWORD_QUEUE.waitingCount }).toEqual({ status: 422, waiting: 0 });
    expect(html).toContain(`id="${field}-error"`);
    release();
    await Promise.all(blockers);
  });
});

function createBlocker(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
