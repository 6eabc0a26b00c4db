import { expect, it } from '@jest/globals';
import { Service } from '../support/service.js';
import { type Seen, Visitor } from '../support/visitor.js';

it('Signing up is limited by network: 30 accounts an hour, and then a page says when to come again', async () => {
  const service = await Service.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  const signUp = async (from: string): Promise<Seen> => {
    const visitor = new Visitor(service, { 'X-Forwarded-For': from });
    return visitor.submit(await visitor.get('/sign-up'), '/sign-up', { username: 'no name at all' });
  };
  for (let count = 0; count < 30; count++) expect((await signUp('203.0.113.7')).status).toBe(422);
  const { status, html, headers } = await signUp('203.0.113.7');
  expect(status).toBe(429);
  expect(html).toContain('Many accounts were made from your network lately.');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
  expect((await signUp('203.0.113.8')).status).toBe(422);
  await service.stop();
});
