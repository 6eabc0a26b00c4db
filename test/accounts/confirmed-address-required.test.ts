import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import type { BrowserClient } from '../support/browser-client.js';
import { createAccount, createMarker, issueAccessToken } from '../support/factories.js';
import { addPasskey } from '../support/passkey-fixture.js';
import { findQueuedLink } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

const NOTICE = 'Confirm your e‑mail address first';

describe('An account whose e-mail address is not confirmed', () => {
  let server: TestServer;
  let account: AccountWithEmail;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'map@example.org' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server);
    browser = await openSignedInBrowser(server, account);
  });

  const confirm = async (): Promise<void> => {
    await browser.post('/account/email/send-again', {});
    const link = await findQueuedLink(server, 'confirmEmail', account.email);
    expect((await browser.submitForm(await browser.get(link), '/verify-email')).status).toBe(200);
  };
  const suggestion = {
    type: 'create',
    targetType: 'artwork',
    changes: { title: 'Wall', location: { lat: 52, lon: 5 } },
  };

  it.each(['/account/passkeys', '/developer/apps/new'])('sees at %s what to do, and no form to add', async (path) => {
    const page = await browser.get(path);
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining(NOTICE) });
    expect(page.html).not.toContain('name="name"');
    const { location } = await browser.submitForm(page, '/account/email/send-again');
    expect(location).toBe('/account/email?sent=confirmation');
    await confirm();
    const { html } = await browser.get(path);
    expect(html).toContain('name="name"');
    expect(html).not.toContain(NOTICE);
  });

  it.each([
    ['/account/passkeys', { name: 'Phone' }],
    ['/account/passkeys', { name: 'Phone', credential: '{}' }],
    ['/developer/apps', { name: 'My app', redirectUris: 'https://app.example.org/callback', scopes: 'openid' }],
  ])('cannot send the form of %s', async (path, form) => {
    const { status, html } = await browser.post(path, form);
    expect(status).toBe(403);
    expect(html).toContain(NOTICE);
  });

  it('cannot suggest an edit, and apps know it before', async () => {
    const token = await issueAccessToken(server, undefined, account);
    const { id } = await createMarker(server);
    const response = await server.request('POST', '/api/edits', { token, body: suggestion });
    expect({ status: response.status, ...response.body }).toMatchObject({
      status: 403,
      code: 'not_allowed',
      reason: 'email_unconfirmed',
      error: expect.stringContaining('/account/email'),
    });
    const body = {
      items: [
        { type: 'create', targetType: 'artwork' },
        { targetType: 'artwork', targetId: id },
      ],
    };
    const { body: evaluation } = await server.request('POST', '/api/edits/evaluate-permissions', { token, body });
    expect(JSON.stringify(evaluation).match(/email_unconfirmed/g)!.length).toBeGreaterThan(1);
  });

  it('can do all of it after the confirmation', async () => {
    const token = await issueAccessToken(server, undefined, account);
    await confirm();
    await addPasskey(server, browser);
    const form = {
      name: `App of ${account.username}`,
      redirectUris: 'https://app.example.org/callback',
      scopes: 'openid',
    };
    expect((await browser.post('/developer/apps', form)).status).toBe(303);
    expect((await server.request('POST', '/api/edits', { token, body: suggestion })).status).toBe(201);
  });

  it('can do all of it at a service without a mail server', async () => {
    const local = await TestServer.start();
    const owner = await createAccount(local);
    const token = await issueAccessToken(local, undefined, owner);
    await addPasskey(local, await openSignedInBrowser(local, owner));
    expect((await local.request('POST', '/api/edits', { token, body: suggestion })).status).toBe(201);
    await local.stop();
  });
});
