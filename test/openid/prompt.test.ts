import { afterEach, describe, expect, it } from '@jest/globals';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { createAuthorizationRequest, parseRedirectParams } from '../support/authorization-flow.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { BrowserClient } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

describe('prompt and max_age (OpenID Connect Core §3.1.2.1)', () => {
  const fixture = OAuthFixture.use({ appPerFile: true });
  afterEach(restoreClock);

  const fetchError = async (
    parameters: Record<string, string>,
    browser = fixture.browser,
  ): Promise<string | undefined> =>
    parseRedirectParams(await browser.get(createAuthorizationRequest(fixture.app, parameters).path)).error;

  it('prompt=none returns login_required without a session, consent_required without a consent, and otherwise a code', async () => {
    expect(await fetchError({ prompt: 'none' }, new BrowserClient(fixture.server))).toBe('login_required');
    expect(await fetchError({ prompt: 'none' })).toBe('consent_required');
    await fixture.authorizeApp();
    expect(parseRedirectParams(await fixture.authorize({ prompt: 'none' })).code).toMatch(/^sam_code_/);
  });

  it.each(['login', 'select_account'])('prompt=%s requires the password once', async (prompt) => {
    await fixture.authorizeApp();
    const signInRedirect = await fixture.authorize({ prompt });
    expect(signInRedirect.location).toMatch(/^\/sign-in\?/);
    const page = await fixture.browser.get(signInRedirect.location!);
    expect(page.html).toContain('The app asks you to sign in again.');
    expect(page.html).not.toContain('Continue as');
    const back = await fixture.browser.signIn(fixture.account, 'correct horse', signInRedirect.location!);
    expect(parseRedirectParams(await fixture.browser.get(back.location!)).code).toMatch(/^sam_code_/);
  });

  it('prompt=login rejects a return without sign-in, and the return address of another request', async () => {
    await fixture.authorizeApp();
    const signInRedirect = await fixture.authorize({ prompt: 'login' });
    const returnPath = signInRedirect.location!.replace('/sign-in', '/api/oauth/authorize').replace('&again=yes', '');
    expect((await fixture.browser.get(returnPath)).location).toMatch(/^\/sign-in\?/);
    const askedAt = new URL(returnPath, fixture.server.url).searchParams.get('asked_at')!;
    advanceClock(30 * SECOND_MS);
    await fixture.browser.signIn(fixture.account);
    advanceClock(30 * SECOND_MS);
    const other = `${createAuthorizationRequest(fixture.app, { prompt: 'login' }).path}&asked_at=${askedAt}`;
    expect((await fixture.browser.get(other)).location).toMatch(/^\/sign-in\?/);
    advanceClock(3600 * SECOND_MS);
    expect((await fixture.browser.get(returnPath)).location).toMatch(/^\/sign-in\?/);
  });

  it('max_age requires the password only when the last sign-in is older', async () => {
    await fixture.authorizeApp();
    advanceClock(50 * SECOND_MS);
    expect(parseRedirectParams(await fixture.authorize({ max_age: '60' })).code).toBeDefined();
    advanceClock(11 * SECOND_MS);
    expect(await fetchError({ max_age: '60', prompt: 'none' })).toBe('login_required');
    const signInRedirect = await fixture.authorize({ max_age: '60' });
    expect(signInRedirect.location).toMatch(/^\/sign-in\?/);
    const back = await fixture.browser.signIn(fixture.account, 'correct horse', signInRedirect.location!);
    expect(parseRedirectParams(await fixture.browser.get(back.location!)).code).toBeDefined();
  });

  it('max_age=0 requires the password once per request', async () => {
    await fixture.authorizeApp();
    advanceClock(SECOND_MS);
    const signInRedirect = await fixture.authorize({ max_age: '0' });
    const back = await fixture.browser.signIn(fixture.account, 'correct horse', signInRedirect.location!);
    advanceClock(SECOND_MS);
    expect(parseRedirectParams(await fixture.browser.get(back.location!)).code).toBeDefined();
  });

  it('max_age rejects a return much later than the sign-in', async () => {
    await fixture.authorizeApp();
    advanceClock(61 * SECOND_MS);
    const signInRedirect = await fixture.authorize({ max_age: '5' });
    const back = await fixture.browser.signIn(fixture.account, 'correct horse', signInRedirect.location!);
    advanceClock(120 * SECOND_MS);
    expect((await fixture.browser.get(back.location!)).location).toMatch(/^\/sign-in\?/);
  });

  it('auth_time and amr are those of the last sign-in, and a refresh does not change it', async () => {
    const before = Math.floor(Date.now() / 1000);
    advanceClock(120 * SECOND_MS);
    const { body } = await fixture.authorizeApp({ nonce: 'n-0S6' });
    const claims = JSON.parse(Buffer.from((body.id_token as string).split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({
      iss: fixture.server.settings.BASE_URL,
      aud: fixture.app.app.id,
      sub: fixture.account.id,
      nonce: 'n-0S6',
      amr: ['pwd'],
    });
    expect(claims.auth_time).toBeGreaterThanOrEqual(before - 10);
    expect(claims.auth_time).toBeLessThan(before + 60);
    expect(claims.iat - claims.auth_time).toBeGreaterThanOrEqual(119);
    const refreshed = await fixture.refreshTokens(body.refresh_token as string);
    expect(refreshed.body.id_token).toBeUndefined();
    const [authorization] = await fixture.server.entityManager.findBy(Authorization, { accountId: fixture.account.id });
    expect(Math.floor(authorization!.authTime.getTime() / 1000)).toBe(claims.auth_time);
    const [, payload] = (refreshed.body.access_token as string).split('.');
    expect(JSON.parse(Buffer.from(payload!, 'base64url').toString()).sub).toBe(fixture.account.id);
  });
});
