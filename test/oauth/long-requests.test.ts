import { describe, expect, it } from '@jest/globals';
import { createAuthorizationRequest, grantConsent, parseRedirectParams } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
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

  it('passes with unencoded characters that a redirect encodes in more', async () => {
    const { path } = createAuthorizationRequest(fixture.app, { scope: 'openid', state: undefined });
    const state = '(!*)'.repeat(1050);
    const browser = new BrowserClient(fixture.server);
    const { location } = await browser.get(`${path}&state=${state}`);
    const back = await browser.signIn(fixture.account, 'correct horse', location!);
    expect((await browser.get(back.location!)).html).toContain('name="decision"');
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
