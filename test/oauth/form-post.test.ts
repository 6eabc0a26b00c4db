import { describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import {
  createAuthorizationRequest,
  grantConsent,
  parseRedirectParams,
  REDIRECT_URI,
} from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { registerApp } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const FORM_POST = { response_mode: 'form_post' };
const STATE = 'a&b=c "é" <i>';

describe('response_mode=form_post (OAuth 2.0 Form Post Response Mode)', () => {
  const fixture = OAuthFixture.use();

  /** Reads the form to the app. */
  const readForm = ({ status, location, html }: PageResponse, expectedStatus = 200): Record<string, string> => {
    expect({ status, location }).toEqual({ status: expectedStatus, location: null });
    const [, action, fields] = /<form method="post" action="([^"]*)" data-response-to-app[^>]*>(.*?)<\/form>/.exec(
      html,
    )!;
    expect(action).toBe(REDIRECT_URI);
    const decode = (text: string): string =>
      text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    const inputs = [...fields!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    return Object.fromEntries(inputs.map(([, name, value]) => [name!, decode(value!)]));
  };

  it('posts the code with state and iss by a page that only this form and its script can use', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app, { ...FORM_POST, state: STATE });
    const page = await grantConsent(fixture.browser, path);
    const { code, ...others } = readForm(page);
    expect(others).toEqual({ state: STATE, iss: fixture.server.settings.BASE_URL });
    expect(page.html).toMatch(/<script src="\/assets\/form-post\.js" defer/);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("form-action 'self' https://app.example.org https:");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect((await fixture.exchangeCode(code, codeVerifier)).status).toBe(200);
  });

  it('is used without a question if the person allowed the scopes before', async () => {
    await grantConsent(fixture.browser, createAuthorizationRequest(fixture.app).path);
    expect(readForm(await fixture.authorize(FORM_POST))['code']).toMatch(/^sam_code_/);
  });

  it('posts errors', async () => {
    const denied = await fixture.browser.submitForm(await fixture.authorize(FORM_POST), '/consent', {
      decision: 'deny',
    });
    expect(readForm(denied)['error']).toBe('access_denied');
    expect(readForm(await fixture.authorize({ ...FORM_POST, scope: 'admin' }))).toMatchObject({
      error: 'invalid_scope',
      error_description: 'The scope admin does not exist.',
    });
    expect(readForm(await fixture.authorize({ ...FORM_POST, state: undefined, prompt: 'none' }))).toEqual({
      error: 'consent_required',
      error_description: expect.any(String),
      iss: fixture.server.settings.BASE_URL,
    });
  });

  it('waits for the person, without a script, before an app that no person allowed', async () => {
    const app = await registerApp(fixture.server);
    const { path } = createAuthorizationRequest(app, { ...FORM_POST, scope: 'admin' });
    const page = await new BrowserClient(fixture.server).get(path);
    expect(readForm(page)['error']).toBe('invalid_scope');
    expect(page.html).not.toContain('form-post.js');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example.org");
  });

  it('waits for the person on the page of a blocked account', async () => {
    await fixture.server.get(AccountsService).block(fixture.account.username, 'Spam.');
    const page = await fixture.authorize(FORM_POST);
    expect(readForm(page, 403)['error']).toBe('access_denied');
    expect(page.html).not.toContain('form-post.js');
  });

  it('is rejected in the query for a private-use scheme, which cannot receive a form', async () => {
    const redirect_uri = 'org.example.walk:/callback';
    const app = await registerApp(fixture.server, { clientType: 'public', redirectUris: [redirect_uri] });
    const { path } = createAuthorizationRequest(app, { ...FORM_POST, redirect_uri, prompt: 'none' });
    expect(parseRedirectParams(await fixture.browser.get(path), redirect_uri)).toMatchObject({
      error: 'invalid_request',
      error_description: 'response_mode must be query or form_post. form_post needs a redirect_uri with https or http.',
    });
  });

  it.each(['fragment', 'web_message', 'FORM_POST'])('is not replaced by response_mode=%s', async (response_mode) => {
    expect(parseRedirectParams(await fixture.authorize({ response_mode }))).toMatchObject({ error: 'invalid_request' });
  });

  it('is not used if it was sent twice', async () => {
    const { path } = createAuthorizationRequest(fixture.app, FORM_POST);
    const response = await fixture.browser.get(`${path}&response_mode=form_post`);
    expect(parseRedirectParams(response)['error']).toBe('invalid_request');
  });
});
