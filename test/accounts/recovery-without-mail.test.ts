import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmailToken } from '../../src/identity/accounts/email-token.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount } from '../support/factories.js';
import { readQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';
import { BrowserClient } from '../support/browser-client.js';

describe('A service that sends no e-mail', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ NODE_ENV: 'production' });
  });
  afterAll(() => server.stop());

  it('says so instead of a form, and makes no links', async () => {
    const account = await createAccount(server);
    const browser = await openSignedInBrowser(server, account);
    const { username, email } = account;
    const sent = await browser.post('/forgot-password', { username });
    for (const { status, html } of [sent, await browser.get('/forgot-password'), await browser.get('/account/email')]) {
      expect({ status, notice: html.includes('This service sends no e‑mail.') }).toEqual({ status: 200, notice: true });
      expect(html).not.toMatch(/name="(username|email)"/);
    }
    await browser.post('/account/email/send-again', {});
    const form = { username: `new-${username}`, name: 'Neo', email: `new-${email}`, password: 'long enough' };
    expect((await new BrowserClient(server).post('/sign-up', form)).status).toBe(303);
    expect(await server.entityManager.count(EmailToken)).toBe(0);
    expect(await readQueuedMail(server)).toEqual([]);
  });
});
