import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { SessionsService } from '../../src/identity/accounts/sessions/sessions.service.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { Collection } from '../../src/map/collections/collection.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import type { BrowserClient } from '../support/browser-client.js';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import { StalledRequest } from '../support/stalled-request.js';
import { TestServer } from '../support/test-server.js';

describe('A form that a slow client sends', () => {
  let server: TestServer;
  let account: Account;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start({ BASE_URL: 'http://map.example.org' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server);
    browser = await openSignedInBrowser(server, account);
  });

  const stallForm = (path: string, form: Record<string, string>): Promise<StalledRequest> =>
    StalledRequest.open(`${server.url}${path}`, new URLSearchParams(form).toString(), {
      'Content-Type': 'application/x-www-form-urlencoded',
      Cookie: `session=${browser.getCookie('session')}`,
    });
  const endSessions = (): Promise<number> =>
    server.get(TransactionService).run((tx) => server.get(SessionsService).endAll(tx, account.id));
  const app = { name: 'Slow', redirectUris: 'https://slow.example/callback', scopes: 'openid' };

  it('changes nothing after its session ended', async () => {
    const request = await stallForm('/developer/apps', app);
    await endSessions();
    const { status, location } = await request.finish();
    expect({ status, location }).toEqual({ status: 303, location: '/sign-in?' });
    expect(await server.entityManager.countBy(App, { ownerId: account.id })).toBe(0);
  });

  it('returns to the page of the account after the sign-in', async () => {
    const request = await stallForm('/account/profile/remove-picture', {});
    await endSessions();
    const { status, location } = await request.finish();
    expect({ status, location }).toEqual({ status: 303, location: '/sign-in?return_to=%2Faccount%2Fprofile' });
  });

  it('takes effect while its session lasts', async () => {
    const request = await stallForm('/developer/apps', app);
    expect((await request.finish()).status).toBe(303);
    expect(await server.entityManager.countBy(App, { ownerId: account.id })).toBe(1);
  });
});

describe('An API call that a slow client sends', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it.each([
    ['is rejected after the app was disabled', true, 403, 0],
    ['takes effect while the app is enabled', false, 201, 1],
  ])('%s', async (_, isDisabled, status, collections) => {
    const account = await createAccount(server);
    const { app } = await registerApp(server);
    const { access_token } = await issueTokens(server, { app, account });
    const request = await StalledRequest.open(`${server.url}/api/collections`, JSON.stringify({ name: 'Slow' }), {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${access_token}`,
    });
    if (isDisabled) await server.get(AppsService).disable(app.id);
    expect((await request.finish()).status).toBe(status);
    expect(await server.entityManager.countBy(Collection, { ownerId: account.id })).toBe(collections);
  });
});
