import { expect, it } from '@jest/globals';
import { Service } from '../support/service.js';
import { type Seen, Visitor } from '../support/visitor.js';

it('Signing up is limited by network: 30 accounts an hour, and then a page says when to come again', async () => {
  const service = await Service.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  let count = 0;
  const signUp = async (from: string, email = `person${++count}@example.org`): Promise<Seen> => {
    const visitor = new Visitor(service, { 'X-Forwarded-For': from });
    const fields = { username: `person${count}`, name: 'A person', email, password: 'correct horse' };
    return visitor.submit(await visitor.get('/sign-up'), '/sign-up', fields);
  };
  for (let mistakes = 0; mistakes < 31; mistakes++) expect((await signUp('203.0.113.7', 'none')).status).toBe(422);
  for (let made = 0; made < 30; made++) expect((await signUp('203.0.113.7')).status).toBe(303);
  const { status, html, headers } = await signUp('203.0.113.7');
  expect(status).toBe(429);
  expect(html).toContain('Many accounts were made from your network lately.');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
  expect((await signUp('203.0.113.8')).status).toBe(303);
  await service.stop();
});
