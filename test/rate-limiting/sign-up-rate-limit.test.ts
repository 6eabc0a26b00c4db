import { expect, it } from '@jest/globals';
import { TestServer } from '../support/test-server.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

it('Signing up is limited by network: 30 accounts an hour, and then a page says when to come again', async () => {
  const server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' });
  let count = 0;
  const signUp = async (from: string, email = `person${++count}@example.org`): Promise<PageResponse> => {
    const browser = new BrowserClient(server, { 'X-Forwarded-For': from });
    const fields = { username: `person${count}`, name: 'A person', email, password: 'correct horse' };
    return browser.submitForm(await browser.get('/sign-up'), '/sign-up', fields);
  };
  for (let mistakes = 0; mistakes < 31; mistakes++) expect((await signUp('203.0.113.7', 'none')).status).toBe(422);
  for (let made = 0; made < 30; made++) expect((await signUp('203.0.113.7')).status).toBe(303);
  const { status, html, headers } = await signUp('203.0.113.7');
  expect(status).toBe(429);
  expect(html).toContain('Many accounts were made from your network lately.');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
  expect((await signUp('203.0.113.8')).status).toBe(303);
  await server.stop();
});
