import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERSION } from '../../src/platform/config/version.js';
import { TestServer } from '../support/test-server.js';

describe('Health', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on' });
  });
  afterAll(() => server.stop());

  it('/health/live returns 200 while the process runs', async () => {
    const { status, body, headers } = await server.request('GET', '/health/live');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', version: VERSION } });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('/health/live names the commit of the build', async () => {
    const other = await TestServer.start({ BUILD_COMMIT: '4f2a9c1' });
    const { body } = await other.request('GET', '/health/live');
    await other.stop();
    expect(body).toEqual({ status: 'ok', version: VERSION, commit: '4f2a9c1' });
  });

  it('/health/ready returns 200 while the database responds and the disk works', async () => {
    const { status, body, headers } = await server.request('GET', '/health/ready');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      info: { database: { status: 'up' }, disk: { status: 'up' }, clock: { status: 'up' } },
      error: {},
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('is not rate-limited', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => server.request('GET', '/health/ready')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
