import { beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthorizationRequest, grantConsent, parseRedirectParams } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, issueTokens } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

describe('An id_token_hint at the authorization endpoint', () => {
  const fixture = OAuthFixture.use({ appPerFile: true });
  let hint: string;
  let path: string;

  beforeEach(async () => {
    hint = (await fixture.issueTokens()).id_token!;
    path = createAuthorizationRequest(fixture.app, { id_token_hint: hint, prompt: 'consent' }).path;
  });

  const hintOf = (location: string | null): string => new URL(location!, 'http://x').searchParams.get('id_token_hint')!;
  const expectHidden = (location: string | null): void => {
    expect(hintOf(location)).toMatch(/^[\w-]{50,400}$/);
    expect(location).not.toContain(hint.split('.')[1]);
  };

  it('is encrypted in the address of the sign-in page, and still names the person', async () => {
    const browser = new BrowserClient(fixture.server);
    const { location } = await browser.get(path);
    expectHidden(location);
    const back = await browser.signIn(fixture.account, 'correct horse', location!);
    expectHidden(back.location);
    expect(hintOf(back.location)).toBe(hintOf(location));
    expect(parseRedirectParams(await grantConsent(browser, back.location!))['code']).toMatch(/^sam_code_/);
  });

  it('is encrypted in the address to which a form redirects, and after a choice of the language', async () => {
    const { location } = await fixture.browser.postText('/api/oauth/authorize', path.split('?')[1]!);
    expectHidden(location);
    const page = await fixture.browser.get(path);
    const inGerman = await fixture.browser.submitForm(page, '/language', { language: 'de' });
    expectHidden(inGerman.location);
    expect((await fixture.browser.get(inGerman.location!)).html).toContain('lang="de"');
  });

  it('of another person leads to the sign-in page, encrypted or not', async () => {
    const other = await createAccount(fixture.server);
    const { id_token } = await issueTokens(fixture.server, { app: fixture.app.app, account: other });
    const request = createAuthorizationRequest(fixture.app, { id_token_hint: id_token }).path;
    const { location } = await fixture.browser.get(request);
    expect(location).toMatch(/^\/sign-in\?/);
    const encrypted = createAuthorizationRequest(fixture.app, { id_token_hint: hintOf(location) }).path;
    expect((await fixture.browser.get(encrypted)).location).toMatch(/^\/sign-in\?/);
  });

  it.each(['a.b.c', 'invalid', 'x'.repeat(120)])(
    'that is not a token of this service, %s, is rejected',
    async (wrong) => {
      const request = createAuthorizationRequest(fixture.app, { id_token_hint: wrong }).path;
      const { location } = await fixture.browser.postText('/api/oauth/authorize', request.split('?')[1]!);
      for (const address of [request, location!])
        expect(parseRedirectParams(await fixture.browser.get(address))['error']).toBe('invalid_request');
    },
  );

  it('that was sent twice is rejected, and in no address', async () => {
    const query = `${path.split('?')[1]}&id_token_hint=${hint}`;
    const { location } = await fixture.browser.postText('/api/oauth/authorize', query);
    expect(location).not.toContain(hint);
    const { error, error_description } = parseRedirectParams(await fixture.browser.get(location!));
    expect([error, error_description]).toEqual([
      'invalid_request',
      'id_token_hint was sent more than once. Send it once.',
    ]);
  });
});
