import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mintSecret } from '../../src/crypto/opaque-secret.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';

/** Requests a minute, as the docs say. */
const [BY_APP, WRONG_SECRETS, WRONG_GRANTS] = [3000, 60, 600];

describe('The limits of the token endpoint', () => {
  let service: Service;
  let client: TestApp;

  beforeAll(async () => {
    service = await Service.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  });
  beforeEach(async () => {
    client = await newApp(service);
  });
  afterEach(backToNow);
  afterAll(() => service.stop());

  const ask = (refresh_token: string, more: object = {}, from = '127.0.0.1'): Promise<Answer> => {
    const body = { grant_type: 'refresh_token', refresh_token, ...client.credentials, ...more };
    return service.call('POST', '/api/oauth/token', { body, headers: { 'X-Forwarded-For': from } });
  };
  const askWrongly = (from?: string): Promise<Answer> => ask('any', { client_secret: mintSecret('sam_secret') }, from);
  const statuses = async (count: number, act: () => Promise<Answer>): Promise<Set<number>> => {
    const all = new Set<number>();
    for (let at = 0; at < count; at += 100) {
      const answers = await Promise.all(Array.from({ length: Math.min(100, count - at) }, () => act()));
      answers.forEach(({ status }) => all.add(status));
    }
    return all;
  };
  const newChain = async (): Promise<string> =>
    (await newTokens(service, { app: client.app, account: await newAccount(service) })).refresh_token;
  const expectLimited = ({ status, body, headers }: Answer): void => {
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
    expect(await statuses(WRONG_SECRETS, askWrongly)).toEqual(new Set([401]));
    const limited = await askWrongly();
    expectLimited(limited);
    later(Number(limited.headers.get('retry-after')) * SECOND);
    expect((await askWrongly()).status).toBe(401);
  });

  it('never keep out who has the right secret and token, whatever others tried, from the same address too', async () => {
    const token = await newChain();
    await statuses(WRONG_SECRETS + 1, askWrongly);
    await statuses(BY_APP + 1, () => ask('any'));
    expectLimited(await ask('any'));
    expect((await ask(token)).status).toBe(200);
  });

  it('refuse tokens that are none after 600 a minute, by app and network', async () => {
    expect(await statuses(WRONG_GRANTS, () => ask('any'))).toEqual(new Set([400]));
    expectLimited(await ask('any'));
    expect((await ask('any', {}, '203.0.113.9')).status).toBe(400);
    const { credentials } = await newApp(service);
    expect((await ask('any', credentials)).status).toBe(400);
  });

  it('count wrong secrets of each app apart, by HTTP Basic too', async () => {
    const askAs = ({ credentials }: TestApp): Promise<Answer> =>
      service.call('POST', '/api/oauth/token', {
        body: { grant_type: 'refresh_token' },
        headers: { Authorization: `Basic ${Buffer.from(`${credentials.client_id}:wrong`).toString('base64')}` },
      });
    expect(await statuses(WRONG_SECRETS, () => askAs(client))).toEqual(new Set([401]));
    expectLimited(await askAs(client));
    expect((await askAs(await newApp(service))).status).toBe(401);
  });

  it('refuse an app after 3000 requests a minute, wherever they come from, and no other app with it', async () => {
    const revoke = (by: TestApp, from: string): Promise<Answer> => {
      const body = { token: 'any', ...by.credentials };
      return service.call('POST', '/api/oauth/revoke', { body, headers: { 'X-Forwarded-For': from } });
    };
    let count = 0;
    expect(await statuses(BY_APP, () => revoke(client, `203.0.113.${count++ % 200}`))).toEqual(new Set([200]));
    expectLimited(await revoke(client, '203.0.113.201'));
    expect((await ask(await newChain())).status).toBe(200);
    expect((await revoke(await newApp(service), '127.0.0.1')).status).toBe(200);
  });

  it('spend nothing when they refuse', async () => {
    const token = await newChain();
    await statuses(BY_APP, () => ask(token, { grant_type: 'none' }));
    const limited = await ask(token);
    expectLimited(limited);
    later(Number(limited.headers.get('retry-after')) * SECOND);
    expect((await ask(token)).status).toBe(200);
  });
});
