import { afterEach, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { grantConsent, createAuthorizationRequest } from '../support/authorization-flow.js';
import { registerApp, issueTokens } from '../support/factories.js';
import { restoreClock, DAY_MS, advanceClock } from '../support/fake-clock.js';
import type { PageResponse } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { refreshTokens } from '../support/token-endpoint.js';

const CONNECTED_APPS_PATH = '/account/apps';

describe('Connected apps page', () => {
  const fixture = OAuthFixture.use({ app: () => ({ description: 'Walks from mural to mural.' }) });
  afterEach(restoreClock);

  const page = (): Promise<PageResponse> => fixture.browser.get(CONNECTED_APPS_PATH);
  const listRemovableIds = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/name="what" value="([^"]*)"/g)].map(([, what]) => what!);
  /** Posts the form. @returns the page to which it leads */
  const remove = async (what: string): Promise<string> =>
    (await fixture.browser.get((await fixture.browser.post(CONNECTED_APPS_PATH, { what })).location!)).html;
  const denyScopes = async (scope: string): Promise<void> => {
    const consentPage = await fixture.authorize({ scope, prompt: 'consent' });
    await fixture.browser.submitForm(consentPage, '/consent', { decision: 'deny' });
  };

  it('shows a message when there is no connected app', async () => {
    const { html } = await page();
    expect(html).toContain('No app is connected to your account.');
    expect(html).not.toContain('Remove access');
  });

  it('revokes the refresh tokens and the consent with "Remove access"', async () => {
    const { body } = await fixture.authorizeApp();
    const response = await fixture.browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect(response.status).toBe(303);
    expect(response.location).toMatch(/^\/account\/apps\?done=/);
    expect((await fixture.browser.get(response.location!)).html).toContain(
      `The access of ${fixture.app.app.name} was removed.`,
    );
    const rejection = await fixture.refreshTokens(body.refresh_token as string);
    expect({ status: rejection.status, error: rejection.body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(rejection.body.error_description).toMatch(/revoked/);
    expect(await fixture.requiresConsent()).toBe(true);
    expect(listRemovableIds(await page())).toEqual([]);
    const events = await fixture.server.entityManager.findBy(AuditEvent, { accountId: fixture.account.id });
    expect(events.map(({ type }) => type).sort()).toEqual([
      'authorization.revoked',
      'consent.given',
      'consent.withdrawn',
      'session.created',
    ]);
  });

  it('ends every sign-in of the app, its code and its consent with "Remove access"', async () => {
    const first = await fixture.authorizeApp();
    const second = await fixture.authorizeApp({ prompt: 'consent' });
    const byOperator = await fixture.issueTokens();
    const { code, codeVerifier } = await fixture.obtainCode({ prompt: 'consent' });
    const other = await registerApp(fixture.server);
    const otherTokens = await issueTokens(fixture.server, { app: other.app, account: fixture.account });
    expect(await remove(fixture.app.app.id)).toContain(
      `The access of ${fixture.app.app.name} was removed. All its sign-ins ended, and it must ask you`,
    );
    for (const token of [first.body.refresh_token, second.body.refresh_token, byOperator.refresh_token]) {
      const { body } = await fixture.refreshTokens(token as string);
      expect(body.error_description).toMatch(/revoked/);
    }
    expect((await fixture.exchangeCode(code, codeVerifier)).body.error).toBe('invalid_grant');
    expect(await fixture.requiresConsent()).toBe(true);
    expect((await fixture.exchangeCode(code, codeVerifier)).body.error).toBe('invalid_grant');
    expect((await refreshTokens(fixture.server, other, otherTokens.refresh_token)).status).toBe(200);
  });

  it('keeps an old code and old tokens invalid when the person allows the app again', async () => {
    const { body } = await fixture.authorizeApp();
    const { code, codeVerifier } = await fixture.obtainCode({ prompt: 'consent' });
    await remove(fixture.app.app.id);
    expect((await fixture.authorizeApp()).status).toBe(200);
    expect((await fixture.exchangeCode(code, codeVerifier)).body.error).toBe('invalid_grant');
    expect((await fixture.refreshTokens(body.refresh_token as string)).body.error).toBe('invalid_grant');
  });

  it('changes nothing when "Remove access" is posted twice or concurrently, and confirms it again', async () => {
    await fixture.authorizeApp();
    await fixture.authorizeApp({ prompt: 'consent' });
    const what = fixture.app.app.id;
    const posts = await Promise.all([1, 2, 3].map(() => fixture.browser.post(CONNECTED_APPS_PATH, { what })));
    for (const { location } of posts)
      expect((await fixture.browser.get(location!)).html).toContain('All its sign-ins ended');
    const events = await fixture.server.entityManager.findBy(AuditEvent, { accountId: fixture.account.id });
    const types = events.map(({ type }) => type).filter((type) => !['consent.given', 'session.created'].includes(type));
    expect(types.sort()).toEqual(['authorization.revoked', 'authorization.revoked', 'consent.withdrawn']);
  });

  it('removes the access while the app refreshes', async () => {
    for (let round = 0; round < 5; round++) {
      const { body } = await fixture.authorizeApp({ prompt: 'consent' });
      const [refreshed] = await Promise.all([
        fixture.refreshTokens(body.refresh_token as string),
        remove(fixture.app.app.id),
      ]);
      for (const token of [body.refresh_token, refreshed.body.refresh_token].filter(Boolean))
        expect((await fixture.refreshTokens(token as string)).body.error_description).toMatch(/revoked/);
    }
  });

  it('confirms only a removal that happened', async () => {
    await fixture.authorizeApp();
    const removed = (await fixture.browser.submitForm(await page(), CONNECTED_APPS_PATH)).location!;
    const otherBrowser = await fixture.openOtherBrowser();
    for (const path of [removed, `${CONNECTED_APPS_PATH}?done=${fixture.app.app.id}`, `${CONNECTED_APPS_PATH}?done=x`])
      expect((await otherBrowser.get(path)).html).not.toContain('was removed');
  });

  it('revokes all authorizations of an app when the form names the app', async () => {
    const { body } = await fixture.authorizeApp();
    await fixture.browser.post(CONNECTED_APPS_PATH, { what: fixture.app.app.id });
    expect((await fixture.refreshTokens(body.refresh_token as string)).body.error).toBe('invalid_grant');
    expect(await fixture.requiresConsent()).toBe(true);
  });

  it('keeps an issued access token valid until it expires', async () => {
    const { body } = await fixture.authorizeApp();
    await fixture.browser.submitForm(await page(), CONNECTED_APPS_PATH);
    const { status } = await fixture.server.request('GET', '/api/markers', { token: body.access_token as string });
    expect(status).toBe(200);
  });

  it('ends a sign-in without any allowed scope with "Remove access" too', async () => {
    const { body } = await fixture.authorizeApp({ scope: 'profile' });
    await fixture.authorizeApp({ scope: 'artists:read' });
    await denyScopes('profile');
    await remove(fixture.app.app.id);
    await fixture.authorizeApp({ scope: 'profile' });
    expect((await fixture.refreshTokens(body.refresh_token as string)).body.error_description).toMatch(/revoked/);
  });

  it('lists an app that has a consent and no tokens, until the consent is withdrawn', async () => {
    await grantConsent(fixture.browser, createAuthorizationRequest(fixture.app).path);
    expect(listRemovableIds(await page())).toEqual([fixture.app.app.id]);
    expect(await fixture.requiresConsent()).toBe(false);
    await fixture.browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect(await fixture.requiresConsent()).toBe(true);
  });

  it('omits revoked and expired authorizations', async () => {
    const { body } = await fixture.authorizeApp();
    await fixture.revokeToken(body.refresh_token as string);
    expect(listRemovableIds(await page())).toEqual([fixture.app.app.id]);
    const other = await registerApp(fixture.server);
    await issueTokens(fixture.server, { app: other.app, account: fixture.account });
    expect(listRemovableIds(await page())).toHaveLength(2);
    advanceClock(31 * DAY_MS);
    await fixture.browser.signIn(fixture.account);
    expect(listRemovableIds(await page())).toEqual([fixture.app.app.id]);
  });

  it('shows and removes nothing of another account', async () => {
    const { body } = await fixture.authorizeApp();
    const [otherEntry] = listRemovableIds(await page());
    const otherBrowser = await fixture.openOtherBrowser();
    expect((await otherBrowser.get(CONNECTED_APPS_PATH)).html).not.toContain(fixture.app.app.name);
    for (const what of [otherEntry!, fixture.app.app.id, 'aut_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', '']) {
      expect((await otherBrowser.post(CONNECTED_APPS_PATH, { what })).location).toBe(CONNECTED_APPS_PATH);
    }
    expect((await fixture.refreshTokens(body.refresh_token as string)).status).toBe(200);
    expect(await fixture.requiresConsent()).toBe(false);
  });

  it('shows the block to a blocked account, which may remove access', async () => {
    await fixture.authorizeApp();
    await fixture.server.get(AccountsService).block(fixture.account.username, 'Posted advertisements.');
    expect((await page()).html).toContain('Posted advertisements.');
    await fixture.browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect(listRemovableIds(await page())).toEqual([]);
  });
});
