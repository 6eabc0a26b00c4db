import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { Session } from '../../src/identity/accounts/session.entity.js';
import { SignInAttemptCounter } from '../../src/identity/accounts/sign-in-attempt-counter.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { AuthorizationCode } from '../../src/identity/oauth/authorize/authorization-code.entity.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import {
  grantConsent,
  createAuthorizationRequest,
  exchangeCode,
  parseRedirectParams,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, DAY_MS, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { BrowserClient } from '../support/browser-client.js';

const MINUTE_MS = 60 * SECOND_MS;

/** All that can go, and what must stay beside it. */
const [DELETED_ENTITIES, RETAINED_ENTITIES] = [
  [RefreshToken, Authorization, AuthorizationCode, Session, SignInAttemptCounter],
  [Consent, AuditEvent],
];

describe('Cleaning up', () => {
  let server: TestServer;
  let account: Account;
  let app: TestApp;

  beforeEach(async () => {
    server = await TestServer.start();
    account = await createAccount(server);
    app = await registerApp(server);
    advanceClock(0); // the clock stands still, unless a test moves it
  });
  afterEach(async () => {
    restoreClock();
    await server.stop();
  });

  const cleanUp = (): Promise<number> => server.get(RetentionService).deleteExpired();
  const counts = (entities: typeof DELETED_ENTITIES | typeof RETAINED_ENTITIES): Promise<number[]> =>
    Promise.all(entities.map((entity) => server.entityManager.count(entity)));
  const newToken = async (): Promise<string> => (await issueTokens(server, { ...app, account })).refresh_token;
  const present = (refresh_token: string): Promise<TestResponse> => {
    const body = { grant_type: 'refresh_token', refresh_token, ...app.credentials };
    return server.request('POST', '/api/oauth/token', { body });
  };
  const refreshed = async (token: string): Promise<string> => (await present(token)).body.refresh_token;
  const refusal = async (answer: Promise<TestResponse>): Promise<string> => (await answer).body.error_description;
  /** A person allows the app. @returns the code that it got for that, and what it needs to exchange it */
  const newCode = async (): Promise<{ code: string; verifier: string; visitor: BrowserClient }> => {
    const browser = await openSignedInBrowser(server, account);
    const { path, codeVerifier } = createAuthorizationRequest(app);
    return {
      code: parseRedirectParams(await grantConsent(browser, path)).code!,
      verifier: codeVerifier,
      visitor: browser,
    };
  };

  it('deletes chains of which every token expired 30 days ago, with what led to them', async () => {
    const { code, verifier } = await newCode();
    const token = (await exchangeCode(server, app, code, verifier)).body.refresh_token as string;
    const last = await refreshed(token);
    await present(token);
    const stays = await counts(RETAINED_ENTITIES);
    expect(stays).toEqual([1, expect.any(Number)]);
    advanceClock(61 * DAY_MS);
    expect(await cleanUp()).toBe(7);
    expect(await counts(DELETED_ENTITIES)).toEqual([0, 0, 0, 0, 0]);
    expect(await counts(RETAINED_ENTITIES)).toEqual(stays);
    for (const gone of [token, last]) expect(await refusal(present(gone))).toMatch(/no such refresh token/);
    expect(await refusal(exchangeCode(server, app, code, verifier))).toMatch(/no such code/);
  });

  it('finds nothing to do where nothing is stale, and again where it has done it', async () => {
    await newToken();
    expect(await cleanUp()).toBe(0);
    advanceClock(61 * DAY_MS);
    expect(await cleanUp()).toBe(2);
    expect(await cleanUp()).toBe(0);
  });

  it('keeps what the person allowed: they are not asked again', async () => {
    await newCode();
    advanceClock(61 * DAY_MS);
    await cleanUp();
    const answer = await (await openSignedInBrowser(server, account)).get(createAuthorizationRequest(app).path);
    expect(parseRedirectParams(answer)).toHaveProperty('code');
  });

  it('keeps tokens for 30 days after they expired: used, expired and revoked are told apart', async () => {
    const [used, unused, revoked] = [await newToken(), await newToken(), await newToken()];
    await present(used);
    await server.request('POST', '/api/oauth/revoke', { body: { token: revoked, ...app.credentials } });
    advanceClock(59 * DAY_MS);
    expect(await cleanUp()).toBe(0);
    expect(await refusal(present(used))).toMatch(/already used/);
    expect(await refusal(present(unused))).toMatch(/expired/);
    expect(await refusal(present(revoked))).toMatch(/revoked/);
  });

  it('keeps a chain that lives, and deletes only what was spent long ago in it', async () => {
    const first = await newToken();
    advanceClock(25 * DAY_MS);
    const second = await refreshed(first);
    advanceClock(25 * DAY_MS);
    const third = await refreshed(second);
    advanceClock(11 * DAY_MS);
    expect(await cleanUp()).toBe(1);
    expect(await refusal(present(first))).toMatch(/no such refresh token/);
    expect(await refusal(present(second))).toMatch(/already used/);
    expect((await present(third)).status).toBe(200);
  });

  it('keeps spent tokens so long that revoking by one ends its chain', async () => {
    const first = await newToken();
    advanceClock(29 * DAY_MS);
    const second = await refreshed(first);
    advanceClock(29 * DAY_MS);
    const third = await refreshed(second);
    advanceClock(DAY_MS);
    await cleanUp();
    await server.request('POST', '/api/oauth/revoke', { body: { token: first, ...app.credentials } });
    expect(await refusal(present(third))).toMatch(/revoked/);
  });

  it('keeps the code of a chain that lives, however old: used again, it ends the chain', async () => {
    const { code, verifier } = await newCode();
    let token = (await exchangeCode(server, app, code, verifier)).body.refresh_token as string;
    for (let month = 0; month < 4; month++) {
      advanceClock(29 * DAY_MS);
      token = await refreshed(token);
    }
    expect(await cleanUp()).toBeGreaterThan(0);
    expect(await refusal(exchangeCode(server, app, code, verifier))).toMatch(/already used/);
    expect(await refusal(present(token))).toMatch(/revoked/);
  });

  it('keeps a code that nobody used for 30 days, so that the app is told that it expired', async () => {
    const { code, verifier } = await newCode();
    advanceClock(29 * DAY_MS);
    await cleanUp();
    expect(await refusal(exchangeCode(server, app, code, verifier))).toMatch(/expired/);
  });

  it('keeps sessions until they end', async () => {
    const browser = await openSignedInBrowser(server, account);
    advanceClock(13 * DAY_MS);
    await cleanUp();
    expect((await browser.get('/account/apps')).status).toBe(200);
    advanceClock(2 * DAY_MS);
    await cleanUp();
    expect(await server.entityManager.count(Session)).toBe(0);
  });

  it('keeps attempts to sign in for an hour: whoever guesses goes on waiting', async () => {
    const guess = async (): Promise<number> => {
      const fields = { username: account.username, password: 'a guess' };
      return (await new BrowserClient(server).post('/sign-in', fields)).status;
    };
    for (let count = 0; count < 5; count++) expect(await guess()).not.toBe(429);
    expect(await guess()).toBe(429);
    await cleanUp();
    expect(await guess()).toBe(429);
    advanceClock(61 * MINUTE_MS);
    expect(await cleanUp()).toBe(2);
  });
});
