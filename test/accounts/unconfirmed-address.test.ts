import { afterEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import { DatabasePollService } from '../../src/platform/scheduling/database-poll.service.js';
import { PasswordResetService } from '../../src/identity/accounts/password/password-reset.service.js';
import { Passkey } from '../../src/identity/accounts/passkeys/passkey.entity.js';
import { KnownBrowser } from '../../src/identity/accounts/sign-in/known-browser.entity.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { registerApp } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { createPasskey, signInWithPasskey } from '../support/passkey-fixture.js';
import { findQueuedLink } from '../support/queued-mail.js';
import type { SoftwareAuthenticator } from '../support/software-authenticator.js';

const NEW_PASSWORD = 'harbor lantern eleven';
const BOTH_BOXES = { disconnect_apps: 'on', remove_passkeys: 'on' };

/** What a person left in an account before the password is reset. */
interface Planted {
  device: SoftwareAuthenticator;
  accessToken: string;
  refreshToken: string;
  ownApp: App;
}

describe('Reset of the password of an account', () => {
  const fixture = OAuthFixture.use();

  afterEach(restoreClock);

  const confirmAddress = async (): Promise<void> => {
    const { account, server } = fixture;
    const { id, email } = account;
    await server.get(TransactionService).run((tx) => server.get(AccountsStore).updateVerifiedEmail(tx, id, email));
  };
  const plant = async (): Promise<Planted> => {
    const { account, server } = fixture;
    const device = await createPasskey(server, account);
    const { app: ownApp } = await registerApp(server, { ownerId: account.id });
    const { body } = await fixture.authorizeApp({ scope: 'openid email markers:read edits:read' });
    // An access token names the second in which it was issued.
    advanceClock(SECOND_MS);
    return {
      device,
      ownApp,
      accessToken: body.access_token as string,
      refreshToken: body.refresh_token as string,
    };
  };
  const openResetPage = async (): Promise<PageResponse> => {
    const { account, browser, server } = fixture;
    await browser.post('/forgot-password', { username: account.username });
    return new BrowserClient(server).get(await findQueuedLink(server, 'resetPassword', account.email));
  };
  const reset = async (fields: Record<string, string> = {}): Promise<PageResponse> => {
    const [, token = ''] = /name="token" value="([^"]+)"/.exec((await openResetPage()).html) ?? [];
    return new BrowserClient(fixture.server).post('/reset-password', { token, password: NEW_PASSWORD, ...fields });
  };
  const readState = async ({
    device,
    accessToken,
    refreshToken,
    ownApp,
  }: Planted): Promise<Record<string, unknown>> => {
    const { server } = fixture;
    await server.get(DatabasePollService).pollNow();
    return {
      passkey: (await signInWithPasskey(new BrowserClient(server), device)).status,
      userinfo: (await server.request('GET', '/api/oauth/userinfo', { token: accessToken })).status,
      api: (await server.request('GET', '/api/markers?bbox=0,0,1,1', { token: accessToken })).status,
      refresh: (await fixture.refreshTokens(refreshToken)).status,
      consent: await isConsentAsked(),
      appDisabledBy: (await server.entityManager.findOneByOrFail(App, { id: ownApp.id })).disabledBy,
    };
  };
  const isConsentAsked = async (): Promise<boolean> => {
    const { account, server } = fixture;
    const browser = new BrowserClient(server);
    await browser.post('/sign-in', { username: account.username, password: NEW_PASSWORD });
    fixture.browser = browser;
    return fixture.requiresConsent({ scope: 'openid email markers:read edits:read' });
  };

  const NOTHING_LEFT = { passkey: 422, userinfo: 401, api: 401, refresh: 400, consent: true };
  /** Access tokens cannot be revoked: after a person disconnected the apps, they still expire. */
  const ONLY_ACCESS_TOKENS_LEFT = { ...NOTHING_LEFT, userinfo: 200, api: 200 };
  const EVERYTHING_LEFT = { passkey: 303, userinfo: 200, api: 200, refresh: 200, consent: false };

  it('removes everything if the address was never confirmed, with every box unchecked', async () => {
    const { account, server } = fixture;
    const session = await openSignedInBrowser(server, account);
    const planted = await plant();
    const page = await openResetPage();
    expect(page.html).toContain('This address was never confirmed');
    expect(page.html).not.toContain('type="checkbox"');
    expect((await reset()).status).toBe(200);
    const { id: accountId } = account;
    for (const entity of [KnownBrowser, Passkey]) {
      expect(await server.entityManager.countBy(entity, { accountId })).toBe(0);
    }
    expect((await session.get('/account')).status).toBe(303);
    expect(await readState(planted)).toEqual({ ...NOTHING_LEFT, appDisabledBy: 'owner' });
    const { emailVerifiedAt } = await server.entityManager.findOneByOrFail(Account, { id: accountId });
    expect(emailVerifiedAt).not.toBeNull();
    const events = await server.entityManager.findBy(AuditEvent, { accountId });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['passkey.removed', 'authorization.revoked', 'consent.withdrawn', 'app.disabled']),
    );
  });

  it('accepts tokens that are issued after the removal', async () => {
    await plant();
    await reset();
    advanceClock(SECOND_MS);
    await isConsentAsked();
    const { body } = await fixture.authorizeApp({ scope: 'openid email' });
    const { status } = await fixture.server.request('GET', '/api/oauth/userinfo', {
      token: body.access_token as string,
    });
    expect(status).toBe(200);
  });

  it('removes nothing of an account whose link was rejected', async () => {
    const planted = await plant();
    expect((await reset({ password: 'short' })).status).toBe(422);
    expect(await readState(planted)).toMatchObject({ passkey: 303, userinfo: 200, refresh: 200, appDisabledBy: null });
  });

  it('names the apps and the passkeys of a confirmed account, with checked boxes', async () => {
    await plant();
    await confirmAddress();
    const { html } = await openResetPage();
    expect(html).toMatch(/id="disconnect_apps"[^>]* checked/);
    expect(html).toMatch(/id="remove_passkeys"[^>]* checked/);
    expect(html).toContain('Passkeys: Phone');
    expect(html).toContain(`Connected apps: ${fixture.app.app.name}`);
    expect(html).not.toContain('never confirmed');
  });

  it.each<[fields: Record<string, string>, expected: Record<string, unknown>]>([
    [BOTH_BOXES, ONLY_ACCESS_TOKENS_LEFT],
    [{ remove_passkeys: 'on' }, { ...EVERYTHING_LEFT, passkey: 422 }],
    [{ disconnect_apps: 'on' }, { ...ONLY_ACCESS_TOKENS_LEFT, passkey: 303 }],
    [{}, EVERYTHING_LEFT],
  ])('removes from a confirmed account only what the boxes %j name', async (fields, expected) => {
    const planted = await plant();
    await confirmAddress();
    expect((await reset(fields)).status).toBe(200);
    expect(await readState(planted)).toEqual({ ...expected, appDisabledBy: null });
  });

  it('keeps the boxes of a rejected form as the person left them', async () => {
    await confirmAddress();
    const { html } = await reset({ password: 'short', remove_passkeys: 'on' });
    expect(html).toMatch(/id="remove_passkeys"[^>]* checked/);
    expect(html).not.toMatch(/id="disconnect_apps"[^>]* checked/);
  });

  it('leaves the decision to the person at a link of the operator, which proves no address', async () => {
    const planted = await plant();
    const { account, server } = fixture;
    const { url } = await server.get(PasswordResetService).createLinkForOperator(account.username);
    const token = new URL(url).searchParams.get('token')!;
    expect((await new BrowserClient(server).get(`/reset-password?token=${token}`)).html).toContain('type="checkbox"');
    await new BrowserClient(server).post('/reset-password', { token, password: NEW_PASSWORD });
    expect(await readState(planted)).toEqual({ ...EVERYTHING_LEFT, appDisabledBy: null });
  });
});
