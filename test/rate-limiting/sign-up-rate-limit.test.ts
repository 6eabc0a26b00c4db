import { expect, it } from '@jest/globals';
import { TestServer } from '../support/test-server.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

it('allows 30 sign-ups per hour from one network, and then shows the time to wait', async () => {
  const server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  let count = 0;
  const signUp = async (from: string, email = `person${++count}@example.org`): Promise<PageResponse> => {
    const browser = new BrowserClient(server, { 'X-Forwarded-For': from });
    const fields = { username: `person${count}`, name: 'A person', email, password: 'correct horse' };
    return browser.submitForm(await browser.get('/sign-up'), '/sign-up', fields);
  };
  for (let mistakes = 0; mistakes < 31; mistakes++) expect((await signUp('203.0.113.7', 'none')).status).toBe(422);
  for (let created = 0; created < 30; created++) expect((await signUp('203.0.113.7')).status).toBe(303);
  const { status, html, headers } = await signUp('203.0.113.7');
  expect(status).toBe(429);
  expect(html).toContain('Too many accounts were created from your network.');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
  expect((await signUp('203.0.113.8')).status).toBe(303);
  await server.stop();
});
