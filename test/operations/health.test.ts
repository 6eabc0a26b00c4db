import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Service } from '../support/service.js';

describe('Health', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start({ RATE_LIMITS: 'on' });
  });
  afterAll(() => service.stop());

  it('/health/live answers as long as the process does', async () => {
    const { status, body, headers } = await service.call('GET', '/health/live');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('/health/ready answers where the database does and the disk has not failed', async () => {
    const { status, body, headers } = await service.call('GET', '/health/ready');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      info: { database: { status: 'up' }, disk: { status: 'up' } },
      error: {},
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('is asked as often as anybody likes', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => service.call('GET', '/health/ready')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
