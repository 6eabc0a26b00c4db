import { afterEach, describe, expect, it } from '@jest/globals';
import { FailedCall } from '../../src/identity/clients/failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../../src/identity/clients/failed-calls/failed-calls.service.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { createAuthorizationRequest, REDIRECT_URI } from '../support/authorization-flow.js';
import { registerApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const TOKEN_CALL = 'POST /api/oauth/token';
const AUTHORIZE_CALL = 'GET /api/oauth/authorize';

describe('Failed calls of an app', () => {
  const fixture = OAuthFixture.use({ app: (_, account) => ({ ownerId: account.id }) });
  afterEach(restoreClock);

  const listFailedCalls = (): Promise<FailedCall[]> => fixture.server.get(FailedCallsService).list(fixture.app.app.id);

  it('name the redirect URI of the request and the registered ones', async () => {
    await fixture.authorize({ redirect_uri: 'https://app.example.org/call-back' });
    expect(await listFailedCalls()).toEqual([
      expect.objectContaining({
        endpoint: AUTHORIZE_CALL,
        errorCode: 'invalid_redirect_uri',
        reason: expect.stringMatching(
          /Registered: https:\/\/app\.example\.org\/callback Sent: https:\/\/app\.example\.org\/call-back$/,
        ),
      }),
    ]);
  });

  it('name the redirect URI of the code when the exchange has another one', async () => {
    const { code, codeVerifier } = await fixture.obtainCode();
    await fixture.exchangeCode(code, codeVerifier, { redirect_uri: 'https://app.example.org/other' });
    const [{ endpoint, errorCode, reason }] = (await listFailedCalls()) as [FailedCall];
    expect({ call: endpoint, error: errorCode }).toEqual({ call: TOKEN_CALL, error: 'invalid_grant' });
    expect(reason).toContain(`Sent: https://app.example.org/other Expected: ${REDIRECT_URI}`);
  });

  it('distinguish a wrong code_verifier, a used code, and an unknown code', async () => {
    const { code, codeVerifier } = await fixture.obtainCode();
    await fixture.exchangeCode(code, 'x'.repeat(43));
    await fixture.exchangeCode(code, codeVerifier);
    await fixture.exchangeCode(code, codeVerifier);
    await fixture.exchangeCode('no code', codeVerifier);
    const reasons = (await listFailedCalls()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(3);
    for (const pattern of [/code_verifier does not match/, /already used/, /code is unknown/])
      expect(reasons).toContainEqual(expect.stringMatching(pattern));
  });

  it('distinguish a used and an expired refresh token', async () => {
    const used = (await fixture.issueTokens()).refresh_token;
    await fixture.refreshTokens(used);
    await fixture.refreshTokens(used);
    const expired = (await fixture.issueTokens()).refresh_token;
    advanceClock(30 * 24 * 3600 * SECOND_MS);
    await fixture.refreshTokens(expired);
    expect((await listFailedCalls()).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/has expired/),
      expect.stringMatching(/already used/),
    ]);
  });

  it('distinguish a wrong secret and a disabled app, which the response does not', async () => {
    const responses = [await fixture.refreshTokens('any', { client_secret: generateSecret('sam_secret') })];
    await fixture.server.get(AppsService).disable(fixture.app.app.id);
    responses.push(await fixture.refreshTokens('any'));
    expect(responses[0]!.body).toEqual(responses[1]!.body);
    expect((await listFailedCalls()).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/The app is disabled\.$/),
      expect.stringMatching(/The client_secret is wrong\.$/),
    ]);
  });

  it('name a missing scope and a malformed body of an API request', async () => {
    const { access_token: token } = await fixture.issueTokens(['edits:write']);
    await fixture.server.request('GET', '/api/edits/mine', { token });
    await fixture.server.request('POST', '/api/edits/evaluate-permissions', { token, body: { things: [] } });
    expect((await listFailedCalls()).map(({ endpoint, errorCode }) => ({ call: endpoint, error: errorCode }))).toEqual([
      { call: 'POST /api/edits/evaluate-permissions', error: 'invalid_request' },
      { call: 'GET /api/edits/mine', error: 'insufficient_scope' },
    ]);
  });

  it('omit denials, missing sessions, and missing resources', async () => {
    const page = await fixture.authorize();
    await fixture.browser.submitForm(page, '/consent', { decision: 'deny' });
    await fixture.authorize({ prompt: 'none' });
    const { access_token: token } = await fixture.issueTokens();
    await fixture.server.request('GET', '/api/markers/mrk_00000000000000000000000000', { token });
    expect(await listFailedCalls()).toEqual([]);
  });

  it('count repeated failures with the same reason in one entry', async () => {
    for (let count = 0; count < 3; count++) await fixture.refreshTokens('no token');
    await listFailedCalls();
    await fixture.refreshTokens('no token');
    expect(await listFailedCalls()).toEqual([expect.objectContaining({ count: 4 })]);
  });

  it('count reasons that differ only in a number in one entry', async () => {
    for (const seconds of [42, 41])
      fixture.server.get(FailedCallsService).record(fixture.app.app.id, {
        endpoint: TOKEN_CALL,
        errorCode: 'temporarily_unavailable',
        reason: `Wait ${seconds} s.`,
      });
    expect(await listFailedCalls()).toEqual([expect.objectContaining({ count: 2, reason: 'Wait 41 s.' })]);
  });

  it('count failures that anyone can cause in one entry per kind', async () => {
    await fixture.refreshTokens('no token');
    for (let count = 0; count < 60; count++) {
      await fixture.authorize({ redirect_uri: `https://app.example.org/${count}` });
      await fixture.authorize({ scope: `none${count}` });
    }
    const calls = await listFailedCalls();
    expect(calls.map(({ errorCode, count }) => `${count} ${errorCode}`).sort()).toEqual([
      '1 invalid_grant',
      '60 invalid_redirect_uri',
      '60 invalid_scope',
    ]);
    expect(calls.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/Sent: https:\/\/app\.example\.org\/59$/),
    );
  });

  it('are stored when another app received text that cannot be displayed', async () => {
    const other = await registerApp(fixture.server);
    await fixture.browser.get(createAuthorizationRequest(other, { redirect_uri: 'https://x/\0\u202e\ud800' }).path);
    await fixture.refreshTokens('no token');
    expect(await listFailedCalls()).toHaveLength(1);
    const [{ reason }] = (await fixture.server.get(FailedCallsService).list(other.app.id)) as [FailedCall];
    expect(reason).toMatch(/Sent: https:\/\/x\/\ufffd+$/);
  });

  it('are limited to the last fifty reasons', async () => {
    for (let count = 0; count < 60; count++) {
      advanceClock(SECOND_MS);
      await listFailedCalls();
      fixture.server.get(FailedCallsService).record(fixture.app.app.id, {
        endpoint: `${TOKEN_CALL}/${count}`,
        errorCode: 'invalid_request',
        reason: `Reason ${count}.`,
      });
    }
    const reasons = (await listFailedCalls()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(50);
    expect(reasons).toContain('Reason 59.');
    expect(reasons).not.toContain('Reason 9.');
  });

  it('contain no secret', async () => {
    const secret = generateSecret('sam_refresh');
    const { access_token } = await fixture.issueTokens();
    const address = `https://app.example.org/?token=${secret}&code=abcdef&jwt=${access_token}&x=1`;
    await fixture.authorize({ redirect_uri: address });
    const { html } = await fixture.browser.get(`/developer/apps/${fixture.app.app.id}`);
    expect(html).toContain('?token=[redacted]&amp;code=[redacted]&amp;jwt=eyJ[redacted]');
    expect(JSON.stringify(await listFailedCalls()) + html).not.toMatch(
      new RegExp(`${secret.slice(-20)}|abcdef|${access_token.slice(-20)}`),
    );
  });

  it('are shown on the page of the app, to its owner only', async () => {
    await fixture.refreshTokens('no token');
    await fixture.refreshTokens('no token');
    const { html } = await fixture.browser.get(`/developer/apps/${fixture.app.app.id}`);
    expect(html).toMatch(/<h2>Failed API calls<\/h2>/);
    expect(html).toMatch(/<code>POST \/api\/oauth\/token<\/code> <strong>invalid_grant<\/strong>/);
    expect(html).toContain('2 times');
    const otherBrowser = await fixture.openOtherBrowser();
    expect((await otherBrowser.get(`/developer/apps/${fixture.app.app.id}`)).status).toBe(404);
  });

  it('are stored when the server stops', async () => {
    const other = await TestServer.start({ DATABASE_URL: fixture.server.settings.DATABASE_URL });
    await refreshTokens(other, fixture.app, 'no token');
    await other.stop();
    expect(await listFailedCalls()).toHaveLength(1);
  });
});
