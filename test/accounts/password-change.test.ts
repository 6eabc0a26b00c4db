import { describe, expect, it } from '@jest/globals';
import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import { hashPassword } from '../../src/identity/accounts/password-hashing.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import type { BrowserClient, PageResponse } from '../support/browser-client.js';
import { TEST_PASSWORD } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { findQueuedLink, findQueuedMail, readQueuedMail } from '../support/queued-mail.js';

const NEW_PASSWORD = 'harbor lantern eleven';

describe('Change of the password', () => {
  const fixture = OAuthFixture.use();

  const change = async (fields: Record<string, string> = {}, browser = fixture.browser): Promise<PageResponse> =>
    browser.submitForm(await browser.get('/account/password'), '/account/password', {
      current_password: TEST_PASSWORD,
      new_password: NEW_PASSWORD,
      ...fields,
    });
  const isSignedIn = async (browser: BrowserClient): Promise<boolean> =>
    (await browser.get('/account/apps')).status === 200;

  it.each<[fields: Record<string, string>, field: string, message: string]>([
    [{ current_password: 'wrong horse' }, 'current_password', 'is wrong'],
    [{ current_password: '' }, 'current_password', 'Enter a password'],
    [{ new_password: '' }, 'new_password', 'Enter a password'],
    [{ new_password: 'nine char' }, 'new_password', 'at least 10 characters'],
    [{ new_password: 'passwordpassword' }, 'new_password', 'easy to guess'],
    [{ new_password: '\u{1F3A8}'.repeat(201) }, 'new_password', 'at most 200 characters'],
  ])('rejects %j, and keeps everything', async (fields, field, message) => {
    const other = await openSignedInBrowser(fixture.server, fixture.account);
    const { status, html } = await change(fields);
    expect(status).toBe(422);
    expect(html).toContain('<title>Error: Change your password');
    expect(html).toMatch(new RegExp(`id="${field}-error">[^<]*${message}`));
    expect(html).not.toMatch(/type="password"[^>]* value="[^"]/);
    expect([await isSignedIn(fixture.browser), await isSignedIn(other)]).toEqual([true, true]);
    const mails = await readQueuedMail(fixture.server);
    expect(mails.filter(({ kind }) => kind === 'passwordChanged')).toEqual([]);
  });

  it('ends every other session and renews the secret of this one', async () => {
    const other = await openSignedInBrowser(fixture.server, fixture.account);
    const before = fixture.browser.getCookie('session')!;
    const { status, location } = await change();
    expect({ status, location }).toEqual({ status: 303, location: '/account/password?changed' });
    expect([await isSignedIn(fixture.browser), await isSignedIn(other)]).toEqual([true, false]);
    const copy = await fetch(`${fixture.server.url}/account/apps`, {
      headers: { cookie: `session=${before}` },
      redirect: 'manual',
    });
    expect(copy.status).toBe(303);
    await findQueuedMail(fixture.server, 'passwordChanged', fixture.account.email);
    const { account, server } = fixture;
    expect(await server.entityManager.countBy(AuditEvent, { accountId: account.id, type: 'password.changed' })).toBe(1);
  });

  it('ends the waiting links of the account', async () => {
    await fixture.browser.post('/forgot-password', { username: fixture.account.username });
    const link = await findQueuedLink(fixture.server, 'resetPassword', fixture.account.email);
    await change();
    expect((await fixture.browser.get(link)).status).toBe(410);
  });

  it('keeps the apps connected', async () => {
    const { body } = await fixture.authorizeApp();
    await change();
    expect((await fixture.refreshTokens(body.refresh_token as string)).status).toBe(200);
  });

  it('disconnects all apps if the box is checked', async () => {
    const { body } = await fixture.authorizeApp();
    const { code, codeVerifier } = await fixture.obtainCode({ prompt: 'consent' });
    const operatorTokens = await fixture.issueTokens();
    expect((await change({ disconnect_apps: 'on' })).status).toBe(303);
    for (const token of [body.refresh_token as string, operatorTokens.refresh_token]) {
      expect((await fixture.refreshTokens(token)).body.error).toBe('invalid_grant');
    }
    expect((await fixture.exchangeCode(code, codeVerifier)).status).toBe(400);
    expect(await fixture.requiresConsent()).toBe(true);
  });

  it('succeeds once for concurrent requests with the same current password', async () => {
    const browsers = await Promise.all([1, 2, 3].map(() => openSignedInBrowser(fixture.server, fixture.account)));
    const responses = await Promise.all(
      browsers.map((browser, at) =>
        browser.post('/account/password', {
          current_password: TEST_PASSWORD,
          new_password: `harbor lantern number ${at}`,
        }),
      ),
    );
    expect(responses.filter(({ location }) => location === '/account/password?changed')).toHaveLength(1);
    const signedIn = await Promise.all(browsers.map(isSignedIn));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
  });

  it('makes the old password invalid, and the new one valid', async () => {
    await change();
    const { username } = fixture.account;
    const statuses: number[] = [];
    for (const password of [TEST_PASSWORD, NEW_PASSWORD])
      statuses.push((await fixture.browser.post('/sign-in', { username, password })).status);
    expect(statuses).toEqual([422, 303]);
  });

  it('accepts a current password of 1000 characters, which an earlier version allowed', async () => {
    const password = 'x'.repeat(1000);
    const passwordHash = await hashPassword(password);
    const { server, account } = fixture;
    const store = server.get(AccountsStore);
    await server.get(TransactionService).run((tx) => store.updatePassword(tx, account.id, passwordHash));
    expect((await fixture.browser.signIn(account, password)).status).toBe(303);
    expect((await change({ current_password: password })).status).toBe(303);
  });
});
