import { describe, expect, it } from '@jest/globals';
import { createAuthorizationRequest, grantConsent, parseRedirectParams } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

/** Maximum of the query, as it is received. */
const MAX_QUERY_LENGTH = 5000;

describe('A long authorization request', () => {
  const fixture = OAuthFixture.use({ appPerFile: true });

  /** Returns a request whose query has a length, with a state of JSON. */
  const createRequest = (length: number): { path: string; state: string } => {
    const request = (state: string): string => createAuthorizationRequest(fixture.app, { scope: 'openid', state }).path;
    const json = '{"a":"/b?c=d"}'.repeat(100);
    const missing = length - request(json).split('?')[1]!.length;
    const state = json + 'x'.repeat(missing);
    return { path: request(state), state };
  };

  it('of the maximum length passes through sign-in and consent, with its state', async () => {
    const { path, state } = createRequest(MAX_QUERY_LENGTH);
    const browser = new BrowserClient(fixture.server);
    const { location } = await browser.get(path);
    expect(location!.length).toBeLessThan(MAX_QUERY_LENGTH + 200);
    const back = await browser.signIn(fixture.account, 'correct horse', location!);
    const params = parseRedirectParams(await grantConsent(browser, back.location!));
    expect({ state: params.state, code: params.code }).toEqual({
      state,
      code: expect.stringMatching(/^sam_code_/),
    });
  });

  describe('with characters that a form encodes in three', () => {
    const createQuery = (length: number): { query: string; state: string } => {
      const [, query] = createAuthorizationRequest(fixture.app, { scope: 'openid', state: undefined }).path.split('?');
      const state = '(!*{|}'.repeat(length).slice(0, length - `${query}&state=`.length);
      return { query: `${query}&state=${state}`, state };
    };
    /** Opens the authorization endpoint as a link, or as a form. */
    const open = {
      GET: (browser: BrowserClient, query: string): Promise<PageResponse> =>
        browser.get(`/api/oauth/authorize?${query}`),
      POST: async (browser: BrowserClient, query: string): Promise<PageResponse> => {
        const { location } = await browser.postText('/api/oauth/authorize', query);
        expect(location).toBe(`/api/oauth/authorize?${query}`);
        return browser.get(location!);
      },
    };

    it.each(['GET', 'POST'] as const)('is never longer in the whole flow that begins with %s', async (method) => {
      const { query, state } = createQuery(MAX_QUERY_LENGTH);
      const referer = `${fixture.server.url}/sign-in?${query}`;
      const browser = new BrowserClient(fixture.server, { referer });
      const { location } = await open[method](browser, query);
      expect(location!.startsWith(`/sign-in?${query}&asked_at=`)).toBe(true);
      const page = await browser.get(`${location}&ui_locales=de`);
      const inFrench = await browser.submitForm(page, '/language', { language: 'fr' });
      expect(inFrench.location).toBe(location);
      const wrong = { username: fixture.account.username, password: 'wrong horse' };
      const rejected = await browser.submitForm(await browser.get(location!), '/sign-in', wrong);
      const right = { ...wrong, password: 'correct horse' };
      const back = await browser.submitForm(rejected, '/sign-in', right);
      const { location: atApp } = await grantConsent(browser, back.location!);
      expect(atApp!.endsWith(`&state=${state}`)).toBe(true);
    });

    it.each(['GET', 'POST'] as const)(
      'is rejected with one character more by %s before the sign-in',
      async (method) => {
        const { query, state } = createQuery(MAX_QUERY_LENGTH + 1);
        await grantConsent(fixture.browser, createAuthorizationRequest(fixture.app).path); // so the app gets errors
        const path = '/api/oauth/authorize';
        const browser = new BrowserClient(fixture.server);
        const response = await (method === 'GET' ? browser.get(`${path}?${query}`) : browser.postText(path, query));
        expect(parseRedirectParams(response)).toMatchObject({ error: 'invalid_request', state });
      },
    );
  });

  it('encodes the characters that a URL cannot contain', async () => {
    const { path } = createAuthorizationRequest(fixture.app, { scope: 'openid', state: undefined });
    const query = `${path.split('?')[1]}&state="<é>#\r\n%`;
    const { location } = await fixture.browser.postText('/api/oauth/authorize', query);
    expect(location).toBe(`${path}&state=%22%3C%C3%A9%3E%23%0D%0A%`);
    const { location: atApp } = await grantConsent(fixture.browser, location!);
    expect(atApp!.endsWith('&state=%22%3C%C3%A9%3E%23%0D%0A%')).toBe(true);
  });

  it('of one more character is rejected before the sign-in', async () => {
    const { path, state } = createRequest(MAX_QUERY_LENGTH + 1);
    const params = parseRedirectParams(await fixture.browser.get(path));
    expect(params).toMatchObject({ error: 'invalid_request', state });
  });

  it('is not accepted with a time of another request', async () => {
    const { path } = createRequest(MAX_QUERY_LENGTH + 1);
    const short = createAuthorizationRequest(fixture.app);
    const { location } = await new BrowserClient(fixture.server).get(short.path);
    const askedAt = new URLSearchParams(location!.split('?')[1]).get('asked_at')!;
    const { error } = parseRedirectParams(await fixture.browser.get(`${path}&asked_at=${askedAt}`));
    expect(error).toBe('invalid_request');
  });
});
