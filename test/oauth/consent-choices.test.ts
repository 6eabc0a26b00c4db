import { describe, expect, it } from '@jest/globals';
import { createAuthorizationRequest, grantConsent, parseRedirectParams } from '../support/authorization-flow.js';
import { type PageResponse, parseForm } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { refreshTokens } from '../support/token-endpoint.js';

describe('A person who allowed something before', () => {
  const fixture = OAuthFixture.use();

  it('keeps everything with "Keep as before", and sends access_denied', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const { code } = parseRedirectParams(await grantConsent(fixture.browser, path));
    const page = await fixture.authorize({ prompt: 'consent' });
    expect(listDecisions(page)).toEqual(['allow', 'keep', 'remove']);
    const kept = await fixture.browser.submitForm(page, '/consent', { decision: 'keep', scope: [] });
    expect(parseRedirectParams(kept).error).toBe('access_denied');
    expect((await fixture.exchangeCode(code, codeVerifier)).status).toBe(200);
    expect(await fixture.requiresConsent()).toBe(false);
  });

  it('removes the whole access with "Remove access", also scopes that were not requested', async () => {
    const { refresh_token } = (await fixture.authorizeApp()).body;
    const page = await fixture.authorize({ scope: 'markers:read', prompt: 'consent' });
    const removed = await fixture.browser.submitForm(page, '/consent', { decision: 'remove' });
    expect(parseRedirectParams(removed).error).toBe('access_denied');
    const { body } = await refreshTokens(fixture.server, fixture.app, refresh_token as string);
    expect(body.error).toBe('invalid_grant');
    expect(listDecisions(await fixture.authorize())).toEqual(['allow', 'deny']);
  });

  it('shows a scope that was left out unchecked, until it is allowed', async () => {
    const scope = 'profile edits:write';
    const open = (): Promise<PageResponse> => fixture.authorize({ scope });
    const isChecked = (page: PageResponse): boolean =>
      parseForm(page, '/consent').values['scope']!.includes('edits:write');
    const first = await open();
    expect(isChecked(first)).toBe(true);
    await fixture.browser.submitForm(first, '/consent', { decision: 'allow', scope: ['profile'] });
    const second = await open();
    expect(isChecked(second)).toBe(false);
    expect(second.html).toContain('You left this out before.');
    expect(second.html).toContain('asks again for something that you left out.');
    expect(second.html).not.toContain('<h2>New</h2>');
    await fixture.browser.submitForm(second, '/consent', { decision: 'allow', scope: ['profile', 'edits:write'] });
    const third = await fixture.authorize({ scope, prompt: 'consent' });
    expect(isChecked(third)).toBe(true);
    expect(third.html).not.toContain('You left this out before.');
  });

  it('gives the app nothing with Allow and without a checked box', async () => {
    const scope = 'profile edits:write';
    await fixture.browser.submitForm(await fixture.authorize({ scope }), '/consent', { decision: 'allow' });
    const page = await fixture.authorize({ scope, prompt: 'consent' });
    expect(page.html).toContain('If no box is checked, “Allow” gives the app nothing.');
    const cleared = await fixture.browser.submitForm(page, '/consent', { decision: 'allow', scope: [] });
    expect(parseRedirectParams(cleared).error).toBe('access_denied');
    expect(listDecisions(await fixture.authorize({ scope }))).toEqual(['allow', 'deny']);
  });
});

/** Returns the values of the buttons of the consent form. */
function listDecisions({ html }: PageResponse): string[] {
  return [...html.matchAll(/name="decision" value="(\w+)"/g)].map(([, decision]) => decision!);
}
