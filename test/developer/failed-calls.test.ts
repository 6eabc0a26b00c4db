import { afterEach, describe, expect, it } from '@jest/globals';
import { FailedCall } from '../../src/identity/apps/failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { createAuthorizationRequest } from '../support/authorization-flow.js';
import { registerApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const TOKEN_CALL = 'POST /api/oauth/token';

describe('Failed calls of an app', () => {
  const fixture = OAuthFixture.use({ app: (_, account) => ({ ownerId: account.id }) });
  afterEach(restoreClock);

  const listFailedCalls = (): Promise<FailedCall[]> => fixture.server.get(FailedCallsService).list(fixture.app.app.id);

  const listSentValues = async (): Promise<string[][]> =>
    (await listFailedCalls()).map(({ sentValues }) => sentValues.map(({ value }) => value));

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
      expect.stringMatching(/ client_secret is wrong\.$/),
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

  it('count repeated failures in one entry with the first and the last time', async () => {
    const firstFailedAt = new Date();
    for (let count = 0; count < 3; count++) await fixture.refreshTokens('no token');
    await listFailedCalls();
    advanceClock(60 * SECOND_MS);
    await fixture.refreshTokens('no token');
    const calls = await listFailedCalls();
    expect(calls).toEqual([expect.objectContaining({ count: 4 })]);
    expect(calls[0]!.firstFailedAt.getTime() - firstFailedAt.getTime()).toBeLessThan(30_000);
    expect(calls[0]!.lastFailedAt.getTime() - calls[0]!.firstFailedAt.getTime()).toBeGreaterThanOrEqual(59_000);
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

  it('count failures that anyone can cause in one entry per rule', async () => {
    await fixture.refreshTokens('no token');
    for (let count = 0; count < 60; count++) {
      await fixture.authorize({ redirect_uri: `https://app.example.org/${count}` });
      await fixture.authorize({ scope: `none${'x'.repeat(count)}` });
      const name = ['nonce', 'prompt', 'display'][count % 3];
      await fixture.browser.get(`${createAuthorizationRequest(fixture.app).path}&${name}=1&${name}=2`);
    }
    const calls = await listFailedCalls();
    expect(calls.map(({ errorCode, count }) => `${count} ${errorCode}`).sort()).toEqual([
      '1 invalid_grant',
      '60 invalid_redirect_uri',
      '60 invalid_request',
      '60 invalid_scope',
    ]);
    expect(Math.max(...(await listSentValues()).map(({ length }) => length))).toBe(5);
  });

  it('lose no count and no value when several processes store them concurrently', async () => {
    const environment = { DATABASE_URL: fixture.server.settings.DATABASE_URL };
    const others = await Promise.all([1, 2].map(() => TestServer.start(environment)));
    const services = [fixture.server, ...others].map((server) => server.get(FailedCallsService));
    const call = { endpoint: TOKEN_CALL, errorCode: 'invalid_grant', reason: 'The same.' };
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        services.map((service, index) => {
          service.record(fixture.app.app.id, { ...call, sent: `process ${index}` });
          return service.list(fixture.app.app.id);
        }),
      );
    }
    await Promise.all(others.map((server) => server.stop()));
    expect(await listFailedCalls()).toEqual([expect.objectContaining({ count: 60 })]);
    expect((await listSentValues())[0]!.sort()).toEqual(['process 0', 'process 1', 'process 2']);
  });

  it('are stored when another app received text that cannot be displayed', async () => {
    const other = await registerApp(fixture.server);
    await fixture.browser.get(createAuthorizationRequest(other, { redirect_uri: 'https://x/\0\u202e\ud800' }).path);
    await fixture.refreshTokens('no token');
    expect(await listFailedCalls()).toHaveLength(1);
    const [{ sentValues }] = (await fixture.server.get(FailedCallsService).list(other.app.id)) as [FailedCall];
    expect(sentValues[0]!.value).toMatch(/^https:\/\/x\/\ufffd+$/);
  });

  it('are limited to the last fifty rules', async () => {
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
    expect(html).toMatch(/<h2 id="failed-calls">Failed API calls<\/h2>/);
    expect(html).toMatch(/<code>POST \/api\/oauth\/token<\/code> <strong>invalid_grant<\/strong>/);
    expect(html).toContain('2 times');
    const otherBrowser = await fixture.openOtherBrowser();
    expect((await otherBrowser.get(`/developer/apps/${fixture.app.app.id}`)).status).toBe(404);
  });

  it('stand above the settings, the newest first, with escaped values', async () => {
    await fixture.authorize({ scope: '<script>alert(1)</script>' });
    advanceClock(SECOND_MS);
    await fixture.authorize({ redirect_uri: undefined });
    const { html } = await fixture.browser.get(`/developer/apps/${fixture.app.app.id}`);
    expect(html).not.toContain('<script>alert');
    const parts = ['invalid_redirect_uri', '<dt>Registered</dt>', '<dt>Sent</dt>', 'no value', 'invalid_scope'];
    const positions = [...parts, '<code>&lt;script', 'name="redirectUris"'].map((part) => html.indexOf(part));
    expect(positions).toEqual([...positions].sort((first, second) => first - second));
    expect(positions).not.toContain(-1);
  });

  it('are stored when the server stops', async () => {
    const other = await TestServer.start({ DATABASE_URL: fixture.server.settings.DATABASE_URL });
    await refreshTokens(other, fixture.app, 'no token');
    await other.stop();
    expect(await listFailedCalls()).toHaveLength(1);
  });
});
