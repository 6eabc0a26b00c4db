import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FailedCall } from '../../src/identity/clients/failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../../src/identity/clients/failed-calls/failed-calls.service.js';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import {
  grantConsent,
  createAuthorizationRequest,
  exchangeCode,
  REDIRECT_URI,
  parseRedirectParams,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import type { BrowserClient } from '../support/browser-client.js';

const TOKEN_CALL = 'POST /api/oauth/token';
const AUTHORIZE_CALL = 'GET /api/oauth/authorize';

describe('The last failed calls of an app', () => {
  let server: TestServer;
  let owner: Account;
  let client: TestApp;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  beforeEach(async () => {
    owner = await createAccount(server);
    client = await registerApp(server, { ownerId: owner.id });
    browser = await openSignedInBrowser(server, owner);
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const listed = (): Promise<FailedCall[]> => server.get(FailedCallsService).list(client.app.id);
  const refresh = (refresh_token: string, more: object = {}): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...client.credentials, ...more },
    });
  const newChain = async (): Promise<string> =>
    (await issueTokens(server, { app: client.app, account: owner })).refresh_token;
  const codeOf = async (): Promise<{ code: string; verifier: string }> => {
    const { path, codeVerifier } = createAuthorizationRequest(client);
    return { code: parseRedirectParams(await grantConsent(browser, path)).code!, verifier: codeVerifier };
  };

  it('name the redirect address that was sent, and those that are registered', async () => {
    await browser.get(createAuthorizationRequest(client, { redirect_uri: 'https://app.example.org/call-back' }).path);
    expect(await listed()).toEqual([
      expect.objectContaining({
        endpoint: AUTHORIZE_CALL,
        errorCode: 'invalid_redirect_uri',
        reason: expect.stringMatching(
          /Registered: https:\/\/app\.example\.org\/callback Sent: https:\/\/app\.example\.org\/call-back$/,
        ),
      }),
    ]);
  });

  it('name the address that a code was asked with, where another comes with it', async () => {
    const { code, verifier } = await codeOf();
    await exchangeCode(server, client, code, verifier, { redirect_uri: 'https://app.example.org/other' });
    const [{ endpoint, errorCode, reason }] = (await listed()) as [FailedCall];
    expect({ call: endpoint, error: errorCode }).toEqual({ call: TOKEN_CALL, error: 'invalid_grant' });
    expect(reason).toContain(`Sent: https://app.example.org/other Asked with: ${REDIRECT_URI}`);
  });

  it('tell a wrong code_verifier from a code that was used, and that from one that is none', async () => {
    const { code, verifier } = await codeOf();
    await exchangeCode(server, client, code, 'x'.repeat(43));
    await exchangeCode(server, client, code, verifier);
    await exchangeCode(server, client, code, verifier);
    await exchangeCode(server, client, 'no code', verifier);
    const reasons = (await listed()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(3);
    for (const why of [/code_verifier does not fit/, /already used/, /no such code/])
      expect(reasons).toContainEqual(expect.stringMatching(why));
  });

  it('tell a refresh token that was used from one that has expired', async () => {
    const used = await newChain();
    await refresh(used);
    await refresh(used);
    const expired = await newChain();
    advanceClock(30 * 24 * 3600 * SECOND_MS);
    await refresh(expired);
    expect((await listed()).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/has expired/),
      expect.stringMatching(/already used/),
    ]);
  });

  it('tell of a wrong secret and of being disabled, of which the answer tells nobody', async () => {
    const answers = [await refresh('any', { client_secret: generateSecret('sam_secret') })];
    await server.get(AppsService).disable(client.app.id);
    answers.push(await refresh('any'));
    expect(answers[0]!.body).toEqual(answers[1]!.body);
    expect((await listed()).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/The app is disabled\.$/),
      expect.stringMatching(/The client_secret is missing or wrong\.$/),
    ]);
  });

  it('tell which scope a call of the API lacked, and what was wrong with its body', async () => {
    const { access_token: token } = await issueTokens(server, {
      app: client.app,
      account: owner,
      scopes: ['edits:write'],
    });
    await server.request('GET', '/api/edits/mine', { token });
    await server.request('POST', '/api/edits/evaluate-permissions', { token, body: { things: [] } });
    expect((await listed()).map(({ endpoint, errorCode }) => ({ call: endpoint, error: errorCode }))).toEqual([
      { call: 'POST /api/edits/evaluate-permissions', error: 'invalid_request' },
      { call: 'GET /api/edits/mine', error: 'insufficient_scope' },
    ]);
  });

  it('leave out what is up to the person or the map: a no, no session, and what is not there', async () => {
    const page = await browser.get(createAuthorizationRequest(client).path);
    await browser.submitForm(page, '/consent', { decision: 'deny' });
    await browser.get(createAuthorizationRequest(client, { prompt: 'none' }).path);
    const { access_token: token } = await issueTokens(server, { app: client.app, account: owner });
    await server.request('GET', '/api/markers/mrk_00000000000000000000000000', { token });
    expect(await listed()).toEqual([]);
  });

  it('are one where they fail again for the same reason, and count', async () => {
    for (let count = 0; count < 3; count++) await refresh('no token');
    await listed();
    await refresh('no token');
    expect(await listed()).toEqual([expect.objectContaining({ count: 4 })]);
  });

  it('are one where only a number tells them apart, such as that of seconds to wait', async () => {
    for (const seconds of [42, 41])
      server.get(FailedCallsService).record(client.app.id, {
        endpoint: TOKEN_CALL,
        errorCode: 'temporarily_unavailable',
        reason: `Wait ${seconds} s.`,
      });
    expect(await listed()).toEqual([expect.objectContaining({ count: 2, reason: 'Wait 41 s.' })]);
  });

  it('are of one kind where anybody could send them: whoever asks in the name of an app fills no list', async () => {
    await refresh('no token');
    for (let count = 0; count < 60; count++) {
      await browser.get(createAuthorizationRequest(client, { redirect_uri: `https://app.example.org/${count}` }).path);
      await browser.get(createAuthorizationRequest(client, { scope: `none${count}` }).path);
    }
    const calls = await listed();
    expect(calls.map(({ errorCode, count }) => `${count} ${errorCode}`).sort()).toEqual([
      '1 invalid_grant',
      '60 invalid_redirect_uri',
      '60 invalid_scope',
    ]);
    expect(calls.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/Sent: https:\/\/app\.example\.org\/59$/),
    );
  });

  it('are not lost because another app was sent what cannot be shown', async () => {
    const other = await registerApp(server);
    await browser.get(createAuthorizationRequest(other, { redirect_uri: 'https://x/\0\u202e\ud800' }).path);
    await refresh('no token');
    expect(await listed()).toHaveLength(1);
    const [{ reason }] = (await server.get(FailedCallsService).list(other.app.id)) as [FailedCall];
    expect(reason).toMatch(/Sent: https:\/\/x\/\ufffd+$/);
  });

  it('are the last fifty reasons', async () => {
    for (let count = 0; count < 60; count++) {
      advanceClock(SECOND_MS);
      await listed();
      server.get(FailedCallsService).record(client.app.id, {
        endpoint: `${TOKEN_CALL}/${count}`,
        errorCode: 'invalid_request',
        reason: `Reason ${count}.`,
      });
    }
    const reasons = (await listed()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(50);
    expect(reasons).toContain('Reason 59.');
    expect(reasons).not.toContain('Reason 9.');
  });

  it('hold no secret, whatever the app sent', async () => {
    const secret = generateSecret('sam_refresh');
    const { access_token } = await issueTokens(server, { app: client.app, account: owner });
    const address = `https://app.example.org/?token=${secret}&code=abcdef&jwt=${access_token}&x=1`;
    await browser.get(createAuthorizationRequest(client, { redirect_uri: address }).path);
    const { html } = await browser.get(`/developer/apps/${client.app.id}`);
    expect(html).toContain('?token=[redacted]&amp;code=[redacted]&amp;jwt=eyJ[redacted]');
    expect(JSON.stringify(await listed()) + html).not.toMatch(
      new RegExp(`${secret.slice(-20)}|abcdef|${access_token.slice(-20)}`),
    );
  });

  it('are shown on the page of the app, to its owner alone', async () => {
    await refresh('no token');
    await refresh('no token');
    const { html } = await browser.get(`/developer/apps/${client.app.id}`);
    expect(html).toMatch(/<h2>Calls that failed<\/h2>/);
    expect(html).toMatch(/<code>POST \/api\/oauth\/token<\/code> <strong>invalid_grant<\/strong>/);
    expect(html).toContain('2 times');
    const stranger = await openSignedInBrowser(server, await createAccount(server));
    expect((await stranger.get(`/developer/apps/${client.app.id}`)).status).toBe(404);
  });

  it('outlast a stop of the service', async () => {
    const other = await TestServer.start({ DATABASE_URL: server.settings.DATABASE_URL });
    const body = { grant_type: 'refresh_token', refresh_token: 'no token', ...client.credentials };
    await other.request('POST', '/api/oauth/token', { body });
    await other.stop();
    expect(await listed()).toHaveLength(1);
  });
});
