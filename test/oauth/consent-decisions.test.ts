import { afterEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import type { Resource } from '../../src/identity/scopes/resources.js';
import type { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { AuthorizationCode } from '../../src/identity/oauth/authorize/authorization-code.entity.js';
import { ConsentAnswerService } from '../../src/identity/oauth/authorize/consent-answer.service.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { type Scope } from '../../src/identity/scopes/scopes.js';
import {
  grantConsent,
  createAuthorizationRequest,
  REDIRECT_URI,
  parseRedirectParams,
} from '../support/authorization-flow.js';
import { createAccount } from '../support/factories.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { parseForm } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

describe('Consent decision', () => {
  const fixture = OAuthFixture.useWithRequiredScope();
  afterEach(restoreClock);

  it('returns one valid code when the form is posted ten times concurrently', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => fixture.browser.submitForm(page, '/consent', { decision: 'allow' })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(303));
    const codes = new Set(responses.map((response) => parseRedirectParams(response).code));
    expect(codes.size).toBe(1);
    expect((await fixture.exchangeCode([...codes][0], codeVerifier)).status).toBe(200);
  });

  it('returns a new code when the first one was exchanged or has expired', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    const post = async () =>
      parseRedirectParams(await fixture.browser.submitForm(page, '/consent', { decision: 'allow' })).code;
    const first = await post();
    expect((await fixture.exchangeCode(first, codeVerifier)).status).toBe(200);
    const second = await post();
    expect(await post()).toBe(second);
    advanceClock(61 * SECOND_MS);
    const third = await post();
    expect(new Set([first, second, third]).size).toBe(3);
    expect((await fixture.exchangeCode(third, codeVerifier)).status).toBe(200);
  });

  it('returns a new code when the first one expires soon, and invalidates the first one', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    const first = parseRedirectParams(await fixture.browser.submitForm(page, '/consent', { decision: 'allow' })).code;
    advanceClock(40 * SECOND_MS);
    const second = parseRedirectParams(await fixture.browser.submitForm(page, '/consent', { decision: 'allow' })).code;
    expect((await fixture.exchangeCode(first, codeVerifier)).body.error).toBe('invalid_grant');
    expect((await fixture.exchangeCode(second, codeVerifier)).status).toBe(200);
  });

  it('invalidates the first code when the form is posted again with other scopes', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    const first = await fixture.browser.submitForm(page, '/consent', { decision: 'allow' });
    const second = await fixture.browser.submitForm(page, '/consent', { decision: 'allow', scope: [] });
    expect((await fixture.exchangeCode(parseRedirectParams(first).code, codeVerifier)).body.error).toBe(
      'invalid_grant',
    );
    expect(await fixture.exchangeForScope(second, codeVerifier)).toBe('openid markers:read');
  });

  it('issues at most five codes for a form that is posted again and again, and then asks to start again', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    const post = () => fixture.browser.submitForm(page, '/consent', { decision: 'allow' });
    for (let count = 0; count < 5; count++) {
      const { code } = parseRedirectParams(await post());
      expect((await fixture.exchangeCode(code, codeVerifier)).status).toBe(200);
    }
    for (let count = 0; count < 2; count++) {
      const { status, html, location } = await post();
      expect({ status, location }).toEqual({ status: 400, location: null });
      expect(html).toContain('This form was sent too often.');
    }
    expect(await fixture.server.entityManager.countBy(AuthorizationCode, { appId: fixture.app.app.id })).toBe(5);
    expect(await fixture.requiresConsent()).toBe(false);
  });

  it('keeps the fifth code valid when the form is posted once more', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    const post = (scope: string[]) => fixture.browser.submitForm(page, '/consent', { decision: 'allow', scope });
    const choices = [[], ['profile'], [], ['profile'], ['profile', 'edits:write']];
    const codes: string[] = [];
    for (const scope of choices) codes.push(parseRedirectParams(await post(scope)).code!);
    expect(new Set(codes).size).toBe(5);
    expect((await post([])).status).toBe(400);
    expect(parseRedirectParams(await post(choices.at(-1)!)).code).toBe(codes.at(-1));
    for (const code of codes.slice(0, -1)) expect((await fixture.exchangeCode(code, codeVerifier)).status).toBe(400);
    expect((await fixture.exchangeCode(codes.at(-1), codeVerifier)).status).toBe(200);
  });

  it('grants the consent again after it was withdrawn', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    await fixture.browser.submitForm(page, '/consent', { decision: 'allow' });
    await fixture.browser.submitForm(await fixture.browser.get('/account/apps'), '/account/apps');
    const { code } = parseRedirectParams(await fixture.browser.submitForm(page, '/consent', { decision: 'allow' }));
    expect((await fixture.exchangeCode(code, codeVerifier)).status).toBe(200);
  });

  it('invalidates the code and the consent when the form is posted again with Deny', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const page = await fixture.browser.get(path);
    const { code } = parseRedirectParams(await fixture.browser.submitForm(page, '/consent', { decision: 'allow' }));
    expect(parseRedirectParams(await fixture.browser.submitForm(page, '/consent', { decision: 'deny' })).error).toBe(
      'access_denied',
    );
    expect((await fixture.exchangeCode(code, codeVerifier)).body.error).toBe('invalid_grant');
    expect(await fixture.requiresConsent()).toBe(true);
  });

  it('invalidates a code for more scopes when a later consent has fewer', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const { code } = parseRedirectParams(await grantConsent(fixture.browser, path));
    await grantConsent(fixture.browser, createAuthorizationRequest(fixture.app, { prompt: 'consent' }).path, []);
    expect((await fixture.exchangeCode(code, codeVerifier)).body.error).toBe('invalid_grant');
  });

  it('rejects a decision of another account, and asks again', async () => {
    const page = await fixture.authorize();
    const other = await createAccount(fixture.server);
    await fixture.browser.signIn(other);
    const response = await fixture.browser.submitForm(page, '/consent', { decision: 'allow' });
    expect(response.location).toMatch(/^\/api\/oauth\/authorize\?/);
    expect((await fixture.browser.get(response.location!)).html).toContain(other.name);
    expect(await fixture.server.entityManager.countBy(AuthorizationCode, { appId: fixture.app.app.id })).toBe(0);
  });

  it('asks again when the session is missing or the form is older than an hour', async () => {
    const page = await fixture.authorize();
    advanceClock(3601 * SECOND_MS);
    expect((await fixture.browser.submitForm(page, '/consent', { decision: 'allow' })).location).toMatch(
      /^\/api\/oauth\/authorize\?/,
    );
    restoreClock();
    fixture.browser.clearCookies();
    const response = await fixture.browser.submitForm(page, '/consent', { decision: 'allow' });
    expect((await fixture.browser.get(response.location!)).location).toMatch(/^\/sign-in/);
  });

  it.each<[string, (sealed: string) => Record<string, string>]>([
    ['no request', () => ({ decision: 'allow' })],
    ['an edited request', (sealed) => ({ request: sealed.slice(0, -4) + 'AAAA', decision: 'allow' })],
    ['a forged request', () => ({ request: btoa('{"client_id":"x"}'), decision: 'allow' })],
    ['no decision', (sealed) => ({ request: sealed })],
    ['an unknown decision', (sealed) => ({ request: sealed, decision: 'maybe' })],
  ])('rejects a form with %s', async (_, edited) => {
    const page = await fixture.authorize();
    const sealed = parseForm(page, '/consent').values['request'] as unknown as string[];
    const { status, location } = await fixture.browser.post('/consent', edited(sealed[0]!));
    expect({ status, location }).toEqual({ status: 400, location: null });
  });

  it('ignores fields that would change the request', async () => {
    const page = await fixture.authorize();
    const response = await fixture.browser.submitForm(page, '/consent', {
      decision: 'allow',
      redirect_uri: 'https://evil.example/',
      client_id: 'app_x',
      state: 'evil',
    });
    expect(response.location!.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(response.location).not.toContain('evil');
  });

  it('rejects a decision when the app changed its redirect URI or was disabled in the meantime', async () => {
    const page = await fixture.authorize();
    const { name, scopes } = fixture.app.app;
    await fixture.server
      .get(AppsService)
      .updateSettings(fixture.app.app.id, { name, scopes, redirectUris: ['https://new.example.org/'] });
    expect((await fixture.browser.submitForm(page, '/consent', { decision: 'allow' })).status).toBe(400);
    await fixture.server.get(AppsService).disable(fixture.app.app.id);
    expect((await fixture.browser.submitForm(page, '/consent', { decision: 'allow' })).status).toBe(400);
  });

  it('rejects a decision when the account is blocked in the same moment', async () => {
    const { app: found } = fixture.app;
    const scopes: Scope[] = ['markers:read'];
    const request = { app: found, redirectUri: REDIRECT_URI, scopes, codeChallenge: null, nonce: null };
    const authorizationRequest = {
      ...request,
      rawState: undefined,
      responseMode: 'query' as const,
      dpopJkt: null,
      resources: ['api'] satisfies Resource[],
      prompt: new Set<never>(),
      maxAge: undefined,
      hintedAccountId: undefined,
    };
    const { account } = fixture;
    const session = { accountId: account.id, authTime: new Date(), account, digest: 'd' } as Session;
    await fixture.server.get(AccountsService).block(fixture.account.username, 'Spam.');
    expect(
      await fixture.server.get(ConsentAnswerService).allow(authorizationRequest, session, 'an answer', scopes),
    ).toBeUndefined();
    expect(await fixture.server.entityManager.countBy(Consent, { accountId: fixture.account.id })).toBe(0);
  });

  it('rejects a blocked account with the reason of the block, and links to access_denied', async () => {
    const page = await fixture.authorize();
    await fixture.server.get(AccountsService).block(fixture.account.username, 'Posted advertisements.');
    for (const response of [
      await fixture.authorize(),
      await fixture.browser.submitForm(page, '/consent', { decision: 'allow' }),
    ]) {
      expect(response.status).toBe(403);
      expect(response.html).toContain('Posted advertisements.');
      expect(response.html).toContain('error=access_denied');
      expect(response.html).toMatch(/\/sign-in\?client_id=/);
    }
    expect(parseRedirectParams(await fixture.authorize({ prompt: 'none' })).error).toBe('access_denied');
  });
});
