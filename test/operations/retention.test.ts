import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { KnownBrowser } from '../../src/identity/accounts/sign-in/known-browser.entity.js';
import { RateLimitWindow } from '../../src/platform/rate-limiting/rate-limit-window.entity.js';
import { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { SignInAttemptCounter } from '../../src/identity/accounts/sign-in/sign-in-attempt-counter.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { AuthorizationCode } from '../../src/identity/oauth/authorize/authorization-code.entity.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { OutgoingEmail } from '../../src/platform/mail/outgoing-email.entity.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import {
  grantConsent,
  createAuthorizationRequest,
  exchangeCode,
  parseRedirectParams,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { refreshTokens, revokeToken } from '../support/token-endpoint.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, DAY_MS, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { BrowserClient } from '../support/browser-client.js';

const MINUTE_MS = 60 * SECOND_MS;

/** The entities that retention deletes, and entities that it keeps. */
const [DELETED_ENTITIES, RETAINED_ENTITIES] = [
  [RefreshToken, Authorization, AuthorizationCode, Session, SignInAttemptCounter, RateLimitWindow, OutgoingEmail],
  [Consent, AuditEvent, KnownBrowser],
];

describe('Retention', () => {
  let server: TestServer;
  let account: Account;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on' });
  });
  beforeEach(async () => {
    await server.get(TransactionService).run(async (tx) => {
      for (const entity of [...DELETED_ENTITIES, Consent, KnownBrowser])
        await tx.createQueryBuilder().delete().from(entity).execute();
    });
    account = await createAccount(server);
    app = await registerApp(server);
    advanceClock(0); // stops the clock
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const deleteExpired = (): Promise<number> => server.get(RetentionService).deleteExpired(Date.now());
  const countRows = (entities: typeof DELETED_ENTITIES | typeof RETAINED_ENTITIES): Promise<number[]> =>
    Promise.all(entities.map((entity) => server.entityManager.count(entity)));
  const issueRefreshToken = async (): Promise<string> => (await issueTokens(server, { ...app, account })).refresh_token;
  const present = (refreshToken: string): Promise<TestResponse> => refreshTokens(server, app, refreshToken);
  const refresh = async (token: string): Promise<string> => (await present(token)).body.refresh_token;
  const readErrorDescription = async (response: Promise<TestResponse>): Promise<string> =>
    (await response).body.error_description;
  /** Grants the consent. @returns the code, the verifier and the browser */
  const obtainCode = async (): Promise<{ code: string; verifier: string; browser: BrowserClient }> => {
    const browser = await openSignedInBrowser(server, account);
    const { path, codeVerifier } = createAuthorizationRequest(app);
    return {
      code: parseRedirectParams(await grantConsent(browser, path)).code!,
      verifier: codeVerifier,
      browser,
    };
  };

  it('deletes a chain 30 days after its last token expired, with its code and session', async () => {
    const { code, verifier } = await obtainCode();
    const token = (await exchangeCode(server, app, code, verifier)).body.refresh_token as string;
    const last = await refresh(token);
    await present(token);
    const retainedCounts = await countRows(RETAINED_ENTITIES);
    expect(retainedCounts).toEqual([1, expect.any(Number), 1]);
    advanceClock(61 * DAY_MS);
    expect(await deleteExpired()).toBe(11); // two are the rate limit windows of the sign-in and of the failed request
    expect(await countRows(DELETED_ENTITIES)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await countRows(RETAINED_ENTITIES)).toEqual(retainedCounts);
    for (const gone of [token, last])
      expect(await readErrorDescription(present(gone))).toMatch(/refresh_token is unknown/);
    expect(await readErrorDescription(exchangeCode(server, app, code, verifier))).toMatch(/code is unknown/);
  });

  it('deletes nothing when no row has expired, and nothing twice', async () => {
    await issueRefreshToken();
    expect(await deleteExpired()).toBe(0);
    advanceClock(61 * DAY_MS);
    expect(await deleteExpired()).toBe(2);
    expect(await deleteExpired()).toBe(0);
  });

  it('keeps the consent of the account', async () => {
    await obtainCode();
    advanceClock(61 * DAY_MS);
    await deleteExpired();
    const response = await (await openSignedInBrowser(server, account)).get(createAuthorizationRequest(app).path);
    expect(parseRedirectParams(response)).toHaveProperty('code');
  });

  it('keeps used, expired and revoked tokens for 30 days after they expire', async () => {
    const [used, unused, revoked] = [await issueRefreshToken(), await issueRefreshToken(), await issueRefreshToken()];
    await present(used);
    await revokeToken(server, app, revoked);
    advanceClock(59 * DAY_MS);
    expect(await deleteExpired()).toBe(0);
    expect(await readErrorDescription(present(used))).toMatch(/already used/);
    expect(await readErrorDescription(present(unused))).toMatch(/expired/);
    expect(await readErrorDescription(present(revoked))).toMatch(/revoked/);
  });

  it('keeps a chain with a valid token, and deletes only its old used tokens', async () => {
    const first = await issueRefreshToken();
    advanceClock(25 * DAY_MS);
    const second = await refresh(first);
    advanceClock(25 * DAY_MS);
    const third = await refresh(second);
    advanceClock(11 * DAY_MS);
    expect(await deleteExpired()).toBe(1);
    expect(await readErrorDescription(present(first))).toMatch(/refresh_token is unknown/);
    expect(await readErrorDescription(present(second))).toMatch(/already used/);
    expect((await present(third)).status).toBe(200);
  });

  it('keeps used tokens long enough to revoke their chain', async () => {
    const first = await issueRefreshToken();
    advanceClock(29 * DAY_MS);
    const second = await refresh(first);
    advanceClock(29 * DAY_MS);
    const third = await refresh(second);
    advanceClock(DAY_MS);
    await deleteExpired();
    await revokeToken(server, app, first);
    expect(await readErrorDescription(present(third))).toMatch(/revoked/);
  });

  it('keeps the code of a chain with a valid token, so that a replay revokes the chain', async () => {
    const { code, verifier } = await obtainCode();
    let token = (await exchangeCode(server, app, code, verifier)).body.refresh_token as string;
    for (let month = 0; month < 4; month++) {
      advanceClock(29 * DAY_MS);
      token = await refresh(token);
    }
    expect(await deleteExpired()).toBeGreaterThan(0);
    expect(await readErrorDescription(exchangeCode(server, app, code, verifier))).toMatch(/already used/);
    expect(await readErrorDescription(present(token))).toMatch(/revoked/);
  });

  it('keeps an unused code for 30 days, so that the app learns that it expired', async () => {
    const { code, verifier } = await obtainCode();
    advanceClock(29 * DAY_MS);
    await deleteExpired();
    expect(await readErrorDescription(exchangeCode(server, app, code, verifier))).toMatch(/expired/);
  });

  it('keeps sessions until they end', async () => {
    const browser = await openSignedInBrowser(server, account);
    advanceClock(13 * DAY_MS);
    await deleteExpired();
    expect((await browser.get('/account/apps')).status).toBe(200);
    advanceClock(2 * DAY_MS);
    await deleteExpired();
    expect(await server.entityManager.count(Session)).toBe(0);
  });

  it('keeps the browsers of an account for one year after the last sign-in', async () => {
    const browser = await openSignedInBrowser(server, account);
    advanceClock(364 * DAY_MS);
    await browser.signIn(account);
    advanceClock(364 * DAY_MS);
    await deleteExpired();
    expect(await server.entityManager.count(KnownBrowser)).toBe(1);
    advanceClock(2 * DAY_MS);
    await deleteExpired();
    expect(await server.entityManager.count(KnownBrowser)).toBe(0);
  });

  it('keeps sign-in attempts for one hour, so that the delay continues', async () => {
    const guess = async (): Promise<number> => {
      const fields = { username: account.username, password: 'a guess' };
      return (await new BrowserClient(server).post('/sign-in', fields)).status;
    };
    for (let count = 0; count < 5; count++) expect(await guess()).not.toBe(429);
    expect(await guess()).toBe(429);
    await deleteExpired();
    expect(await guess()).toBe(429);
    advanceClock(61 * MINUTE_MS);
    expect(await deleteExpired()).toBe(4);
  });
});
